// Which instruction set's kernels run on this machine.
#ifndef WEFT_RUNTIME_MACHINE_ISA_H
#define WEFT_RUNTIME_MACHINE_ISA_H

#include "runtime/Abi.h"
#include "runtime/base/Error.h"

#include <optional>

namespace weft::runtime {

/// Those that a processor runs come first; the others are of devices.
inline constexpr int setsOfProcessors = WEFT_ISA_CUDA;

/// "x86-64-v3", "avx512", "avx512-bf16", "amx", "portable", "cuda" or "cuda-emulated"; the spelling
/// that WEFT_ISA and --isa take.
const char *isaName(int isa);

/// Why this processor and system do not run it; "" where they do. x86-64-v3 is AVX2, FMA, BMI2,
/// F16C; avx512 adds F, VL, DQ, BW, and to that avx512-bf16 BF16, and amx TILE and AMX's BF16.
/// Portable code always runs; of code for devices it is said whether the part of it that is for
/// this machine, which is for x86-64-v3, does.
///
/// Of amx nobody knows without asking Linux for its tiles, and what was granted stays: from then on
/// the process is refused stacks for signals (sigaltstack) that have no room for them. So ask of
/// amx only where it is to be run, or where there is nothing else.
std::string whyNot(int isa);
bool machineRuns(int isa);

/// Whether a program is faster by that set than by one before it. Dot products of bfloat16 have
/// twice the rate of f32 on AMD's processors (Zen 4, Zen 5) and half of it on Intel's (Sapphire
/// Rapids): both were measured. The maker decides, not a measurement: results depend on the set,
/// and are to be the same in every run. Products by AMX have four to eight times the rate of those
/// in f32 beside it (Sapphire Rapids).
bool machineGainsBy(int isa);

using AboutIsa = bool (*)(int isa);

/// The last of the program's sets that a machine gains by and runs. One that gains nothing is
/// better than none: then the first that it runs.
std::optional<int> bestIsa(const WeftProgram &program, AboutIsa gains, AboutIsa runs);

/// The best of the program's sets on this machine. `wanted` (nullptr or "": any) forces one.
/// Errors: an unknown name (Usage), a set the program or the machine lacks.
Result<int> chooseIsa(const WeftProgram &program, const char *wanted);

} // namespace weft::runtime
#endif
