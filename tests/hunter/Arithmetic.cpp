// Elementwise statements: floats, masks, choices.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

void Body::unary() {
  Value *x = floats();
  if (!x)
    return;
  const char *form = oneOf(numbers, {"relu({0})",
                                     "gelu({0})",
                                     "silu({0})",
                                     "sigmoid({0})",
                                     "tanh({0})",
                                     "softplus({0})",
                                     "tame({0})",
                                     "0.5 * {0} - 1",
                                     "{0} * {0}",
                                     "exp(min({0}, 1))",
                                     "sqrt({0} * {0} + 0.1)",
                                     "-{0}",
                                     "elu({0})",
                                     "sin({0})",
                                     "cos({0})",
                                     "log(1 + {0} ^ 2)",
                                     "max({0}, 0.1)",
                                     "{0} / 3",
                                     "erf({0})",
                                     "gelu_tanh({0})",
                                     "mish({0})",
                                     "hard_swish({0})",
                                     "leaky_relu({0})",
                                     "1 / (1 + {0} * {0})",
                                     "rsqrt({0} ^ 2 + 1)",
                                     "{0} % 2",
                                     "min(max({0}, -1), 1)",
                                     "2 - {0}",
                                     "(1 + {0} ^ 2) ^ 0.5",
                                     "where({0} > 0, {0}, 0.1 * {0})",
                                     "selu({0})",
                                     "quick_gelu({0})",
                                     "0.0 + {0}",
                                     "{0} * 1",
                                     "max({0}, -{0})",
                                     "squared_relu({0})",
                                     "min({0}, 0.2)",
                                     "exp(-{0} * {0})",
                                     "exp(min({0} * {0}, 20))",
                                     "exp(min({0}, 9) + 12) * 6.144212e-6",
                                     "exp(min({0}, 9) + 30) * 9.357623e-14",
                                     "exp(min({0}, 9) - 20) * 4.851652e8",
                                     "exp(min({0}, 9) * 4 + 20) * 2.061154e-9"});
  bind(fmt::format(fmt::runtime(form), x->name), "", x->dims, {x});
}

void Body::binary() {
  Value *x = floats(), *y = floats();
  if (!x || !y)
    return;
  const char *form = oneOf(
      numbers, {"{0} * {1}", "{0} * {1}", "max({0}, {1})", "min({0}, {1})", "{0} / (1 + {1} * {1})",
                "sigmoid({0}) * {1}", "{0} * silu({1})", "where({0} > {1}, {0}, {1})",
                "where({1} > 0, {0}, 0)", "relu({0}) * {1}", "tanh({0} * {1})"});
  bind(fmt::format(fmt::runtime(form), x->name, y->name), "", joined(x->dims, y->dims), {x, y});
}

/// `+` and `-` take no dimension that one side lacks, unless it is said.
void Body::sum() {
  Value *x = floats();
  if (!x)
    return;
  std::vector<Value *> smaller;
  for (Value &value : values)
    if (value.isFloat() && within(value.dims, x->dims))
      smaller.push_back(&value);
  Value *y = one(numbers, smaller);
  const char *form = oneOf(numbers, {"{0} + {1}", "{0} - {1}", "{1} - {0}", "0.3 * {0} + {1}",
                                     "{0} + {1} * {1}", "{0} + relu({1})"});
  if (Value *z = floats(); z && numbers.chance(0.15)) {
    Names more = without(z->dims, x->dims);
    std::string wide = x->name;
    for (const std::string &name : more)
      wide = "expand[" + name + "](" + wide + ")";
    bind(wide + oneOf(numbers, {" + ", " - "}) + z->name, "", joined(x->dims, z->dims), {x, z});
    return;
  }
  bind(fmt::format(fmt::runtime(form), x->name, y->name), "", x->dims, {x, y});
}

void Body::mask() {
  switch (numbers.below(4)) {
  case 0: {
    Value *x = floats(), *y = floats();
    if (!x || !y)
      return;
    const char *form = oneOf(numbers, {"{0} > {1}", "{0} <= 0.5 * {1}", "{0} < 0", "{0} >= {1}",
                                       "{0} != {1}", "{0} == 0", "{0} > softmaxed"});
    std::string text = form;
    if (text.ends_with("softmaxed")) {
      std::string d = dim(*y);
      if (d.empty())
        return;
      text = fmt::format("{0} > softmax[{2}]({1})", x->name, y->name, d);
    } else {
      text = fmt::format(fmt::runtime(text), x->name, y->name);
    }
    std::string_view shape = form;
    bool both = shape.ends_with("softmaxed") || shape.find("{1}") != std::string_view::npos;
    bind(text, "bool", both ? joined(x->dims, y->dims) : x->dims, {x, y});
    return;
  }
  case 1: {
    Value *p = any(&Value::isBool), *q = any(&Value::isBool);
    if (!p || !q)
      return;
    const char *form = oneOf(numbers, {"{0} and {1}", "{0} or {1}", "not {0}", "{0} and not {1}"});
    std::string text = fmt::format(fmt::runtime(form), p->name, q->name);
    bind(text, "bool", text == "not " + p->name ? p->dims : joined(p->dims, q->dims), {p, q});
    return;
  }
  default: {
    Value *x = floats();
    if (!x || x->dims.empty())
      return;
    std::string p = dim(*x), q = dim(*x), text = maskText({p, q});
    Names over;
    for (const std::string &name : {p, q})
      if (text.find("index(" + name + ")") != std::string::npos)
        over = joined(over, {name});
    bind(text, "bool", over, {});
  }
  }
}

void Body::compareWholes() {
  Value *n = any(&Value::isWhole), *x = floats();
  if (!n || !x)
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  const char *form = oneOf(numbers, {"index({1}) < {0}", "index({1}) == {0}", "{0} > 1",
                                     "{0} != index({1})", "index({1}) * 3 >= {0} - 1"});
  if (std::string_view(form) == "{0} > 1" && n->element != "int" && dims.most(n->element) == 1)
    mayBe("E0609");
  if (n->element == "int" && n->dims.empty() && dims.most(d)) // perhaps known to be no position
    for (const char *error : {"E0310", "E0609"})
      mayBe(error);
  std::string text = fmt::format(fmt::runtime(form), n->name, d);
  bool both = text.find("index") != std::string::npos;
  bind(text, "bool", both ? joined(n->dims, {d}) : n->dims, {n});
}

/// Along dimensions that it lacks, whatever it holds.
void Body::widened() {
  Value *x = numbers.chance(0.4) ? any(&Value::isWhole) : nullptr, *y = floats();
  if (!x)
    x = &values[numbers.below(values.size())];
  Names more = y ? without(y->dims, x->dims) : Names();
  if (more.empty() || (causal && within({"s"}, more)))
    return;
  if (more.size() > 1 && numbers.chance(0.5))
    more.resize(1);
  const char *form =
      x->isBool() ? "expand[{0}]({1})"
      : x->isWhole()
          ? oneOf(numbers, {"expand[{0}]({1})", "expand[{0}]({1}) * 65537",
                            "expand[{0}]({1} + 2147483000)", "floor(expand[{0}]({1}) / 3)"})
          : oneOf(numbers, {"expand[{0}]({1})", "0.5 * expand[{0}]({1})"});
  Value *wide = bind(fmt::format(fmt::runtime(form), list(more), x->name),
                     x->isWhole() ? "int" : x->element, joined(x->dims, more), {x});
  if (!wide || !wide->isFloat() || !numbers.chance(0.3))
    return;
  // A product with what knows the wide one's dimensions only in part.
  std::string d = dim(*x, true), to = fresh(joined(x->dims, more));
  if (!d.empty() && !to.empty() && numbers.chance(0.5)) {
    if (Value *w = parameter({d, to}); w && dims.count(joined(wide->dims, {to})) <= 4 * whole.most)
      bind(fmt::format("sum[{}]({} * {})", d, wide->name, w->name), "",
           joined(without(wide->dims, {d}), {to}), {wide, w});
    return;
  }
  Value *z = floats({}, more); // summed over what only the wide one has
  Names all = z ? joined(wide->dims, z->dims) : Names();
  if (z && dims.count(all) <= 4 * whole.most)
    bind(fmt::format("sum[{}]({} * {})", list(more), wide->name, z->name), "", without(all, more),
         {wide, z});
}

void Body::choice() {
  Value *p = any(&Value::isBool), *x = floats();
  if (!x)
    return;
  std::string condition;
  Names over = x->dims;
  if (p && numbers.chance(0.7)) {
    condition = p->name;
    over = joined(over, p->dims);
  } else {
    condition = maskText(x->dims);
  }
  Value *y = floats();
  const char *form =
      oneOf(numbers, {"where({0}, {1}, 0)", "where({0}, {1}, 0.5 * {1})", "where({0}, {1}, -1)",
                      "where({0}, {1}, {2})", "where({0}, 0, {1})", "where({0}, 1, 0) * {1}",
                      "where(not ({0}), {2}, {1})"});
  std::string text = fmt::format(fmt::runtime(form), condition, x->name, y->name);
  if (std::string_view(form).find("{2}") != std::string_view::npos)
    over = joined(over, y->dims);
  if (Value *made = bind(text, "", over, {x}); made && p && condition == p->name)
    p->used = true;
}

} // namespace weft::hunter
