// How large numbers are.
#ifndef WEFT_RUNTIME_TRAINING_ARITHMETIC_MAGNITUDE_H
#define WEFT_RUNTIME_TRAINING_ARITHMETIC_MAGNITUDE_H

#include "runtime/machine/Pool.h"

namespace weft::runtime {

/// The largest |value|, by the pool's threads; NaN is larger than infinity. 0 of none.
float largestMagnitude(Pool &pool, const float *values, int64_t count);

} // namespace weft::runtime
#endif
