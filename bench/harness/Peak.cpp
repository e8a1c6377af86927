// The limit that products of matrices run against: multiply-adds that wait for nothing.
#include "Peak.h"

#include "Measure.h"

namespace weft::bench {

constexpr int chains = 12;

// Written in assembly: compilers put an array of accumulators on the stack.
#define CHAIN(v, n) "vfmadd231ps %%" v "12, %%" v "12, %%" v #n "\n"
#define CHAINS(v)                                                                                  \
  asm volatile("vxorps %%" v "12, %%" v "12, %%" v "12\n"                                          \
               "1:\n" CHAIN(v, 0) CHAIN(v, 1) CHAIN(v, 2) CHAIN(v, 3) CHAIN(v, 4) CHAIN(v, 5)      \
                   CHAIN(v, 6) CHAIN(v, 7) CHAIN(v, 8) CHAIN(v, 9) CHAIN(v, 10)                    \
                       CHAIN(v, 11) "dec %0\n jnz 1b\n vzeroupper\n"                               \
               : "+r"(count)::"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",      \
                 "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "cc")

static void multiplyAdd(cpu::Isa isa, int64_t count) {
  if (isa == cpu::Isa::avx512)
    CHAINS("zmm");
  else
    CHAINS("ymm");
}

double multiplyAddRate(cpu::Isa isa, WeftPool &pool) {
  constexpr int64_t count = 2'000'000;
  double time = seconds([&] {
    pool.run(
        pool.threads(),
        [](void *isa, int64_t, int) { multiplyAdd(*static_cast<cpu::Isa *>(isa), count); }, &isa);
  });
  return 2.0 * chains * cpu::lanes(isa) * count * pool.threads() / time;
}

} // namespace weft::bench
