// A module that is being written for one instruction set of the CPU.
#ifndef WEFT_CODEGEN_CPU_BASE_ISAEMISSION_H
#define WEFT_CODEGEN_CPU_BASE_ISAEMISSION_H

#include "codegen/cpu/base/SegmentedMath.h"
#include "codegen/emit/Emission.h"
#include "ir/cpu/Machine.h"

namespace weft::cpu {

using namespace weft::kernel;
using namespace weft::emit;

/// The `target-cpu` and `target-features` that LLVM gets for a function of this set.
llvm::StringRef processor(Isa isa);
llvm::StringRef features(Isa isa);

struct IsaEmission : Emission {
  Isa isa;

  IsaEmission(llvm::Module &module, Isa isa, const DimTable &dims)
      : Emission(module, cpu::lanes(isa), dims), isa(isa) {
    if (isa == Isa::avx512_bf16)
      pairProducts = PairProducts::words;
    if (isa == Isa::amx)
      pairProducts = PairProducts::tiles;
    if (isa != Isa::x86_64_v3)
      own = segmentedFunction;
  }
  llvm::Function *function(llvm::StringRef name, llvm::FunctionType *type) override;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_BASE_ISAEMISSION_H
