// The limit that products of matrices run against: multiply-adds that wait for nothing.
#include "Peak.h"

namespace weft::bench {

constexpr int chains = 12;

double peakWork(cpu::Isa isa, int64_t count) {
  return 2.0 * chains * cpu::lanes(isa) * double(count);
}

// Written in assembly: compilers put an array of accumulators on the stack.
void runPeak(cpu::Isa isa, int64_t count) {
  if (isa == cpu::Isa::avx512)
    asm volatile("vxorps %%zmm12, %%zmm12, %%zmm12\n"
                 "1:\n"
                 "vfmadd231ps %%zmm12, %%zmm12, %%zmm0\n vfmadd231ps %%zmm12, %%zmm12, %%zmm1\n"
                 "vfmadd231ps %%zmm12, %%zmm12, %%zmm2\n vfmadd231ps %%zmm12, %%zmm12, %%zmm3\n"
                 "vfmadd231ps %%zmm12, %%zmm12, %%zmm4\n vfmadd231ps %%zmm12, %%zmm12, %%zmm5\n"
                 "vfmadd231ps %%zmm12, %%zmm12, %%zmm6\n vfmadd231ps %%zmm12, %%zmm12, %%zmm7\n"
                 "vfmadd231ps %%zmm12, %%zmm12, %%zmm8\n vfmadd231ps %%zmm12, %%zmm12, %%zmm9\n"
                 "vfmadd231ps %%zmm12, %%zmm12, %%zmm10\n vfmadd231ps %%zmm12, %%zmm12, %%zmm11\n"
                 "dec %0\n jnz 1b\n vzeroupper\n"
                 : "+r"(count)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "cc");
  else
    asm volatile("vxorps %%ymm12, %%ymm12, %%ymm12\n"
                 "1:\n"
                 "vfmadd231ps %%ymm12, %%ymm12, %%ymm0\n vfmadd231ps %%ymm12, %%ymm12, %%ymm1\n"
                 "vfmadd231ps %%ymm12, %%ymm12, %%ymm2\n vfmadd231ps %%ymm12, %%ymm12, %%ymm3\n"
                 "vfmadd231ps %%ymm12, %%ymm12, %%ymm4\n vfmadd231ps %%ymm12, %%ymm12, %%ymm5\n"
                 "vfmadd231ps %%ymm12, %%ymm12, %%ymm6\n vfmadd231ps %%ymm12, %%ymm12, %%ymm7\n"
                 "vfmadd231ps %%ymm12, %%ymm12, %%ymm8\n vfmadd231ps %%ymm12, %%ymm12, %%ymm9\n"
                 "vfmadd231ps %%ymm12, %%ymm12, %%ymm10\n vfmadd231ps %%ymm12, %%ymm12, %%ymm11\n"
                 "dec %0\n jnz 1b\n vzeroupper\n"
                 : "+r"(count)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
                   "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "cc");
}

} // namespace weft::bench
