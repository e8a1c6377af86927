// The instruction sets that programs carry kernels for, and what a machine that runs one is like.
#ifndef WEFT_IR_CPU_MACHINE_H
#define WEFT_IR_CPU_MACHINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>

namespace weft::cpu {

/// An instruction set that programs carry kernels for; the numbers are those of runtime/Abi.h.
enum class Isa { x86_64_v3 = 0, avx512 = 1, avx512_bf16 = 2, amx = 3 };

/// What schedules are chosen by. A program runs on machines that nobody knows when it is built, so
/// these are typical of an instruction set; results depend on the schedule and never on the machine
/// that runs it.
struct Machine {
  Isa isa;
  llvm::StringRef name;            ///< "x86-64-v3", "avx512", "avx512-bf16", "amx"
  llvm::StringRef schedules;       ///< whose schedules it takes: that of the same registers
  int64_t lanes;                   ///< of float32 in a vector register
  int64_t registers;               ///< vector registers
  int64_t firstCache, secondCache; ///< bytes a core
  int64_t cores; ///< that should all have work, unless a module says another number
};

/// One for each instruction set, in the order of their numbers.
llvm::ArrayRef<Machine> machines();
const Machine &machineOf(Isa isa);

/// Those that have schedules of their own.
llvm::SmallVector<Machine> scheduledMachines();

/// "x86-64-v3", "avx512", "avx512-bf16", "amx".
llvm::StringRef isaName(Isa isa);
std::optional<Isa> isaNamed(llvm::StringRef name);
/// Lanes of float32 in a vector register: 8 or 16.
unsigned lanes(Isa isa);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_MACHINE_H
