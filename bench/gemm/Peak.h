// The limit that products of matrices run against.
#ifndef WEFT_BENCH_GEMM_PEAK_H
#define WEFT_BENCH_GEMM_PEAK_H

#include "codegen/cpu/Emission.h"

namespace weft::bench {

/// Floating point operations of `count` rounds of independent float32 multiply-adds in registers.
/// make.
double peakWork(cpu::Isa isa, int64_t count);
/// Does them.
void runPeak(cpu::Isa isa, int64_t count);

} // namespace weft::bench

#endif // WEFT_BENCH_GEMM_PEAK_H
