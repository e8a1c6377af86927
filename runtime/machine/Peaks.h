// What this machine does at most: measured, since neither its clock nor who shares it is known.
#ifndef WEFT_RUNTIME_MACHINE_PEAKS_H
#define WEFT_RUNTIME_MACHINE_PEAKS_H

#include "runtime/base/Error.h"
#include "runtime/machine/Pool.h"

namespace weft::runtime {

/// Of all threads of a pool together.
struct Peaks {
  double flops = 0;     ///< float32 operations per second of fused multiply-adds, two each
  double pairFlops = 0; ///< the same of products of two terms of bfloat16; 0 if `isa` has none
  double bytesRead = 0; ///< per second, from memory that no cache holds

  double most() const { return flops > pairFlops ? flops : pairFlops; }
};

/// Operations per second of all threads together: fused multiply-adds, two operations each, of the
/// set's own kind (float32, or pairs of bfloat16), in registers that wait for nothing. Takes 15 to
/// 30 ms. `isa` as below.
double multiplyAddRate(Pool &pool, int isa);

/// Takes less than half a second, and 128 MB for each thread meanwhile. `isa`: the vectors that
/// are multiplied; portable code's are those of any x86-64. Error: no memory.
Result<Peaks> measurePeaks(Pool &pool, int isa);

} // namespace weft::runtime
#endif
