// The table of primitives.
#include "frontend/builtin/Primitives.h"

#include "ir/model/FloatFunctions.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft {

static constexpr unsigned many = ~0u;

static std::vector<Primitive> makeTable() {
  std::vector<Primitive> table;
  for (const model::FloatFunction &function : model::floatFunctions)
    table.push_back(
        {function.name, Primitive::Kind::map, 0, 0, 1, 1, fmt::format("{}(x)", function.name)});
  table.insert(
      table.end(),
      {
          {"floor", Primitive::Kind::floor, 0, 0, 1, 1, "floor(x)"},
          {"random", Primitive::Kind::random, 0, 0, 1, 1, "random(x)"},
          {"sum", Primitive::Kind::reduce, 1, many, 1, 1, "sum[d](x)"},
          {"max", Primitive::Kind::reduce, 1, many, 1, 1, "max[d](x)` or `max(a, b)"},
          {"min", Primitive::Kind::reduce, 1, many, 1, 1, "min[d](x)` or `min(a, b)"},
          {"max", Primitive::Kind::pair, 0, 0, 2, 2, "max(a, b)` or `max[d](x)"},
          {"min", Primitive::Kind::pair, 0, 0, 2, 2, "min(a, b)` or `min[d](x)"},
          {"expand", Primitive::Kind::expand, 1, many, 1, 1, "expand[d](x)"},
          {"argmax", Primitive::Kind::argmax, 1, 1, 1, 1, "argmax[d](x)"},
          {"top", Primitive::Kind::top, 2, 2, 1, 1, "top[k, d](x)"},
          {"cumsum", Primitive::Kind::cumsum, 1, 1, 1, 1, "cumsum[d](x)"},
          {"clamp", Primitive::Kind::clamp, 1, 1, 1, 1, "clamp[d](x)"},
          {"where", Primitive::Kind::where, 0, 0, 3, 3, "where(condition, a, b)"},
          {"stack", Primitive::Kind::stack, 1, 1, 1, many, "stack[d](a, b, ...)"},
          {"concat", Primitive::Kind::concat, 1, 1, 2, many, "concat[d](a, b, ...)"},
          {"index", Primitive::Kind::dimension, 0, 0, 1, 1, "index(d)"},
          {"size", Primitive::Kind::dimension, 0, 0, 1, 1, "size(d)"},
          {"normal", Primitive::Kind::initial, 0, 0, 0, 1, "normal(deviation)"},
          {"truncated_normal", Primitive::Kind::initial, 0, 0, 0, 1, "truncated_normal(deviation)"},
          {"uniform", Primitive::Kind::initial, 0, 0, 0, 1, "uniform(bound)"},
      });
  return table;
}

static const std::vector<Primitive> &table() {
  static const std::vector<Primitive> table = makeTable();
  return table;
}

const Primitive *findPrimitive(std::string_view name, bool withDims) {
  const Primitive *found = nullptr;
  for (const Primitive &primitive : table())
    if (primitive.name == name && (!found || (primitive.minDims > 0) == withDims))
      found = &primitive;
  return found;
}

std::vector<std::string> primitiveNames() {
  std::vector<std::string> names;
  for (const Primitive &primitive : table())
    if (std::find(names.begin(), names.end(), primitive.name) == names.end())
      names.emplace_back(primitive.name);
  return names;
}

bool isElementwise(const Primitive &primitive) {
  return primitive.kind == Primitive::Kind::map;
}

} // namespace weft
