// Statements that sum, weigh and normalise.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

void Body::reduce() {
  Value *x = floats();
  if (!x || x->dims.empty())
    return;
  Names over = {dim(*x)};
  if (over[0].empty())
    return;
  while (over.size() < x->dims.size() && numbers.chance(0.3))
    over = joined(over, {dim(*x)});
  std::string kind =
      oneOf(numbers, {"sum", "sum", "mean", "max", "min", "logsumexp", "variance", "max"});
  bool group = kind == "mean" || kind == "variance" || kind == "logsumexp";
  std::string inside = group && over.size() > 1 ? "(" + list(over) + ")" : list(over);
  std::string of =
      oneOf(numbers, {"{}", "{}", "{}", "{} * {}", "tanh({})", "relu({})", "max({}, 0.2)"});
  of = fmt::format(fmt::runtime(of), x->name, x->name);
  if (numbers.chance(0.15)) // beside what is the same along it
    if (Value *z = floats({}, over); z && within(z->dims, x->dims)) {
      of = x->name + " + " + z->name;
      z->used = true;
    }
  Value *y = bind(kind + "[" + inside + "](" + of + ")", "", without(x->dims, over), {x});
  if (y && numbers.chance(0.4))
    bind(fmt::format(fmt::runtime(oneOf(numbers, {"{0} * {1}", "{0} - {1}", "max({0}, {1})",
                                                  "{0} + {1}", "where({0} >= {1}, {0}, 0)"})),
                     x->name, y->name),
         "", x->dims, {x, y});
}

/// Several reductions of one value over one space, added: the shape of the lanes' fault.
void Body::manySums() {
  Value *x = floats(), *o = floats();
  if (!x || !o || x->dims.empty())
    return;
  Names all = joined(x->dims, o->dims);
  if (!fits(all))
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  Names left = without(all, {d}), small = without(x->dims, {d});
  std::string wide =
      fmt::format(fmt::runtime(oneOf(numbers, {"max({0}, {1})", "{0} * {1}", "min({1}, {0})"})),
                  o->name, x->name);
  std::string a = std::string(oneOf(numbers, {"sum", "max", "sum"})) + "[" + d + "](" + wide + ")";
  std::string b =
      std::string(oneOf(numbers, {"sum", "max", "min"})) + "[" + d + "](" + x->name + ")";
  bind(a + " + " + b, "", left, {x, o});
}

/// The largest along all but one dimension, and along all but another: positions that keep the
/// lanes of a row, or do not.
void Body::extrema() {
  Value *x = floats();
  if (!x || x->dims.size() < 2 || (causal && x->has("s")))
    return;
  Value *y = floats(x->dims);
  std::string of = y && y != x && numbers.chance(0.5)
                       ? fmt::format("where({} > {}, {} * {}, 0.5 * {})", x->name, y->name, x->name,
                                     y->name, y->name)
                       : x->name;
  Names all = of == x->name ? x->dims : joined(x->dims, y->dims);
  Value *w = bind(of, "", all, {x});
  if (!w)
    return;
  if (numbers.chance(0.4)) { // what is the largest along one, of all and of the largest of another
    std::string d = numbers.chance(0.7) ? all.back() : dim(*w);
    Names rest = without(all, {d});
    std::string e = numbers.chance(0.7) ? rest.back() : one(numbers, rest);
    bind(fmt::format("where(index({1}) == argmax[{1}]({0}) and "
                     "index({1}) == argmax[{1}](max[{2}]({0})), 1, 0) * {0}",
                     w->name, d, e),
         "", all, {w});
    return;
  }
  Names kept;
  std::string text;
  for (int i = 0; i < 2; ++i) {
    std::string one = dim(*w);
    Names over = without(all, {one});
    if (numbers.chance(0.5)) // of several that are equal, the first in this order
      std::swap(over.front(), over.back());
    text += fmt::format("{}{}[{}]({})", i ? " * " : "", oneOf(numbers, {"max", "max", "min"}),
                        list(over), w->name);
    kept = joined(kept, {one});
  }
  bind(text, "", kept, {w});
}

void Body::reduceWholes() {
  if (Value *p = any(&Value::isBool); p && !p->dims.empty() && numbers.chance(0.4)) {
    std::string d = dim(*p);
    const char *form =
        oneOf(numbers, {"sum[{1}](where({0}, 1, 0))", "max[{1}](where({0}, index({1}), 0))",
                        "min[{1}](where({0}, index({1}), size({1})))"});
    if (dims[d].fixed && std::string_view(form).starts_with("min"))
      mayBe("E0609"); // a size that is known is no position
    bind(fmt::format(fmt::runtime(form), p->name, d), "int", without(p->dims, {d}), {p});
    return;
  }
  Value *n = any(&Value::isWhole);
  if (!n || n->dims.empty())
    return;
  std::string d = dim(*n), kind = oneOf(numbers, {"sum", "max", "min", "cumsum"});
  bind(kind + "[" + d + "](" + n->name + ")", "int",
       kind == "cumsum" ? n->dims : without(n->dims, {d}), {n});
}

void Body::normalise() {
  Value *x = floats();
  if (!x || x->dims.empty())
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  if (parameters && dims[d].fixed && !isLoop(d) && numbers.chance(0.4)) {
    std::string form =
        oneOf(numbers, {"LayerNorm[{1}]({0})", "RMSNorm[{1}]({0})",
                        "LayerNorm[{1}]({0}, eps = 0.1)", "RMSNorm[{1}]({0}, eps = 0.01)"});
    bind(fmt::format(fmt::runtime(form), x->name, d), "", x->dims, {x});
    return;
  }
  if (Value *p = any(&Value::isBool); p && numbers.chance(0.35)) {
    // The mask may have dimensions that the scores lack.
    bool given = within(p->dims, x->dims) ? numbers.chance(0.6) : numbers.chance(0.3) && !causal;
    std::string condition = given ? p->name : maskText(x->dims);
    Names over = given ? joined(x->dims, p->dims) : x->dims;
    bind(fmt::format("masked_softmax[{}]({}, {})", d, x->name, condition), "", over, {x});
    return;
  }
  if (numbers.chance(0.15) && x->dims.size() > 1) {
    std::string e = dim(*x);
    if (e != d) {
      bind(fmt::format("standardize[({}, {})]({}, 0.1)", d, e, x->name), "", x->dims, {x});
      return;
    }
  }
  const char *form =
      oneOf(numbers,
            {"softmax[{1}]({0})", "softmax[{1}]({0})", "log_softmax[{1}]({0})",
             "unit[{1}]({0}, eps = 0.1)", "standardize[{1}]({0}, 0.1)", "softmax[{1}](0.5 * {0})",
             "{0} * rsqrt(mean[{1}]({0} ^ 2) + 0.01)", "softmax[{1}]({0} * {0})",
             "({0} - mean[{1}]({0})) / sqrt(variance[{1}]({0}) + 0.1)",
             "exp({0} - max[{1}]({0})) / sum[{1}](exp({0} - max[{1}]({0})))",
             "exp({0} - logsumexp[{1}]({0}))"});
  bind(fmt::format(fmt::runtime(form), x->name, d), "", x->dims, {x});
}

void Body::product() {
  Value *x = floats(), *y = floats();
  if (!x || !y || x->dims.empty())
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  Names all = joined(x->dims, y->dims), over = {d};
  if (numbers.chance(0.2))
    over = joined(over, {dim(*x)});
  if (dims.count(all) > 4 * whole.most)
    return;
  const char *form = oneOf(
      numbers, {"sum[{2}]({0} * {1})", "sum[{2}]({0} * {1})", "sum[{2}]({1} * {0})",
                "0.5 * sum[{2}]({0} * {1})", "relu(sum[{2}]({0} * {1}))",
                "sum[{2}](relu({0}) * {1})", "sum[{2}]({0} * {1} * {0})", "max[{2}]({0} * {1})",
                "sum[{2}](-{0} * {1})", "sum[{2}]({0} * -{1})", "sum[{2}]({0} * {1} / 3)"});
  bind(fmt::format(fmt::runtime(form), x->name, y->name, list(over)), "", without(all, over),
       {x, y});
}

void Body::linear(Value *x) {
  std::string from = x ? dim(*x, true) : "";
  if (!parameters || from.empty() || isLoop(from))
    return;
  Names rest = without(x->dims, {from});
  std::string to = fresh(rest);
  Names made = {to};
  if (to.empty())
    return;
  if (std::string more = fresh(joined(rest, {to})); !more.empty() && numbers.chance(0.25))
    made.push_back(more);
  if (!fits(joined(rest, made)) || dims.count(joined({from}, made)) > whole.most)
    return;
  std::string slot = made.size() > 1 ? "(" + list(made) + ")" : to;
  std::string call = fmt::format("{}[{}, {}]({})", oneOf(numbers, {"Linear", "Linear", "Project"}),
                                 from, slot, x->name);
  if (numbers.chance(0.3)) {
    bind(fmt::format("{}({}{})", oneOf(numbers, {"gelu", "relu", "tanh", "silu"}), label(), call),
         "", joined(rest, made), {x});
    return;
  }
  bind(call, "", joined(rest, made), {x});
}

/// Several maps of one value: queries and keys, a gate beside what it opens, tied weights.
void Body::branches() {
  Value *x = floats();
  std::string from = x ? dim(*x, true) : "";
  if (!parameters || from.empty())
    return;
  Names rest = without(x->dims, {from});
  std::string to = fresh(joined(rest, {from}));
  if (to.empty() || !fits(joined(rest, {to})))
    return;
  Names order = {from, to};
  if (numbers.chance(0.5))
    order = {to, from};
  Value *w = parameter(order), *u = numbers.chance(0.7) ? parameter(order) : w;
  if (!w || !u)
    return;
  const char *sign = oneOf(numbers, {"", "", "", "-"});
  Value *a = bind(fmt::format("sum[{}]({}{} * {})", from, sign, x->name, w->name), "",
                  joined(rest, {to}), {x, w});
  Value *b =
      bind(fmt::format("sum[{}]({} * {})", from, x->name, u->name), "", joined(rest, {to}), {x, u});
  if (!a || !b)
    return;
  const char *gate = oneOf(numbers, {"silu({0}) * {1}", "sigmoid({0}) * {1}", "{0} * {1}",
                                     "relu({0}) + {1}", "{0} / (1 + {1} * {1})"});
  Value *g =
      bind(fmt::format(fmt::runtime(gate), a->name, b->name), "", joined(rest, {to}), {a, b});
  if (g && numbers.chance(0.6)) // back by the same weights
    bind(fmt::format("sum[{}]({} * {})", to, g->name, w->name), "", joined(rest, {from}), {g, w});
}

void Body::runningSum() {
  Value *x = floats();
  if (!x || x->dims.empty())
    return;
  std::string d = causal && x->has("s") ? "s" : dim(*x);
  if (d.empty())
    return;
  const char *form =
      oneOf(numbers, {"cumsum[{1}]({0})", "cumsum[{1}]({0}) / (index({1}) + 1)",
                      "cumsum[{1}](tanh({0}))", "cumsum[{1}](where({0} > 0, 1, 0)) * {0}"});
  Value *sums = bind(fmt::format(fmt::runtime(form), x->name, d), "", x->dims, {x});
  if (sums && !causal && numbers.chance(0.6)) // in the order that a merge wants
    rename(sums, /*merges=*/true);
}

} // namespace weft::hunter
