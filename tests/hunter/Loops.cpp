// Statements around statements: repeat, if, blocks in blocks, states, random numbers.
#include "Body.h"

#include <fmt/format.h>

namespace weft::hunter {

void Body::loop() {
  Value *x = floats();
  if (!x || nesting > 3 || !fits(x->dims))
    return;
  std::string layer = oneOf(numbers, {"n", "n", "n", "two", "one"});
  if (within({layer}, around)) // in a loop of that name
    layer = layer == "n" ? oneOf(numbers, {"two", "one"}) : "n";
  if (x->has(layer) || within({layer}, around) || around.size() > 1)
    return;
  // Variables that the loop carries: they are bound before it, and change places in it.
  unsigned count = 1 + numbers.below(3);
  std::vector<std::string> carried;
  std::vector<Names> shapes;
  Names shape = x->dims;
  for (unsigned i = 0; i < count; ++i) {
    Value *y = i == 0 ? x : floats();
    if (!y || y->has(layer))
      y = x;
    if (numbers.chance(0.7) && within(y->dims, shape) && within(shape, y->dims))
      y = floats(shape);
    if (!y || y->has(layer) || !fits(y->dims))
      return;
    carried.push_back(name("y"));
    shapes.push_back(y->dims);
    y->used = true;
    line(carried.back() + " = " +
         fmt::format(fmt::runtime(oneOf(numbers, {"{} * 1.0", "tanh({})", "0.5 * {}", "{}"})),
                     y->name));
  }
  Body inner(whole, nesting + 1, parameters);
  inner.indent = indent + "  ";
  inner.around = joined(around, {layer});
  inner.causal = causal;
  for (size_t i = 0; i < values.size(); ++i) // sooner what is near
    if (!values[i].has(layer) &&
        numbers.chance(!values[i].isFloat() || i + 4 > values.size() ? 0.6 : 0.3))
      inner.add(values[i]);
  size_t outside = inner.values.size();
  std::vector<Value> made;
  for (size_t i = 0; i < carried.size(); ++i)
    inner.add({carried[i], "", shapes[i]});
  // What the first becomes may be known before the others have read what it was.
  std::string early;
  if (carried.size() > 1 && numbers.chance(0.4)) {
    std::vector<std::string> same;
    for (size_t j = 0; j < carried.size(); ++j)
      if (within(shapes[j], shapes[0]) && within(shapes[0], shapes[j]))
        same.push_back(carried[j]);
    early = name("z");
    inner.line(
        fmt::format("{} = 0.7 * {} + 0.3 * tanh({})", early, carried[0], one(numbers, same)));
  }
  // Two maps of the second, beside the first, are what both become.
  std::vector<std::string> maps;
  inner.values.reserve(inner.values.size() + 600);
  if (early.empty() && carried.size() > 1 && numbers.chance(0.25) && within(shapes[1], shapes[0]) &&
      within(shapes[0], shapes[1]))
    maps = inner.twoMaps(&inner.values[inner.values.size() - carried.size() + 1],
                         &inner.values[inner.values.size() - carried.size()]);
  size_t before = inner.values.size();
  if (!early.empty() && numbers.chance(0.3))
    inner.loop();
  inner.grow(1 + numbers.below(4));
  if (numbers.chance(0.12))
    inner.drawn();
  if (around.empty() && numbers.chance(0.25))
    inner.loopOfItsOwn(outside);
  if (numbers.chance(0.4))
    inner.alongPasses();
  for (size_t i = before; i < inner.values.size(); ++i)
    made.push_back(inner.values[i]);
  // Each carried variable becomes something of its own shape: itself, another, or what was made.
  std::vector<std::string> next;
  for (size_t i = 0; i < carried.size(); ++i) {
    std::vector<std::string> same, smaller;
    for (size_t j = 0; j < carried.size(); ++j)
      if (within(shapes[j], shapes[i]) && within(shapes[i], shapes[j]))
        same.push_back(carried[j]);
    for (const Value &value : made)
      if (value.isFloat() && within(value.dims, shapes[i]))
        smaller.push_back(value.name);
    std::string y = one(numbers, same), whole;
    for (const Value &value : made)
      if (value.isFloat() && within(value.dims, shapes[i]) && within(shapes[i], value.dims))
        whole = numbers.chance(0.6) ? value.name : whole;
    std::vector<std::string> outer; // of the loop around this one, sooner what that carries
    for (size_t j = values.size() - std::min<size_t>(values.size(), 5); j < values.size(); ++j)
      if (values[j].isFloat() && within(values[j].dims, shapes[i]))
        outer.push_back(values[j].name);
    if (i < maps.size()) {
      y = maps[i];
    } else if (!around.empty() && !outer.empty() && numbers.chance(0.4)) {
      y = fmt::format("{} + 0.5 * tanh({})", y, one(numbers, outer));
    } else if (i == 0 && !early.empty()) {
      y = early;
    } else if (std::string d = inner.dim({"", "", shapes[i]}); !d.empty() && numbers.chance(0.2)) {
      // What the pass before left elsewhere: it is read before this pass writes there.
      Names others = without(shapes[i], {d});
      y = numbers.chance(0.6) ? carried[i] : y;
      std::string at = numbers.chance(0.35) ? inner.someIndex(d, others)
                       : others.empty()
                           ? fmt::format("clamp[{0}](size({0}) - 2)", d)
                           : fmt::format("clamp[{}](2 * index({}))", d, one(numbers, others));
      y = fmt::format(fmt::runtime(oneOf(numbers, {"0.5 * {0} - 0.5 * {0}[{1} = {2}]",
                                                   "tanh({0} - {0}[{1} = {2}])",
                                                   "max({0}, 0.7 * {0}[{1} = {2}])"})),
                      y, d, at);
    } else if (!whole.empty() && numbers.chance(0.3)) {
      y = whole;
    } else if (!smaller.empty() && numbers.chance(0.75)) {
      std::string by =
          smaller[smaller.size() - 1 - numbers.below(std::min<size_t>(smaller.size(), 2))];
      y = fmt::format(fmt::runtime(oneOf(numbers, {"{0} + 0.5 * tanh({1})", "{0} + tanh({1})",
                                                   "0.5 * {0} - relu(tanh({1}))"})),
                      y, by);
    } else if (numbers.chance(0.3)) {
      y = fmt::format(fmt::runtime(oneOf(numbers, {"tanh({0})", "0.7 * {0}", "{0} + 0.1"})), y);
    }
    next.push_back(y);
  }
  line("repeat[" + layer + "] {");
  lines.insert(lines.end(), inner.lines.begin(), inner.lines.end());
  if (numbers.chance(0.5)) { // all at once, by way of names of their own
    for (size_t i = 0; i < carried.size(); ++i) {
      std::string temporary = name("z");
      inner.line(temporary + " = " + next[i]);
      lines.push_back(inner.lines.back());
      next[i] = temporary;
    }
  }
  for (size_t i = 0; i < carried.size(); ++i)
    line("  " + carried[i] + " = " + next[i]);
  line("}");
  values.reserve(values.size() + 64);
  for (size_t i = 0; i < carried.size(); ++i)
    values.push_back({carried[i], "", shapes[i]});
  made.insert(made.end(), inner.passes.begin(), inner.passes.end());
  for (Value &value : made)
    if (Names over = joined({layer}, value.dims); fits(over) && !value.has(layer))
      passes.push_back({layer + "." + value.name, value.element, over});
}

/// Values along the dimension that the loop around runs along: each pass has those of all.
void Body::alongPasses() {
  std::string layer = around.back();
  Value *x = floats({}, {layer}), *y = floats({}, {layer});
  if (!x || !y || !fits(joined(joined(x->dims, y->dims), {layer})))
    return;
  x->used = y->used = true;
  Names both = joined(x->dims, y->dims);
  std::string wide = name("x"), from = x->name, beside = y->name;
  line(wide + " = " +
       fmt::format(fmt::runtime(oneOf(numbers, {"softmax[{1}](tanh({0}) * (index({1}) + 1))",
                                                "tanh({0} * (index({1}) + 1))",
                                                "cumsum[{1}](tanh({0}) * index({1}))"})),
                   from, layer));
  bind(fmt::format(
           fmt::runtime(oneOf(numbers, {"sum[{0}]({1} * {2})", "sum[{0}](tanh({1}) * {2})",
                                        "sum[{0}](tanh({1} * {2}) * {1})", "max[{0}]({1} * {2})"})),
           layer, wide, beside),
       "", both, {});
}

/// A small loop in a loop: of what was there before that, the first `outside` values, so that each
/// pass around it has the same unless it draws numbers, or of what the pass has; beside it perhaps
/// a second variable that nobody reads behind it.
void Body::loopOfItsOwn(size_t outside) {
  size_t among = numbers.chance(0.6) ? outside : values.size();
  std::string layer = oneOf(numbers, {"two", "two", "n", "one"});
  if (among == 0 || within({layer}, around))
    return;
  const Value x = values[numbers.below(among)], second = values[numbers.below(values.size())];
  if (!x.isFloat() || x.has(layer))
    return;
  bool isUnread = second.isFloat() && !second.has(layer) && numbers.chance(0.5);
  std::string y = name("y"), z = name("y");
  line(y + " = " + x.name);
  if (isUnread)
    line(z + " = " + second.name);
  line("repeat[" + layer + "] {");
  const char *form = oneOf(numbers, {"dropout({0}, 0.3)", "{0} + 0.1 * random({0})",
                                     "tanh({0}) + 0.1 * random({0})", "2 * tanh({0})", "2 * {0}"});
  std::string_view drawn = form;
  if (causal && (drawn.starts_with("dropout") || drawn.ends_with("random({0})")))
    mayBe("E0510");
  line("  " + y + " = " + fmt::format(fmt::runtime(form), y));
  std::string d = dim(second);
  if (isUnread)
    line(fmt::format("  {0} = {0} - tanh({1})", z, d.empty() ? z : "max[" + d + "](" + z + ")"));
  line("}");
  add({y, "", x.dims});
}

/// What a loop left in each of its passes.
void Body::stacked() {
  if (passes.empty() || !around.empty())
    return;
  const Value &value = one(numbers, passes);
  bind(value.name, value.element, value.dims, {});
}

void Body::branch() {
  Value *x = floats();
  if (!x)
    return;
  std::string condition;
  if (numbers.chance(0.5)) {
    if (whole.options.size() < 3)
      whole.options.push_back({name("o"), oneOf(numbers, {"true", "false", "2", "0.5"})});
    auto &[option, value] = one(numbers, whole.options);
    condition = value == "true" || value == "false" ? option : option + " > 1";
  } else {
    condition = oneOf(numbers, {"training", "not training", "1 < 2"});
  }
  std::string made = name("x");
  auto form = [&] {
    return fmt::format(
        fmt::runtime(oneOf(numbers, {"tanh({0})", "0.5 * {0}", "{0} + 1", "relu({0})", "{0}"})),
        x->name);
  };
  line("if " + condition + " { " + made + " = " + form() + " } else { " + made + " = " + form() +
       " }");
  x->used = true;
  values.push_back({made, "", x->dims});
}

/// A block of its own, with what is here as its arguments.
void Body::nested() {
  if (nesting > 2 || !parameters)
    return;
  Body inner(whole, nesting + 1, true);
  inner.around = around; // its parameters are of each pass too
  std::string arguments, given;
  unsigned count = 1 + numbers.below(3);
  std::vector<std::string> names;
  for (unsigned i = 0; i < count; ++i) {
    Value *x = i == 0 ? floats() : &values[numbers.below(values.size())];
    if (!x || std::find(names.begin(), names.end(), x->name) != names.end())
      continue;
    names.push_back(x->name);
    Names order = x->dims;
    if (order.size() > 1 && numbers.chance(0.3))
      std::swap(order[0], order[order.size() - 1]);
    std::string argument = name("a");
    arguments += (arguments.empty() ? "" : ", ") + argument + ": " + typeText(x->element, order);
    given += (given.empty() ? "" : ", ") + x->name;
    inner.add({argument, x->element, order});
    x->used = true;
  }
  inner.grow(2 + numbers.below(4));
  Value *result = inner.floats();
  if (!result || given.empty())
    return;
  Names order = result->dims;
  for (size_t i = 1; i < order.size(); ++i)
    std::swap(order[i], order[numbers.below(i + 1)]);
  std::string block = name("Block");
  whole.functions += fmt::format("block {}({}) -> {} {{\n{}  {}\n}}\n", block, arguments,
                                 typeText("", order), inner.text(), result->name);
  bind(fmt::format("{}({})", block, given), "", order, {});
}

void Body::drawn() {
  Value *x = floats();
  if (x && causal)
    mayBe("E0510"); // other numbers in every call
  if (x)
    bind(fmt::format(fmt::runtime(oneOf(numbers, {"random({0}) * {0}", "dropout({0}, 0.3)",
                                                  "where(random({0}) < 0.4, 0, {0})",
                                                  "{0} + 0.1 * random({0})"})),
                     x->name),
         "", x->dims, {x});
}

void Body::state() {
  Value *x = floats();
  if (!x || !parameters)
    return;
  Names kept;
  for (const std::string &name : x->dims)
    if (dims[name].fixed && !within({name}, around))
      kept.push_back(name);
  Names reduced = without(x->dims, kept);
  std::string made = name("q"), now = name("x");
  std::string mean =
      reduced.empty()
          ? x->name
          : fmt::format("mean[{}]({})", reduced.size() > 1 ? "(" + list(reduced) + ")" : reduced[0],
                        x->name);
  line(fmt::format("state {}: {} = {}", made, typeText("", kept),
                   oneOf(numbers, {"0", "1", "0.5"})));
  line(fmt::format("{0} = 0.9 * {0} + 0.1 * {1}", made, mean));
  line(fmt::format("{} = {} * {}", now, x->name, made));
  x->used = true;
  values.push_back({now, "", x->dims});
}

/// Functions with `..` and `?`, each written once.
void Body::called() {
  struct Function {
    const char *name, *text;
  };
  static constexpr Function functions[] = {
      {"centred", "fn centred[p](x: [.., p], scale = 0.5) -> [.., p] = scale * (x - mean[p](x))\n"},
      {"weighed", "fn weighed[p](x: [.., p], keep: bool[.., p?] = true) -> [..] = "
                  "sum[p](where(keep, x, 0) * softmax[p](x))\n"},
      {"twice", "fn twice(x: [..], act = tanh) -> [..] = act(act(x))\n"},
      {"spread", "fn spread[p](x: [.., p]) -> [..] {\n  top = max[p](x)\n  low = min[p](x)\n  top "
                 "- low\n}\n"},
      {"folded", "fn folded[p](x: [.., p]) -> [.., p] {\n  back = x[p = size(p) - 1 - index(p)]\n  "
                 "0.5 * (x + back)\n}\n"},
      {"mixed",
       "block mixed[p, q](x: [.., p], act = gelu) -> [.., p] {\n  wide = up: Linear[p, q](x)\n "
       " x + down: Project[q, p](act(wide))\n}\n"}};
  const Function &function = functions[numbers.below(std::size(functions))];
  Value *x = floats();
  std::string d = x ? dim(*x) : "";
  if (d.empty())
    return;
  std::string called = function.name, call;
  Names after = x->dims;
  if (called == "mixed") {
    std::string q = fresh(x->dims);
    if (!parameters || !dims[d].fixed || isLoop(d) || q.empty() || !fits(joined(x->dims, {q})))
      return;
    call = fmt::format("mixed[{}, {}]({}{})", d, q, x->name,
                       oneOf(numbers, {"", ", act = relu", ", act = silu"}));
  } else if (called == "twice") {
    call =
        fmt::format("twice({}{})", x->name, oneOf(numbers, {"", ", act = sigmoid", ", act = sin"}));
  } else {
    call = fmt::format("{}[{}]({})", called, d, x->name);
    if (called == "weighed")
      if (Value *p = any(&Value::isBool); p && within(p->dims, x->dims))
        call = fmt::format("weighed[{}]({}, keep = {})", d, x->name, p->name);
    if (called == "weighed" || called == "spread")
      after = without(after, {d});
  }
  if (whole.functions.find(function.text) == std::string::npos)
    whole.functions += function.text;
  bind(call, "", after, {x});
}

} // namespace weft::hunter
