// The instruction sets and their machines.
#include "ir/cpu/Machine.h"

#include "llvm/ADT/STLExtras.h"

namespace weft::cpu {

llvm::ArrayRef<Machine> machines() {
  // Caches: the smaller of what Intel and AMD give a core (Zen 3; Zen 5 and Sapphire Rapids).
  static constexpr Machine table[] = {
      {Isa::x86_64_v3, "x86-64-v3", "x86-64-v3", 8, 16, 32 << 10, 512 << 10, 32},
      {Isa::avx512, "avx512", "avx512", 16, 32, 48 << 10, 1 << 20, 32},
      {Isa::avx512_bf16, "avx512-bf16", "avx512", 16, 32, 48 << 10, 1 << 20, 32},
      {Isa::amx, "amx", "avx512", 16, 32, 48 << 10, 2 << 20, 32},
  };
  return table;
}

const Machine &machineOf(Isa isa) {
  return machines()[static_cast<unsigned>(isa)];
}

llvm::SmallVector<Machine> scheduledMachines() {
  llvm::SmallVector<Machine> result;
  llvm::copy_if(machines(), std::back_inserter(result),
                [](const Machine &each) { return each.name == each.schedules; });
  return result;
}

llvm::StringRef isaName(Isa isa) {
  return machineOf(isa).name;
}

std::optional<Isa> isaNamed(llvm::StringRef name) {
  const auto *at =
      llvm::find_if(machines(), [&](const Machine &each) { return each.name == name; });
  return at == machines().end() ? std::nullopt : std::optional(at->isa);
}

unsigned lanes(Isa isa) {
  return machineOf(isa).lanes;
}

} // namespace weft::cpu
