// Measuring what this machine does at most.
#include "runtime/machine/Peaks.h"

#include "runtime/Abi.h"
#include "runtime/base/Block.h"

#include <algorithm>
#include <chrono>
#include <emmintrin.h>

using namespace weft::runtime;

// Twelve sums hide the latency of a multiply-add where two begin in each cycle. Loops of assembly,
// since a compiler keeps an array of sums in memory, and since one file has all vectors.
#define TWELVE(OP) OP(0) OP(1) OP(2) OP(3) OP(4) OP(5) OP(6) OP(7) OP(8) OP(9) OP(10) OP(11)
#define CLOBBERED                                                                                  \
  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",         \
      "xmm11", "xmm12", "cc"
#define CLEAR256(n) "vxorps %%ymm" #n ", %%ymm" #n ", %%ymm" #n "\n"
#define STEP256(n) "vfmadd231ps %%ymm12, %%ymm12, %%ymm" #n "\n"
#define STEP512(n) "vfmadd231ps %%zmm12, %%zmm12, %%zmm" #n "\n"
#define CLEAR128(n) "xorps %%xmm" #n ", %%xmm" #n "\n"
#define STEPDOT(n) "vdpbf16ps %%zmm12, %%zmm12, %%zmm" #n "\n"
#define STEP128(n) "mulps %%xmm12, %%xmm" #n "\n addps %%xmm12, %%xmm" #n "\n"

/// The same of AMX: 16 rows of 32 terms by 16 columns, four times.
static double multiplyTiles(int64_t passes) {
  alignas(64) unsigned char shapes[64] = {1};
  for (int tile = 0; tile < 8; ++tile) {
    shapes[16 + 2 * tile] = 64;
    shapes[48 + tile] = 16;
  }
  constexpr double both = 2, products = 4 * 16 * 16 * 32;
  double all = both * products * static_cast<double>(passes);
  asm volatile("ldtilecfg %1\n 1:\n tdpbf16ps %%tmm6, %%tmm4, %%tmm0\n"
               "tdpbf16ps %%tmm7, %%tmm4, %%tmm1\n tdpbf16ps %%tmm6, %%tmm5, %%tmm2\n"
               "tdpbf16ps %%tmm7, %%tmm5, %%tmm3\n dec %0\n jnz 1b\n tilerelease\n"
               : "+r"(passes)
               : "m"(shapes)
               : "cc");
  return all;
}

/// Operations of `passes` passes, which it does. All numbers are 0: none is slow.
static double multiplyAdd(int64_t passes, int isa) {
  constexpr double sums = 12, both = 2;
  double all = both * sums * static_cast<double>(passes);
  if (isa == WEFT_ISA_AVX512) {
    asm volatile(TWELVE(CLEAR256)
                     CLEAR256(12) "1:\n" TWELVE(STEP512) "dec %0\n jnz 1b\n vzeroupper\n"
                 : "+r"(passes)::CLOBBERED);
    return all * 16;
  }
  if (isa == WEFT_ISA_AMX)
    return multiplyTiles(passes);
  if (isa == WEFT_ISA_AVX512_BF16) {
    asm volatile(TWELVE(CLEAR256)
                     CLEAR256(12) "1:\n" TWELVE(STEPDOT) "dec %0\n jnz 1b\n vzeroupper\n"
                 : "+r"(passes)::CLOBBERED);
    return all * 32;
  }
  if (isa == WEFT_ISA_X86_64_V3) {
    asm volatile(TWELVE(CLEAR256)
                     CLEAR256(12) "1:\n" TWELVE(STEP256) "dec %0\n jnz 1b\n vzeroupper\n"
                 : "+r"(passes)::CLOBBERED);
    return all * 8;
  }
  asm volatile(TWELVE(CLEAR128) CLEAR128(12) "1:\n" TWELVE(STEP128) "dec %0\n jnz 1b\n"
               : "+r"(passes)::CLOBBERED);
  return all * 4;
}

/// Brings all lines from memory, from four places at once: one alone does not bring all that memory
/// gives. Of each line a piece is read: with all of it in registers as small as these, a core asks
/// for the next ones too late (41 in place of 55 GB/s, two cores of a Zen 5). `bytes` is a multiple
/// of 256. Gives what nobody knows beforehand.
static float readAll(const char *from, int64_t bytes) {
  constexpr int64_t places = 4, line = 64;
  __m128 sums[places] = {};
  for (int64_t at = 0; at < bytes / places; at += line)
    for (int64_t place = 0; place < places; ++place)
      sums[place] = _mm_add_ps(sums[place], _mm_load_ps(reinterpret_cast<const float *>(
                                                from + place * (bytes / places) + at)));
  return _mm_cvtss_f32(_mm_add_ps(_mm_add_ps(sums[0], sums[1]), _mm_add_ps(sums[2], sums[3])));
}

/// Calls body(thread) on all threads of the pool, several times; seconds of the fastest.
template <class Body> static double fastest(Pool &pool, Body body) {
  using Clock = std::chrono::steady_clock;
  double least = 1e30;
  for (int i = 0; i < 6; ++i) {
    Clock::time_point start = Clock::now();
    pool.run(
        pool.threads(),
        [](void *context, int64_t chunk, int) { (*static_cast<Body *>(context))(chunk); }, &body);
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return least;
}

double weft::runtime::multiplyAddRate(Pool &pool, int isa) {
  constexpr int64_t ofVectors = 2'000'000;    // all six times take 15 to 30 ms
  constexpr int64_t ofTiles = ofVectors / 10; // of 16 cycles for a product, by Intel's manual
  const int64_t passes = isa == WEFT_ISA_AMX ? ofTiles : ofVectors;
  double each = multiplyAdd(1, isa) * static_cast<double>(passes);
  return pool.threads() * each / fastest(pool, [&](int64_t) { multiplyAdd(passes, isa); });
}

Result<Peaks> weft::runtime::measurePeaks(Pool &pool, int isa) {
  Peaks peaks;
  const double threads = pool.threads();
  const bool hasPairs = isa == WEFT_ISA_AVX512_BF16 || isa == WEFT_ISA_AMX;
  peaks.flops = multiplyAddRate(pool, hasPairs ? WEFT_ISA_AVX512 : isa);
  peaks.pairFlops = hasPairs ? multiplyAddRate(pool, isa) : 0;

  constexpr int64_t share = 128 << 20; // several times what a core has of the last cache
  Result<Block> block = Block::create(share * pool.threads(), "what reading is measured on",
                                      "use fewer threads", pool.nodes());
  if (!block)
    return block.error();
  char *memory = block->data();
  // Memory that nobody has written is one page of zeros, which stays in the first cache.
  fastest(pool, [memory](int64_t part) {
    for (int64_t at = 0; at < share; at += 4096)
      memory[part * share + at] = 1;
  });
  double seconds = fastest(pool, [memory](int64_t part) {
    float sum = readAll(memory + part * share, share);
    asm volatile("" ::"x"(sum)); // which is needed, for all that the compiler knows
  });
  peaks.bytesRead = threads * static_cast<double>(share) / seconds;
  return peaks;
}
