// Statements that move elements: other names, picks, tables, joins, the best.
#include "Body.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::hunter {

static Names replaced(const Names &names, const std::string &old, const Names &by) {
  Names result;
  for (const std::string &name : names)
    if (name == old)
      result.insert(result.end(), by.begin(), by.end());
    else
      result.push_back(name);
  return result;
}

void Body::rename() {
  if (Value *x = numbers.chance(0.85) ? floats() : any(&Value::isBool))
    rename(x, /*merges=*/false);
}

/// `x` under other names; with two of its dimensions as one, if `merges` and there is such a one.
void Body::rename(Value *x, bool merges) {
  struct Way {
    std::string text;
    Names after;
  };
  std::vector<Way> ways;
  auto twins = [&](const std::string &a, const std::string &b) {
    if (!dims.has(a) || !dims.has(b))
      return;
    if (x->has(a) && !x->has(b))
      ways.push_back({"[" + a + " as " + b + "]", replaced(x->dims, a, {b})});
    if (x->has(a) && x->has(b))
      ways.push_back({fmt::format("[{0} as {2}, {1} as {0}][{2} as {1}]", a, b, a + "x"), {}});
  };
  for (const Dim &dim : dims.all())
    if (!dim.twin.empty()) {
      twins(dim.name, dim.twin);
      twins(dim.twin, dim.name);
    }
  auto split = [&](const std::string &whole, const std::string &a, const std::string &b) {
    if (!dims.has(whole) || !dims.has(a) || !dims.has(b))
      return;
    for (auto &[p, q] : {std::pair(a, b), {b, a}}) {
      if (x->has(whole) && !x->has(a) && !x->has(b))
        ways.push_back(
            {fmt::format("[{} as ({}, {})]", whole, p, q), replaced(x->dims, whole, {p, q})});
      if (x->has(a) && x->has(b) && !x->has(whole))
        ways.push_back({fmt::format("[({}, {}) as {}]", p, q, whole),
                        replaced(without(x->dims, {q}), p, {whole})});
    }
  };
  split("m", "h", "d");
  split("m2", "h", "d");
  split("bs", "b", "s");
  split("f", "two", "fh");
  split("s", "two", "sh");
  split("sd", "two", "s");
  // Two of other sizes in their places: as many positions, none where it was.
  if (x->has("h") && x->has("d") && !x->has("d2") && !x->has("h2"))
    ways.push_back({"[(h, d) as (d2, h2)]", replaced(without(x->dims, {"d"}), "h", {"d2", "h2"})});
  if (Names after = replaced(x->dims, "s", {"dd", "k"});
      dims.has("dd") && dims.has("sd") && dims.has("k") && x->has("s") && !x->has("dd") &&
      !x->has("k") && !x->has("sd") && fits(joined(x->dims, {"sd"})))
    ways.push_back({"", after});
  std::erase_if(ways, [](const Way &way) { return way.after.empty(); });
  auto isMerge = [&](const Way &way) { return way.after.size() < x->dims.size(); };
  if (merges && std::any_of(ways.begin(), ways.end(), isMerge))
    std::erase_if(ways, [&](const Way &way) { return !isMerge(way); });
  if (ways.empty())
    return;
  const Way &way = one(numbers, ways);
  std::string text = way.text.empty() ? fmt::format("expand[sd]({})[(s, sd) as (dd, k)]", x->name)
                                      : x->name + way.text;
  bind(text, x->element, way.after, {x});
}

void Body::pick() {
  Value *x = floats();
  if (!x || x->dims.empty())
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  Names rest = without(x->dims, {d});
  switch (numbers.below(6)) {
  case 0: { // a literal
    int64_t least = dims[d].sizes[0];
    for (int64_t size : dims[d].sizes)
      least = std::min(least, size);
    if (!dims[d].fixed && !numbers.chance(0.3))
      return;
    // Of what comes with the data, now and then one that is not there.
    int64_t at = !dims[d].fixed && numbers.chance(0.15) ? least + int64_t(numbers.below(2))
                                                        : int64_t(numbers.below(least));
    if (at >= dims.most(d).value_or(at + 1))
      mayBe("E0609");
    bind(fmt::format("{}[{} = {}]", x->name, d, at), "", rest, {x});
    return;
  }
  case 1: { // the same size, other places
    const char *index =
        oneOf(numbers, {"clamp[{0}](index({0}) - 1)", "clamp[{0}](index({0}) + 1)", "index({0})",
                        "clamp[{0}]((index({0}) + 2) % size({0}))", "(index({0}) + 2) % size({0})",
                        "size({0}) - 1 - index({0})", "floor(index({0}) / 2)",
                        "clamp[{0}](2 * index({0}) - 3)", "min(index({0}), 2)",
                        "clamp[{0}](index({0}) * 1000000007)"});
    std::string text = fmt::format(fmt::runtime(index), d);
    if (text.starts_with("min(") &&
        (!dims[d].fixed || dims[d].sizes[0] < 3 ||
         !dims[d].definition.ends_with(std::to_string(dims[d].sizes[0]))))
      return;
    bind(fmt::format("{}[{} = {}]", x->name, d, text), "", x->dims, {x});
    return;
  }
  case 2: { // by another dimension
    Value *y = floats();
    std::string e = y ? dim(*y) : "";
    if (e.empty() || x->has(e))
      return;
    bind(fmt::format(
             "{}[{} = clamp[{}]({})]", x->name, d, d,
             fmt::format(fmt::runtime(oneOf(numbers, {"index({0})", "2 * index({0}) + 1",
                                                      "index({0}) - 1", "size({0}) - index({0})"})),
                         e)),
         "", joined(rest, {e}), {x});
    return;
  }
  case 3: { // by what the data says
    Value *n = any(&Value::isWhole);
    if (!n || (n->has(d)))
      return;
    std::string index = n->element == d ? n->name : fmt::format("clamp[{}]({})", d, n->name);
    bind(fmt::format("{}[{} = {}]", x->name, d, index), "", joined(rest, n->dims), {x, n});
    return;
  }
  case 4: { // by what was computed
    Value *y = floats();
    std::string scale = oneOf(numbers, {"3 * {}", "size({1}) * sigmoid({0})", "10 * tanh({0})"});
    if (!y || y->has(d))
      return;
    std::string inside = fmt::format(fmt::runtime(scale), y->name, d);
    bind(fmt::format("{}[{} = clamp[{}](floor({}))]", x->name, d, d, inside), "",
         joined(rest, y->dims), {x, y});
    return;
  }
  default: { // a part
    for (const char *whole : {"tok", "fe", "mm"})
      if (x->has(whole)) {
        std::string w = whole;
        std::string part = w == "tok"  ? oneOf(numbers, {"one", "s"})
                           : w == "fe" ? oneOf(numbers, {"f", "e"})
                                       : oneOf(numbers, {"m", "m2"});
        if (!x->has(part))
          bind(fmt::format("{}[{} = {}]", x->name, w, part), "", replaced(x->dims, w, {part}), {x});
        return;
      }
  }
  }
}

/// A table of parameters, looked up; the same table may close the network.
void Body::table() {
  Value *n = any(&Value::isWhole);
  if (!n || !parameters)
    return;
  std::string over = n->element != "int" && dims[n->element].fixed ? n->element : fresh(n->dims);
  std::string to = over.empty() ? "" : fresh(joined(n->dims, {over}));
  if (to.empty() || n->has(over))
    return;
  Value *w = parameter(numbers.chance(0.5) ? Names{over, to} : Names{to, over});
  if (!w)
    return;
  std::string index = n->element == over ? n->name : fmt::format("clamp[{}]({})", over, n->name);
  Value *y =
      bind(fmt::format("{}[{} = {}]", w->name, over, index), "", joined({to}, n->dims), {n, w});
  if (y && numbers.chance(0.4))
    bind(fmt::format("sum[{}](tanh({}) * {})", to, y->name, w->name), "", joined(n->dims, {over}),
         {y, w});
}

void Body::join() {
  Value *x = floats();
  if (!x)
    return;
  if (numbers.chance(0.5)) { // along a new dimension
    std::string along = oneOf(numbers, {"two", "tri", "one"});
    if (x->has(along))
      return;
    std::vector<Value *> same;
    for (Value &value : values)
      if (value.isFloat() && within(value.dims, x->dims) && within(x->dims, value.dims))
        same.push_back(&value);
    unsigned count = along == "two" ? 2 : along == "tri" ? 3 : 1;
    std::string arguments;
    for (unsigned i = 0; i < count; ++i) {
      Value *y = i == 0 ? x : one(numbers, same);
      arguments +=
          (i ? ", " : "") +
          fmt::format(fmt::runtime(oneOf(numbers, {"{}", "{}", "2 * {}", "tanh({})"})), y->name);
      y->used = true;
    }
    bind(fmt::format("stack[{}]({})", along, arguments), "", joined(x->dims, {along}), {x});
    return;
  }
  struct Parts {
    const char *whole, *a, *b;
  };
  static constexpr Parts all[] = {{"tok", "one", "s"}, {"fe", "f", "e"}, {"mm", "m", "m2"}};
  for (unsigned i = 0, first = numbers.below(3); i < 3; ++i) {
    Parts parts = all[(first + i) % 3];
    if (!dims.has(parts.whole))
      continue;
    Value *a = floats({parts.a}, {parts.b, parts.whole}),
          *b = floats({parts.b}, {parts.a, parts.whole});
    // What is missing is learned.
    if (!a && (b || numbers.chance(0.5)))
      a = parameter({parts.a});
    if (!b && a && dims[parts.b].fixed)
      b = parameter({parts.b});
    if (!a || !b)
      continue;
    Names rest = joined(without(a->dims, {parts.a}), without(b->dims, {parts.b}));
    std::string left = a->name, right = b->name;
    for (const std::string &name : without(rest, a->dims))
      left = fmt::format("expand[{}]({})", name, left);
    for (const std::string &name : without(rest, b->dims))
      right = fmt::format("expand[{}]({})", name, right);
    bind(fmt::format("concat[{}]({}, {})", parts.whole, left, right), "",
         joined(rest, {parts.whole}), {a, b});
    return;
  }
}

void Body::best() {
  Value *x = floats();
  if (!x || x->dims.empty())
    return;
  std::string d = dim(*x);
  if (d.empty())
    return;
  Names rest = without(x->dims, {d});
  if (numbers.chance(0.5)) {
    // Many are equal: the first of them is meant.
    const char *of =
        oneOf(numbers, {"{}", "{}", "min({}, 0.2)", "relu({})", "floor({})", "max({}, 0.5)"});
    Value *n = bind(fmt::format("argmax[{}]({})", d, fmt::format(fmt::runtime(of), x->name)), d,
                    rest, {x});
    if (!n || numbers.chance(0.3))
      return;
    if (numbers.chance(0.5))
      bind(fmt::format("{0}[{1} = {2}]", x->name, d, n->name), "", rest, {x, n});
    else
      bind(fmt::format("sum[{1}](where(index({1}) == {2}, softmax[{1}]({0}), 0))", x->name, d,
                       n->name),
           "", rest, {x, n});
    return;
  }
  std::string count = oneOf(numbers, {"c", "c", "two", "tri"});
  if (x->has(count) || isLoop(count))
    return;
  // Now and then more than there are, of a size that comes with the data.
  int64_t least = *std::min_element(dims[d].sizes.begin(), dims[d].sizes.end());
  if (dims[count].sizes[0] > least && (dims[d].fixed || numbers.chance(0.4)))
    return;
  if (dims[count].sizes[0] > dims.most(d).value_or(dims[count].sizes[0]))
    mayBe("E0609");
  Names best = joined(rest, {count});
  Value *n = bind(fmt::format("top[{}, {}]({})", count, d, x->name), d, best, {x});
  if (!n)
    return;
  Value *y = bind(fmt::format("{}[{} = {}]", x->name, d, n->name), "", best, {x, n});
  if (y && numbers.chance(0.5))
    bind(fmt::format("sum[{1}](softmax[{1}]({0}) * {0})", y->name, count), "", rest, {y});
}

void Body::window() {
  if (dims.has("out"))
    if (Value *x = floats({"s"}, {"out", "tri"})) {
      Value *y = bind(fmt::format("{}[s = index(out) * 2 + index(tri)]", x->name), "",
                      joined(without(x->dims, {"s"}), {"out", "tri"}), {x});
      if (y && parameters)
        if (Value *w = parameter({"tri"}))
          bind(fmt::format("sum[tri]({} * {})", y->name, w->name), "", without(y->dims, {"tri"}),
               {y, w});
      return;
    }
  if (dims.has("sh") && numbers.chance(0.6))
    if (Value *x = floats({"s"}, {"sh"})) {
      const char *form = oneOf(numbers, {"{0}[s = 2 * index(sh)]", "{0}[s = index(sh)]",
                                         "{0}[s = 2 * index(sh)] + {0}[s = 2 * index(sh) + 1]"});
      bind(fmt::format(fmt::runtime(form), x->name), "", joined(without(x->dims, {"s"}), {"sh"}),
           {x});
      return;
    }
  if (dims.has("sm") && numbers.chance(0.5))
    if (Value *x = floats({"s"}, {"sm"})) {
      bind(fmt::format("{0}[s = index(sm) + 3]", x->name), "",
           joined(without(x->dims, {"s"}), {"sm"}), {x});
      return;
    }
  if (dims.has("sl"))
    if (Value *x = floats({"s"}, {"sl"})) {
      bind(fmt::format("{0}[s = index(sl) + 1] - {0}[s = index(sl)]", x->name), "",
           joined(without(x->dims, {"s"}), {"sl"}), {x});
      return;
    }
}

/// A table of positions, of which a sequence that is never longer has the first.
void Body::placed() {
  if (!dims["s"].definition.starts_with("<="))
    return;
  Value *x = floats({"s"}, {"place"}); // which says how many there are
  Value *table = floats({"place"}, {"s"});
  if (!x)
    return;
  if (!table && parameters)
    table = parameter(numbers.chance(0.5) ? Names{"place"} : Names{"place", "m"});
  if (!table)
    return;
  Value *there = bind(fmt::format("{}[place = index(s)]", table->name), "",
                      joined(without(table->dims, {"place"}), {"s"}), {table});
  if (there && within(there->dims, x->dims) && numbers.chance(0.7))
    bind(fmt::format("{} + {}", x->name, there->name), "", x->dims, {x, there});
}

} // namespace weft::hunter
