// The primitives: what the compiler itself knows how to compute.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct Primitive {
  enum class Kind {
    map,       ///< `exp(x)`: a function of one float (ir/model/FloatFunctions.h)
    floor,     ///< `floor(x)`
    random,    ///< `random(x)`
    reduce,    ///< `sum[d](x)`; `max` and `min` with dimensions
    pair,      ///< `max(a, b)`, `min(a, b)`
    expand,    ///< `expand[d](x)`
    argmax,    ///< `argmax[d](x)`
    top,       ///< `top[k, d](x)`
    cumsum,    ///< `cumsum[d](x)`
    clamp,     ///< `clamp[d](x)`
    where,     ///< `where(condition, a, b)`
    stack,     ///< `stack[d](a, b, …)`
    concat,    ///< `concat[d](a, b, …)`
    dimension, ///< `index(d)`, `size(d)`
    initial,   ///< `normal(s)`, `uniform(s)`
  };
  std::string_view name;
  Kind kind;
  unsigned minDims, maxDims, minArgs, maxArgs;
  std::string form; ///< how a call looks
};

/// The primitive of that name, or null. `max` and `min` are two: with dimensions and without.
const Primitive *findPrimitive(std::string_view name, bool withDims);
/// Every name, once.
std::vector<std::string> primitiveNames();
/// Whether it may be passed where a function is asked for.
bool isElementwise(const Primitive &primitive);

} // namespace weft
