// The values that parameters start with. Depends on nothing else, so that compiler and program give
// the same ones.
#ifndef WEFT_RUNTIME_BASE_INITIALVALUES_H
#define WEFT_RUNTIME_BASE_INITIALVALUES_H

#include <cstdint>
#include <string_view>

namespace weft::runtime {

// `name` is the parameter's name in files, with the number of its layer ("layer.0.attn.q.weight"):
// the value at `index` (row-major within that tensor) depends on seed, name and index alone, so
// neither depth, threads nor stacking changes it. Index 4k..4k+3 share the Philox draw with counter
// (k, FNV-1a(name)) and key seed. `values` are those from the index `first` on, a multiple of 4:
// parts of a tensor can be filled apart.

/// Normal with mean 0 and this standard deviation: Box-Muller on pairs of draws u, v as sqrt(-2
/// ln((u+1)/2^32)) times cos and sin of 2 pi v/2^32, computed in double and rounded once.
void fillNormal(float *values, int64_t count, double deviation, uint64_t seed,
                std::string_view name, int64_t first = 0);

/// Normal with mean 0 and this standard deviation where that lies within two of them; what lies
/// beyond is drawn again, from the counter k + n 2^56 at the n-th time. The deviation of what comes
/// out is 0.8796 of the one given, and nothing makes up for it: so do TensorFlow's
/// `truncated_normal_initializer`, which BERT begins with, JAX's `truncated_normal` and timm's
/// `trunc_normal_tf_`. PyTorch's `trunc_normal_` is another: it cuts at -2 and 2 themselves.
void fillTruncatedNormal(float *values, int64_t count, double deviation, uint64_t seed,
                         std::string_view name, int64_t first = 0);

/// Uniform in [-halfWidth, halfWidth]: halfWidth * (2 (u+0.5)/2^32 - 1), computed in double and
/// rounded once.
void fillUniform(float *values, int64_t count, double halfWidth, uint64_t seed,
                 std::string_view name, int64_t first = 0);

} // namespace weft::runtime
#endif
