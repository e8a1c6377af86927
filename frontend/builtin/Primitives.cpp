// The table of primitives.
#include "frontend/builtin/Primitives.h"

#include <algorithm>

namespace weft {

static constexpr unsigned many = ~0u;

static constexpr Primitive table[] = {
    {"exp", Primitive::Kind::map, 0, 0, 1, 1, "exp(x)"},
    {"log", Primitive::Kind::map, 0, 0, 1, 1, "log(x)"},
    {"sqrt", Primitive::Kind::map, 0, 0, 1, 1, "sqrt(x)"},
    {"rsqrt", Primitive::Kind::map, 0, 0, 1, 1, "rsqrt(x)"},
    {"sin", Primitive::Kind::map, 0, 0, 1, 1, "sin(x)"},
    {"cos", Primitive::Kind::map, 0, 0, 1, 1, "cos(x)"},
    {"tanh", Primitive::Kind::map, 0, 0, 1, 1, "tanh(x)"},
    {"erf", Primitive::Kind::map, 0, 0, 1, 1, "erf(x)"},
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
};

const Primitive *findPrimitive(std::string_view name, bool withDims) {
  const Primitive *found = nullptr;
  for (const Primitive &primitive : table)
    if (primitive.name == name && (!found || (primitive.minDims > 0) == withDims))
      found = &primitive;
  return found;
}

std::vector<std::string> primitiveNames() {
  std::vector<std::string> names;
  for (const Primitive &primitive : table)
    if (std::find(names.begin(), names.end(), primitive.name) == names.end())
      names.emplace_back(primitive.name);
  return names;
}

bool isElementwise(const Primitive &primitive) {
  return primitive.kind == Primitive::Kind::map;
}

} // namespace weft
