// Softmax, norms and logsumexp written out, as a recogniser knows them, and nearly so.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

/// A switch over some of these dimensions: a value, or what is written in its place.
std::string Body::switchOver(const Names &over) {
  if (Value *p = any(&Value::isBool); p && within(p->dims, over) && numbers.chance(0.5)) {
    p->used = true;
    return p->name;
  }
  return maskText(over);
}

/// exp(x - max(x)) of what a mask keeps, by its sum, which is kept from 0 or not.
void Body::writtenSoftmax() {
  Value *x = floats();
  std::string d = x ? dim(*x) : "";
  if (d.empty())
    return;
  std::string mask = switchOver(x->dims), other = numbers.chance(0.3) ? switchOver(x->dims) : mask;
  // The maximum of nothing is -inf: not a value for others.
  std::string top = fmt::format("max[{}](where({}, {}, -inf))", d, other, x->name);
  Value *e = bind(fmt::format("where({}, exp({} - {}), 0)", mask, x->name, top), "", x->dims, {x});
  Value *total =
      e ? bind(fmt::format("sum[{}]({})", d, e->name), "", without(x->dims, {d}), {e}) : nullptr;
  if (!total)
    return;
  const char *form =
      oneOf(numbers, {"{0} / {1}", "{0} / where({1} > 0, {1}, 1)", "{0} / where({1} > 0, {1}, 1)",
                      "{0} / (1 + {1})", "{0} * (1 / {1})"});
  bind(fmt::format(fmt::runtime(form), e->name, total->name), "", x->dims, {e, total});
}

void Body::writtenNorm() {
  Value *x = floats();
  std::string d = x ? dim(*x) : "";
  if (d.empty())
    return;
  Value *y = floats(x->dims); // of the same dimensions: `-` takes no others
  if (!y || !within(y->dims, x->dims) || numbers.chance(0.4))
    y = x;
  std::string e = dim(*x);
  if (numbers.chance(0.3)) { // what is squared is what is scaled, if not always a norm
    auto group = [&] { return e != d && numbers.chance(0.3) ? "(" + d + ", " + e + ")" : d; };
    if (Value *c =
            bind(fmt::format("{} - mean[{}]({})", x->name, group(), y->name), "", x->dims, {x, y}))
      bind(fmt::format("{0} * rsqrt(mean[{1}]({0} ^ 2) + 0.1)", c->name, group()), "", x->dims,
           {c});
    return;
  }
  const char *form =
      oneOf(numbers,
            {"exp({0} - max[{1}]({0})) / sum[{1}](exp({2} - max[{1}]({2})))",
             "({0} - mean[{1}]({2})) * rsqrt(variance[{1}]({0}) + 0.1)",
             "{0} * rsqrt(sum[{1}]({0} ^ 2) / 3 + 0.1)",
             "({0} - mean[{1}]({0})) * rsqrt(mean[({1}, {3})](({0} - mean[{1}]({0})) ^ 2) + 0.1)",
             "({0} - max[{1}]({0})) - log(sum[{1}](exp({2} - max[{1}]({0}))))",
             "({0} - max[{1}]({0})) - log(sum[{1}, {3}](exp({0} - max[{1}]({0}))))",
             "{0} / sqrt(mean[{1}]({2} ^ 2) + 0.1)", "log_softmax[{1}]({0})"});
  std::string_view shape = form;
  if (e == d && shape.find("{3}") != std::string_view::npos)
    return;
  bind(fmt::format(fmt::runtime(form), x->name, d, y->name, e), "", x->dims, {x, y});
}

void Body::writtenLogSumExp() {
  Value *x = floats();
  std::string d = x ? dim(*x) : "";
  if (d.empty())
    return;
  Value *y = floats(x->dims);
  if (numbers.chance(0.3))
    y = x;
  else if (!y || y == x || !within(y->dims, x->dims))
    y = bind(fmt::format("0.5 * {}", x->name), "", x->dims, {x});
  if (!y)
    return;
  if (numbers.chance(0.4)) { // what is infinite is not taken away, as the library has it
    Names rest = without(x->dims, {d});
    Value *top = bind(fmt::format("max[{}]({})", d, x->name), "", rest, {x});
    Value *shift =
        top ? bind(fmt::format("where(max({0}, -{0}) < inf, {0}, 0)", top->name), "", rest, {top})
            : nullptr;
    if (!shift)
      return;
    bool other = numbers.chance(0.4); // what is added is not what was taken away
    bind(fmt::format("{} + log(sum[{}](exp({} - {})))", shift->name, d, other ? x->name : y->name,
                     other ? fmt::format("max[{}]({})", d, y->name) : shift->name),
         "", rest, {shift, x, y});
    return;
  }
  const char *form = oneOf(numbers, {"max[{1}]({0}) + log(sum[{1}](exp({0} - max[{1}]({0}))))",
                                     "max[{1}]({0}) + log(sum[{1}](exp({2} - max[{1}]({0}))))",
                                     "max[{1}]({0}) + log(sum[{1}](exp({0} - max[{1}]({2}))))"});
  bind(fmt::format(fmt::runtime(form), x->name, d, y->name), "", without(x->dims, {d}), {x, y});
}

/// What each row says of scores that a product makes, and nothing else reads: logits, which are
/// made in chunks of rows.
void Body::classified() {
  Value *x = floats();
  std::string d = x ? dim(*x, true) : "", to = x ? fresh(x->dims) : "";
  if (d.empty() || to.empty() || x->dims.size() < 2)
    return;
  Names rest = without(x->dims, {d});
  Value *w = parameter({d, to});
  Value *l = w && fits(joined(rest, {to}))
                 ? bind(fmt::format("sum[{}]({} * {})", d, x->name, w->name), "",
                        joined(rest, {to}), {x, w})
                 : nullptr;
  if (!l)
    return;
  Names across = causal ? without(rest, {"s"}) : rest; // rows that may see each other
  if (!across.empty() && numbers.chance(0.3))          // not of rows alone
    l = bind(
        fmt::format(fmt::runtime(oneOf(numbers, {"{0} / 2", "{0} - mean[{1}]({0})",
                                                 "{0} - mean[{2}]({0})", "dropout({0}, 0.3)"})),
                    l->name, to, across.front()),
        "", l->dims, {l});
  if (!l)
    return;
  const char *form = oneOf(
      numbers, {"logsumexp[{1}]({0}) - {0}[{1} = {2}]", "0 - log(softmax[{1}]({0})[{1} = {2}])",
                "logsumexp[{1}]({0}) - 0.9 * {0}[{1} = {2}] - 0.1 * mean[{1}]({0})",
                "max[{1}]({0}) + log(sum[{1}](exp({0} - max[{1}]({0})))) - {0}[{1} = {2}]",
                "sum[{1}](softmax[{1}]({0}) * {0})"});
  Value *n = any(&Value::isWhole, {}, {to});
  std::string at = "0";
  if (n && within(n->dims, rest) && numbers.chance(0.7)) {
    n->used = true;
    at = n->element == to ? n->name : fmt::format("clamp[{}]({})", to, n->name);
  }
  Value *row = bind(fmt::format(fmt::runtime(form), l->name, to, at), "", rest, {l});
  if (row && !across.empty() && numbers.chance(0.3)) // a loss that needs all of itself
    bind(fmt::format(fmt::runtime(oneOf(numbers, {"{0} * mean[{1}]({0})", "{0} - max[{1}]({0})",
                                                  "{0} / (1 + sum[{1}]({0} * {0}))"})),
                     row->name, across.front()),
         "", rest, {row});
}

} // namespace weft::hunter
