// Instruction sets by CPUID, and the state that the operating system saves by XGETBV.
#include "runtime/machine/Isa.h"

#include <cerrno>
#include <cpuid.h>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

using namespace weft::runtime;

const char *weft::runtime::isaName(int isa) {
  constexpr const char *names[WEFT_ISA_COUNT] = {"x86-64-v3", "avx512", "avx512-bf16",  "amx",
                                                 "portable",  "cuda",   "cuda-emulated"};
  return names[isa];
}

/// The register state that the operating system saves (XCR0); 0 where it saves none.
static uint64_t savedState() {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
    return 0;
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return static_cast<uint64_t>(high) << 32 | low;
}

/// AMX for bfloat16. Linux saves the data of tiles for processes that asked for it (arch_prctl,
/// ARCH_REQ_XCOMP_PERM), which is for all their threads, and refuses where signals have a stack
/// that has no room for it.
static std::string whyNoTiles(uint64_t saved) {
  constexpr uint64_t tileState = 0x60000;
  constexpr long requestPermission = 0x1023, tileData = 18;
  constexpr unsigned amxBf16 = 1u << 22, amxTile = 1u << 24;
  unsigned a, b, c, d;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & amxBf16) || !(d & amxTile))
    return "the processor has no AMX for bfloat16";
  if ((saved & tileState) != tileState)
    return "the processor has AMX, and the system does not save its tiles: that takes Linux 5.16";
  if (syscall(SYS_arch_prctl, requestPermission, tileData) != 0)
    return text("the processor has AMX, and Linux does not let this process use it (arch_prctl, "
                "ARCH_REQ_XCOMP_PERM): %s",
                errno == ENOSPC ? "a thread has a stack for signals (sigaltstack) without room for "
                                  "what tiles hold"
                                : strerror(errno));
  return "";
}

std::string weft::runtime::whyNot(int isa) {
  if (isa == WEFT_ISA_PORTABLE)
    return "";
  unsigned a, b, c, d;
  constexpr uint64_t avxState = 0x6, avx512State = 0xe6;
  uint64_t saved = savedState();
  constexpr unsigned leaf1 = bit_AVX | bit_FMA | bit_F16C | bit_MOVBE | bit_POPCNT | bit_SSE4_2;
  constexpr unsigned leaf7 = bit_AVX2 | bit_BMI | bit_BMI2;
  if ((saved & avxState) != avxState || !__get_cpuid(1, &a, &b, &c, &d) || (c & leaf1) != leaf1 ||
      !__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & leaf7) != leaf7)
    return "the processor or the system has no AVX2 and FMA";
  // What launches kernels of devices, and emulates them, is for v3 too.
  if (isa != WEFT_ISA_AVX512 && isa != WEFT_ISA_AVX512_BF16 && isa != WEFT_ISA_AMX)
    return "";
  constexpr unsigned avx512 = bit_AVX512F | bit_AVX512VL | bit_AVX512DQ | bit_AVX512BW;
  if ((saved & avx512State) != avx512State || (b & avx512) != avx512)
    return "the processor or the system has no AVX-512 (F, VL, DQ, BW)";
  bool dots = __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & bit_AVX512BF16);
  if (isa == WEFT_ISA_AMX)
    return dots ? whyNoTiles(saved) : "the processor has no AVX512_BF16, which AMX goes with";
  return isa == WEFT_ISA_AVX512 || dots ? "" : "the processor has no AVX512_BF16";
}

bool weft::runtime::machineRuns(int isa) {
  return whyNot(isa).empty();
}

bool weft::runtime::machineGainsBy(int isa) {
  unsigned a, b, c, d;
  return isa != WEFT_ISA_AVX512_BF16 || (__get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx &&
                                         c == signature_AMD_ecx && d == signature_AMD_edx);
}

/// What the program was built for, the best first: "amx, avx512, x86-64-v3"; `why` adds, in
/// brackets, what this machine lacks for each.
static std::string setsOf(const WeftProgram &program, bool why) {
  std::string all;
  for (int isa = WEFT_ISA_COUNT - 1; isa >= 0; --isa) {
    if (!program.code[isa])
      continue;
    all += (all.empty() ? "" : ", ") + std::string(isaName(isa));
    if (std::string lacks = why ? whyNot(isa) : ""; !lacks.empty())
      all += " (" + lacks + ")";
  }
  return all;
}

static Result<int> namedIsa(const WeftProgram &program, const char *wanted) {
  for (int isa = 0; isa < setsOfProcessors; ++isa) {
    if (strcmp(wanted, isaName(isa)) != 0)
      continue;
    if (!program.code[isa])
      return Error{Code::Usage, text("this program holds no %s kernels, only: %s", wanted,
                                     setsOf(program, /*why=*/false).c_str())};
    if (std::string why = whyNot(isa); !why.empty())
      return Error{Code::Usage, text("this machine does not run %s kernels: %s (--isa, WEFT_ISA)",
                                     wanted, why.c_str())};
    return isa;
  }
  return Error{Code::Usage, text("unknown instruction set `%s`; known are x86-64-v3, avx512, "
                                 "avx512-bf16, amx and portable",
                                 wanted)};
}

std::optional<int> weft::runtime::bestIsa(const WeftProgram &program, AboutIsa gains,
                                          AboutIsa runs) {
  for (int isa = setsOfProcessors - 1; isa >= 0; --isa)
    if (program.code[isa] && gains(isa) && runs(isa))
      return isa;
  for (int isa = 0; isa < setsOfProcessors; ++isa)
    if (program.code[isa] && runs(isa))
      return isa;
  return std::nullopt;
}

Result<int> weft::runtime::chooseIsa(const WeftProgram &program, const char *wanted) {
  if (wanted && *wanted)
    return namedIsa(program, wanted);
  if (std::optional<int> best = bestIsa(program, machineGainsBy, machineRuns))
    return *best;
  return Error{Code::Usage,
               text("this machine runs none of the program's kernels: %s. `weft build` "
                    "without --isa makes one for all that have AVX2 and FMA "
                    "(x86-64-v3, about 2013)",
                    setsOf(program, /*why=*/true).c_str())};
}
