// Values beside themselves: under another name, at another position, in two sums of one space.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

/// A position of `dim`, with dimensions among `over`, that need not be its own.
std::string Body::someIndex(const std::string &dim, const Names &over) {
  Value *n = any(&Value::isWhole, {}, {dim});
  if (n && within(n->dims, over) && numbers.chance(0.6)) {
    n->used = true;
    return n->element == dim ? n->name : fmt::format("clamp[{}]({})", dim, n->name);
  }
  return fmt::format(
      fmt::runtime(oneOf(numbers, {"clamp[{0}](index({0}) - 1)", "clamp[{0}](index({0}) + 1)",
                                   "size({0}) - 1 - index({0})"})),
      dim);
}

/// One function of one value under two names: which may be computed once, unless it speaks of them.
void Body::twoNames() {
  Value *x = floats();
  if (!x || x->dims.size() < 2)
    return;
  std::vector<std::pair<std::string, std::string>> names;
  for (const Dim &dim : dims.all())
    for (auto &[a, b] : {std::pair(dim.name, dim.twin), {dim.twin, dim.name}})
      if (!b.empty() && dims.has(a) && dims.has(b) && x->has(a) && !x->has(b) && b != "s")
        names.push_back({a, b});
  if (names.empty())
    return;
  auto [a, b] = one(numbers, names);
  auto [c, e] = one(numbers, names);
  std::string renamed = fmt::format("{}[{} as {}]", x->name, a, b), twice = renamed,
              other = dim(*x);
  Names under = joined(without(x->dims, {a}), {b}), again = under;
  if (c != a && e != b) {
    twice += fmt::format("[{} as {}]", c, e);
    again = joined(without(under, {c}), {e});
  }
  if (!fits(joined(x->dims, {b})))
    return;
  switch (numbers.below(5)) {
  case 0: // along the new name, under one name more
    bind(fmt::format("standardize[{}]({}, 0.1)", b, renamed), "", under, {x});
    bind(fmt::format("standardize[{}]({}, 0.1)", b, twice), "", again, {x});
    return;
  case 1: // along what both have
    if (other.empty() || other == a)
      return;
    bind(fmt::format("standardize[{}]({}, 0.1)", other, x->name), "", x->dims, {x});
    bind(fmt::format("standardize[{}]({}, 0.1)", other, renamed), "", under, {x});
    return;
  case 2: { // with itself, and beside that with another
    Value *y = floats({other.empty() ? a : other}, {b});
    if (other.empty() || other == a || !y)
      return;
    Value *p = bind(fmt::format("sum[{}]({} * {})", other, x->name, renamed), "",
                    without(joined(x->dims, under), {other}), {x});
    Names all = joined(x->dims, y->dims);
    if (p && fits(all))
      bind(fmt::format("sum[{}]({} * {})", other, x->name, y->name), "", without(all, {other}),
           {x, y});
    return;
  }
  case 3: { // summed along the new name
    Value *y = floats({a}, {b, e});
    if (!y)
      return;
    Names otherDims = joined(without(y->dims, {a}), {b}), all = joined(under, otherDims),
          more = joined(again, otherDims);
    if (fits(all))
      bind(fmt::format("sum[{}]({} * {}[{} as {}])", b, renamed, y->name, a, b), "",
           without(all, {b}), {x, y});
    if (fits(more))
      bind(fmt::format("sum[{}]({} * {}[{} as {}])", b, twice, y->name, a, b), "",
           without(more, {b}), {x, y});
    return;
  }
  default: // each with each
    bind(fmt::format(
             fmt::runtime(oneOf(numbers, {"{0} * {1}", "max({0}, {1})", "tanh({0}) * tanh({1})"})),
             x->name, renamed),
         "", joined(x->dims, {b}), {x});
    bind(fmt::format(fmt::runtime(oneOf(numbers, {"{0} * {0}", "{0} * tanh({0})"})), x->name), "",
         x->dims, {x});
  }
}

/// What a row comes to, beside what another row has.
void Body::elsewhere() {
  Value *x = floats();
  std::string d = x ? dim(*x) : "", e = x ? dim(*x) : "";
  if (d.empty() || e == d)
    return;
  const char *heavy = oneOf(numbers, {"tanh({})", "exp(min({}, 1))", "sin({})", "{} * 0.5"});
  Value *h = bind(fmt::format(fmt::runtime(heavy), x->name), "", x->dims, {x});
  if (!h)
    return;
  std::string there = fmt::format("{}[{} = {}]", h->name, e, someIndex(e, without(x->dims, {e})));
  const char *form =
      oneOf(numbers, {"{0} * sum[{1}]({0}) + {2}", "{0} / (1 + sum[{1}]({0} * {0})) - {2}",
                      "({0} - max[{1}]({0})) * {2}", "{0} * {2} + mean[{1}]({0})"});
  bind(fmt::format(fmt::runtime(form), h->name, d, there), "", x->dims, {h});
}

/// Sums of one space that keep different dimensions of it, and are read beside each other.
void Body::pooled() {
  Value *x = floats();
  std::string d = x ? dim(*x) : "";
  if (d.empty())
    return;
  Value *w = floats({d});
  Names rest = without(x->dims, {d});
  if (!w || !within(w->dims, x->dims))
    w = x;
  switch (numbers.below(3)) {
  case 0:
    bind(fmt::format("sum[{2}]({0} * {1}) / (1 + sum[{2}]({1} * {1}))", x->name, w->name, d), "",
         rest, {x, w});
    return;
  case 1: {
    Value *o = floats();
    Names all = joined(o->dims, rest);
    bind(fmt::format("{0} * sum[{3}]({1}) * sum[{3}]({2})", o->name, x->name, w->name, d), "",
         joined(all, without(w->dims, {d})), {o, x, w});
    return;
  }
  default: {
    Value *o = floats();
    std::string e = rest.empty() ? "" : one(numbers, rest);
    if (e.empty() || (causal && e == "s"))
      return;
    std::string kind = oneOf(numbers, {"sum", "max", "mean"});
    std::string at = someIndex(e, without(rest, {e}));
    bool counts = at.find("index(") != std::string::npos; // else `e` is indexed away
    bind(fmt::format("{0} * {5}[{2}]({1})[{3} = {4}]", o->name, x->name, d, e, at, kind), "",
         joined(o->dims, counts ? rest : without(rest, {e})), {o, x});
  }
  }
}

/// Two maps of what is hidden in `x`, each beside `y`: their names.
std::vector<std::string> Body::twoMaps(Value *x, Value *y) {
  std::string from = dim(*x, true), to = from.empty() ? "" : fresh(x->dims);
  if (!parameters || from.empty() || to.empty() || isLoop(from) || isLoop(to))
    return {};
  std::vector<std::string> made;
  const char *act = oneOf(numbers, {"tanh", "relu", "gelu"});
  Value *h = bind(fmt::format("{}({}Project[{}, {}]({}))", act, label(), from, to, x->name), "",
                  joined(without(x->dims, {from}), {to}), {x});
  for (unsigned i = 0; h && i < 2; ++i) {
    const char *form = oneOf(
        numbers, {"({4}Project[{0}, {1}]({2})) + {3}", "({4}Project[{0}, {1}]({2})) + {3}",
                  "tanh({4}Project[{0}, {1}]({2})) * {3}", "({4}Linear[{0}, {1}]({2})) - {3}"});
    if (Value *map = bind(fmt::format(fmt::runtime(form), to, from, h->name, y->name, label()), "",
                          x->dims, {h, y}))
      made.push_back(map->name);
  }
  return made;
}

void Body::residuals() {
  Value *x = floats(), *y = x ? floats(x->dims) : nullptr;
  if (!y || !within(y->dims, x->dims) || numbers.chance(0.4))
    y = x;
  if (y)
    twoMaps(x, y);
}

/// A value, met again by what it made with a weight.
void Body::again() {
  Value *x = floats();
  std::string from = x ? dim(*x, true) : "", to = from.empty() ? "" : fresh(x->dims);
  Names rest = x ? without(x->dims, {from}) : Names();
  if (from.empty() || to.empty() || rest.empty() || causal || !fits(joined(x->dims, {to})))
    return;
  Value *w = parameters ? parameter({from, to}) : floats({from}, rest);
  if (!w)
    return;
  Names made = joined(rest, without(w->dims, {from}));
  Value *p = bind(fmt::format("sum[{}]({} * {})", from, x->name, w->name), "", made, {x, w});
  if (!p || !within(rest, p->dims))
    return;
  Names matrix = joined(without(p->dims, rest), {from});
  Value *g =
      bind(fmt::format("sum[{}]({} * {})", list(rest), x->name, p->name), "", matrix, {x, p});
  if (g)
    bind(fmt::format("sum[{}]({} * {})", from, x->name, g->name), "",
         joined(rest, without(matrix, {from})), {x, g});
}

/// What is equal however it is rounded: nothing is left of the largest without the largest.
void Body::exactly() {
  Value *x = floats();
  std::string d = x ? dim(*x) : "";
  if (d.empty())
    return;
  Value *y = floats();
  if (!y || !within(y->dims, x->dims))
    y = x;
  const char *of = oneOf(numbers, {"{0} * {1}", "{0} * {1}", "{0} / (2 + tanh({1}))", "{0}"});
  // Numbers that depend on no data are in a table: who computes them again has others.
  bool isTable = numbers.chance(0.35);
  if (isTable)
    of = oneOf(numbers, {"{0} + sin(0.3 * index({2}))", "{0} * cos(index({2}))"});
  Value *p = bind(fmt::format(fmt::runtime(of), x->name, y->name, d), "", x->dims, {x, y});
  if (!p)
    return;
  if (isTable && numbers.chance(0.7)) // a product whose gradient has the same epilogue
    linear(p);
  const char *form =
      oneOf(numbers,
            {"where({0} - max[{1}]({0}) == 0, {2}, 0)", "where({0} - max[{1}]({0}) >= 0, {2}, 0)",
             "where({0} - max[{1}]({0}) == 0, {0}, 0) ^ 2",
             "where({0} - min[{1}]({0}) == 0, {2}, 0.5)", "exp({0} - max[{1}]({0}))"});
  bind(fmt::format(fmt::runtime(form), p->name, d, x->name), "", x->dims, {p});
}

/// Statements that read earlier positions of `s`, where each is.
void Body::readEarlier() {
  if (numbers.chance(0.5))
    rotate();
  if (numbers.chance(0.7))
    attention();
  if (numbers.chance(0.4))
    runningSum();
}

} // namespace weft::hunter
