// The limit that products of matrices run against.
#ifndef WEFT_BENCH_HARNESS_PEAK_H
#define WEFT_BENCH_HARNESS_PEAK_H

#include "codegen/cpu/base/IsaEmission.h"
#include "runtime/machine/Pool.h"

namespace weft::bench {

/// Floating point operations a second that all threads of the pool do together: float32
/// multiply-adds in registers that wait for nothing. Measured anew by each call, some milliseconds.
double multiplyAddRate(cpu::Isa isa, WeftPool &pool);

} // namespace weft::bench

#endif // WEFT_BENCH_HARNESS_PEAK_H
