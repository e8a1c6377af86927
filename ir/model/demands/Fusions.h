// What a program can demand, by name: each fusion once, as the checker, the passes, `weft explain`
// and docs/passes.md know it. No MLIR.
#ifndef WEFT_IR_MODEL_DEMANDS_FUSIONS_H
#define WEFT_IR_MODEL_DEMANDS_FUSIONS_H

#include <string_view>

namespace weft::model {

/// Several ops that become one, which `@require(NAME)` demands and `@forbid(NAME)` forbids.
struct Fusion {
  std::string_view name;
  std::string_view pass; ///< that does it, by its flag; remarks of it have the fusion's name
  std::string_view made; ///< what it makes: the op of the model dialect
  std::string_view what; ///< what becomes one, and what is saved by it
  std::string_view form; ///< how it is written so that it is found
};

inline constexpr Fusion fusions[] = {
    {"attention", "weft-form-attention", "model.attention",
     "scores, their softmax and its product with values: no score lies in memory, forwards or "
     "backwards",
     "`sum[key](softmax[key](sum[d](q * k)) * v)`, as `attend[query, key, d](q, k, v)` of the "
     "library"},
    {"softmax", "weft-form-softmax", "model.softmax",
     "a maximum, exponentials and their sum, with the mask: one pass over a row",
     "`softmax[d](x)` and `masked_softmax[d](x, mask)` of the library"},
    {"logsumexp", "weft-form-log-sum-exp", "model.logsumexp",
     "the logarithm of a sum of exponentials: no exponential lies in memory",
     "`logsumexp[d](x)` of the library"},
    {"normalize", "weft-form-normalize", "model.normalize",
     "mean, variance and what is divided by its root (LayerNorm, RMSNorm): one op, with one op as "
     "its gradient",
     "`(x - mean[d](x)) * rsqrt(variance[d](x) + eps)`, as `LayerNorm[d](x)` and `RMSNorm[d](x)` "
     "of the library"},
};

/// The fusion of that name, or null.
constexpr const Fusion *findFusion(std::string_view name) {
  for (const Fusion &fusion : fusions)
    if (fusion.name == name)
      return &fusion;
  return nullptr;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_DEMANDS_FUSIONS_H
