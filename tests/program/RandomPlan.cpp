// Writes random modules whose plans are hard, as text.
#include "RandomPlan.h"

#include <algorithm>

namespace weft::test {
namespace {

std::string type(const std::string &dims) {
  return "!model.tensor<f32" + (dims.empty() ? "" : ", " + dims) + ">";
}

std::string joined(const std::string &first, const std::string &rest) {
  return first.empty() || rest.empty() ? first + rest : first + ", " + rest;
}

bool has(const std::string &dims, const std::string &dim) {
  return (", " + dims + ", ").find(", " + dim + ", ") != std::string::npos;
}

void append(std::string &list, const std::string &item) {
  list += (list.empty() ? "" : ", ") + item;
}

} // namespace

RandomPlan::RandomPlan(uint64_t seed, int entries) : random(seed), seed(seed) {
  const int64_t widths[] = {1, 5, 8, 16, 17}, rows[] = {1, 2, 7, 33, 150};
  extents["m"] = extents["f"] = widths[below(5)];
  extents["new"] = rows[below(5)];
  extents["known"] = 1 + below(3);
  extents["room"] = extents["new"] + extents["known"] + below(3);
  extents["layer"] = 1 + below(3);
  extents["step"] = 1 + below(3);
  for (const char *dim : {"new", "known", "room"})
    declarations += std::string("model.dim @") + dim + "\n";
  for (const char *dim : {"m", "f", "layer", "step"})
    declarations += std::string("model.dim @") + dim + " = <" + std::to_string(size(dim)) + ">\n";
  arguments = {
      {"x0", "new, m"}, {"x1", "new, m"},        {"x2", "new, f"},        {"x3", "m"},
      {"x4", "new"},    {"x5", "layer, new, m"}, {"c", "layer, room, m"}, {"t", "layer, m"}};
  for (int i = 0; i < entries; ++i)
    writeEntry(i);
  module = declarations + module;
}

void RandomPlan::writeEntry(int number) {
  body.clear();
  stacks.clear();
  successors.clear();
  values.clear();
  count = 0;
  usesCaches = false;
  wide = chance(40);
  for (size_t i = 0; i < 5; ++i)
    values.push_back({"%" + arguments[i].name, arguments[i].dims});
  stacks.push_back({"%x5", arguments[5].dims});
  int statements = (wide ? 10 : 3) + static_cast<int>(below(wide ? 20 : 8));
  for (int i = 0; i < statements; ++i)
    statement(0);
  for (int i = 0, most = wide ? 5 : 1; i < most && chance(40 + 40 * wide); ++i)
    writeState();
  std::string taken, types, returned;
  for (const Tensor &argument : arguments) {
    bool isCache = argument.name == "c" || argument.name == "t";
    if (!isCache || usesCaches)
      append(taken, "%" + argument.name + ": " + type(argument.dims) + " {model.name = \"" +
                        argument.name + "\"" +
                        (isCache ? ", model.cache = \"" + argument.name + "\"" : "") + "}");
  }
  std::string returnedTypes;
  auto result = [&](const Value &value, const std::string &attributes) {
    append(returned, value.name);
    append(returnedTypes, type(value.dims));
    append(types, type(value.dims) + " {" + attributes + "}");
  };
  int results = 1 + static_cast<int>(below(4));
  for (int i = 0; i < results; ++i)
    result(!stacks.empty() && chance(25) ? stacks[below(stacks.size())] : any(),
           "model.name = \"r" + std::to_string(i) + "\"");
  if (usesCaches) {
    result({rowsLeft, "layer, room, m"}, "model.name = \"c\", model.cache = \"c\"");
    result({totalLeft, "layer, m"}, "model.name = \"t\", model.cache = \"t\"");
  }
  std::string name = "run" + std::to_string(number);
  module += "func.func @" + name + "(" + taken + ") -> (" + types +
            ") attributes {model.entry = \"" + name + "\", model.kind = \"" +
            (wide ? "update" : "plain") + "\"} {\n" + body + "  return " + returned + " : " +
            returnedTypes + "\n}\n";
}

/// A state is written in its place, if nothing reads it any more: who reads it may come behind.
void RandomPlan::writeState() {
  std::string state = parameter("m", true), old = read(state, "m");
  give("m", "model.add " + old + ", " + of("m").name + " : " + type("m") + ", " + type("m"));
  line("model.assign @" + state + ", " + of("m").name + " : " + type("m"));
  if (wide)
    values.push_back({old, "m"});
  for (int64_t i = 0, end = wide ? below(3) : 0; i < end; ++i)
    statement(0);
}

void RandomPlan::statement(int depth) {
  int64_t kind = below(wide ? 77 : 100);
  if (wide && kind >= 45 && kind < 65)
    kind = 70; // a reduction sooner than a product
  if (kind < 15)
    map();
  else if (kind < 45)
    combine();
  else if (kind < 57)
    product();
  else if (kind < 65)
    twoProducts();
  else if (kind < 72)
    reduce();
  else if (kind < 77)
    rename();
  else if (depth < 2)
    loop(depth);
}

const RandomPlan::Value *RandomPlan::some(const std::string &dims) {
  std::vector<const Value *> found;
  for (const Value &value : values)
    if (value.dims == dims)
      found.push_back(&value);
  if (found.empty())
    return nullptr;
  bool late = !wide && chance(50);
  return late ? found.back() : found[below(static_cast<int64_t>(found.size()))];
}

const RandomPlan::Value &RandomPlan::any() {
  int64_t all = static_cast<int64_t>(values.size());
  if (wide)
    return values[below(all)];
  return values[chance(60) ? std::max<int64_t>(0, all - 1 - below(4)) : below(all)];
}

const RandomPlan::Value &RandomPlan::of(const std::string &dims) {
  return *some(dims); // every shape is an argument's
}

/// What the innermost loop carries, if it has any of this shape: its place is taken over by what a
/// pass hands on.
const RandomPlan::Value &RandomPlan::carriedOf(const std::string &dims) {
  std::vector<const Value *> found;
  for (const Value &value : values)
    if (value.dims == dims && value.name.starts_with("%c"))
      found.push_back(&value);
  return found.empty() ? of(dims) : *found[below(static_cast<int64_t>(found.size()))];
}

RandomPlan::Value RandomPlan::give(const std::string &dims, const std::string &op) {
  values.push_back({"%v" + std::to_string(count++), dims});
  line(values.back().name + " = " + op);
  return values.back();
}

void RandomPlan::map() {
  const Value from = any();
  const char *ops[] = {"neg", "tanh", "sin"};
  give(from.dims,
       std::string("model.") + ops[below(3)] + " " + from.name + " : " + type(from.dims));
}

/// Two values of one shape, or one with fewer dimensions; bounded, for loops repeat it.
void RandomPlan::combine() {
  const Value a = any(), b = any();
  bool inside = true;
  for (const std::string &dim : split(b.dims))
    inside &= has(a.dims, dim);
  const Value &second = inside ? b : a;
  const char *ops[] = {"add", "sub", "mul"};
  Value made = give(a.dims, std::string("model.") + ops[below(3)] + " " + a.name + ", " +
                                second.name + " : " + type(a.dims) + ", " + type(second.dims));
  if (chance(60))
    give(a.dims, "model.tanh " + made.name + " : " + type(a.dims));
}

/// A product, often with an epilogue that adds a value of its shape.
void RandomPlan::product() {
  const std::string from = chance(50) ? "m" : "f", to = chance(50) ? "m" : "f";
  if (from == to)
    return twoProducts();
  const Value x = of("new, " + from), rest = of("new, " + to);
  std::string w = read(parameter(from + ", " + to, false), from + ", " + to);
  Value made = give("new, " + to, "model.contract [\"" + from + "\"] " + x.name + ", " + w + " : " +
                                      type(x.dims) + ", " + type(from + ", " + to));
  if (chance(70))
    made = give(made.dims, "model.add " + made.name + ", " + rest.name + " : " + type(made.dims) +
                               ", " + type(rest.dims));
  if (chance(50))
    give(made.dims, "model.tanh " + made.name + " : " + type(made.dims));
}

/// Two products of one left side; what is added to them may be one value.
void RandomPlan::twoProducts() {
  const bool swapped = chance(50);
  const std::string from = swapped ? "f" : "m", to = swapped ? "m" : "f", shape = "new, " + to;
  const Value x = of("new, " + from);
  const Value first = chance(60) ? carriedOf(shape) : of(shape);
  const Value second = chance(60) ? first : of(shape);
  std::string made[2];
  for (std::string &each : made) {
    std::string w = read(parameter(from + ", " + to, false), from + ", " + to);
    each = give(shape, "model.contract [\"" + from + "\"] " + x.name + ", " + w + " : " +
                           type(x.dims) + ", " + type(from + ", " + to))
               .name;
  }
  successors[first.name] = "%v" + std::to_string(count);
  give(shape,
       "model.add " + made[0] + ", " + first.name + " : " + type(shape) + ", " + type(shape));
  give(shape,
       "model.sub " + made[1] + ", " + second.name + " : " + type(shape) + ", " + type(shape));
}

void RandomPlan::reduce() {
  const Value x = of("new, m");
  switch (below(4)) {
  case 0:
    give(x.dims, "model.softmax \"m\" " + x.name + " : " + type(x.dims));
    return;
  case 1:
    give("m", "model.reduce_max [\"new\"] " + x.name + " : " + type(x.dims));
    return;
  case 2:
    give("new", "model.reduce_max [\"m\"] " + x.name + " : " + type(x.dims));
    return;
  default:
    Value sum = give(x.dims, "model.cumsum \"new\" " + x.name + " : " + type(x.dims));
    give(x.dims, "model.sin " + sum.name + " : " + type(x.dims));
  }
}

void RandomPlan::rename() {
  const Value x = of(chance(50) ? "new, m" : "new, f");
  const std::string from = has(x.dims, "m") ? "m" : "f", to = from == "m" ? "f" : "m";
  give("new, " + to,
       "model.regroup " + x.name + " [\"" + from + "\"] as [\"" + to + "\"] : " + type(x.dims));
}

/// Carried values change places, stay, or come from outside; stacked ones are any.
void RandomPlan::loop(int depth) {
  const std::string dim =
      around.empty() ? (chance(60) ? "layer" : "step") : (around[0] == "layer" ? "step" : "layer");
  const std::vector<Value> before = values;
  const std::map<std::string, std::string> outside = std::move(successors);
  successors.clear();
  std::vector<Value> carried;
  std::string carry, slices;
  for (int64_t i = 0, end = 1 + below(4); i < end; ++i)
    carried.push_back(any());
  std::vector<Value> inside;
  for (const Value &value : carried) {
    inside.push_back({"%c" + std::to_string(count++), value.dims});
    append(carry, inside.back().name + " = " + value.name + " : " + type(value.dims));
  }
  auto slice = [&](const Value &whole) {
    Value piece{"%s" + std::to_string(count++), whole.dims.substr(dim.size() + 2)};
    append(slices, piece.name + " = " + whole.name + " : " + type(whole.dims));
    return piece;
  };
  std::vector<Value> wholes;
  for (const Value &stack : stacks)
    if (depth == 0 && split(stack.dims)[0] == dim && stack.dims.size() > dim.size() && chance(50))
      wholes.push_back(stack);
  for (const Value &whole : wholes)
    inside.push_back(slice(whole));
  const bool caches = depth == 0 && dim == "layer" && !usesCaches && chance(40);
  Value rows, total;
  if (caches) {
    usesCaches = true;
    rows = slice({"%c", "layer, room, m"});
    total = slice({"%t", "layer, m"});
  }
  const std::string outer = std::move(body);
  body.clear();
  indent += 2;
  around.push_back(dim);
  values.insert(values.end(), inside.begin(), inside.end());
  std::string state = dim == "layer" && depth == 0 && chance(30) ? parameter("m", true) : "";
  if (!state.empty())
    values.push_back({read(state, "m"), "m"});
  std::vector<std::string> left;
  if (caches)
    left = writeCaches(rows.name, total.name);
  for (int64_t i = 0, end = 1 + below(5); i < end; ++i)
    statement(depth + 1);
  if (!state.empty())
    line("model.assign @" + state + ", " + of("m").name + " : " + type("m"));
  std::string yielded, types, results;
  std::vector<Value> given;
  auto yield = [&](const std::string &name, const std::string &dims, const std::string &result) {
    append(yielded, name);
    append(types, type(dims));
    append(results, type(result));
    given.push_back({"", result});
  };
  std::map<std::string, size_t> late; // each shape's last values in turn, or any
  for (size_t i = 0; i < carried.size(); ++i) {
    const Value &value = carried[i];
    if (auto next = successors.find(inside[i].name); next != successors.end() && chance(60)) {
      yield(next->second, value.dims, value.dims);
      continue;
    }
    std::vector<Value> same;
    for (const Value &each : values)
      if (each.dims == value.dims)
        same.push_back(each);
    size_t back = late[value.dims]++;
    yield(chance(50) && back < same.size() ? same[same.size() - 1 - back].name
                                           : of(value.dims).name,
          value.dims, value.dims);
  }
  for (int64_t i = 0, end = depth == 0 ? below(3) : 0; i < end; ++i) {
    const Value value = any();
    yield(value.name, value.dims, joined(dim, value.dims));
  }
  size_t plain = given.size();
  if (caches) {
    yield(left[0], "room, m", "layer, room, m");
    yield(left[1], "m", "layer, m");
  }
  line("model.yield " + yielded + " : " + types);
  around.pop_back();
  indent -= 2;
  const std::string inner = std::move(body);
  body = outer;
  const std::string name = "%v" + std::to_string(count++);
  line(name + ":" + std::to_string(given.size()) + " = model.repeat \"" + dim +
       (chance(25) ? "\" reverse carry(" : "\" carry(") + carry + ")" +
       (slices.empty() ? "" : " slices(" + slices + ")") + " -> (" + results + ") {");
  body += inner;
  line("}");
  values = before;
  successors = outside;
  for (size_t i = 0; i < given.size(); ++i)
    given[i].name = name + "#" + std::to_string(i);
  values.insert(values.end(), given.begin(), given.begin() + static_cast<long>(carried.size()));
  stacks.insert(stacks.end(), given.begin() + static_cast<long>(carried.size()),
                given.begin() + static_cast<long>(plain));
  if (caches) {
    rowsLeft = given[plain].name;
    totalLeft = given[plain + 1].name;
  }
}

/// Rows go into a slice of one cache, which is read with them; what has been summed is carried in
/// the other.
std::vector<std::string> RandomPlan::writeCaches(const std::string &rows,
                                                 const std::string &total) {
  const Value made = of("new, m");
  std::string cache = "%k" + std::to_string(count++);
  line(cache + " = model.insert_part " + made.name + " into " + rows +
       " \"room\" as \"new\" at <known> : " + type("new, m") + ", " + type("room, m") + " -> " +
       type("room, m"));
  give("m", "model.reduce_max [\"room\"] " + cache + " : " + type("room, m"));
  Value sum = give("m", "model.sum [\"new\"] " + made.name + " : " + type("new, m"));
  Value next =
      give("m", "model.add " + sum.name + ", " + total + " : " + type("m") + ", " + type("m"));
  return {cache, next.name};
}

std::string RandomPlan::parameter(const std::string &dims, bool state) {
  std::string all, name = "p" + std::to_string(parameterCount++);
  for (const std::string &dim : around)
    all = joined(all, dim);
  all = joined(all, dims);
  declarations += "model.parameter @" + name + " : " + type(all) +
                  (around.empty() ? "" : " loops " + std::to_string(around.size())) +
                  (state ? " kind state" : "") + "\n";
  storages.push_back({name, all});
  return name;
}

std::string RandomPlan::read(const std::string &parameter, const std::string &dims) {
  std::string name = "%w" + std::to_string(count++);
  line(name + " = model.param @" + parameter + " : " + type(dims));
  return name;
}

} // namespace weft::test
