// The target `cpu`: LLVM IR  ==>  objects, one for each instruction set, and one that holds
// `weft_program`.
#include "codegen/Target.h"

#include "codegen/cpu/Entries.h"
#include "codegen/host/Facts.h"
#include "codegen/host/NativeCode.h"
#include "codegen/host/ProgramSymbol.h"
#include "ir/cpu/Schedules.h"
#include "ir/kernel/storage/PairProducts.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "runtime/Abi.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;
using mlir::WalkResult;

namespace weft {

namespace {
static_assert(unsigned(cpu::Isa::x86_64_v3) == WEFT_ISA_X86_64_V3 &&
              unsigned(cpu::Isa::avx512) == WEFT_ISA_AVX512 &&
              unsigned(cpu::Isa::avx512_bf16) == WEFT_ISA_AVX512_BF16 &&
              unsigned(cpu::Isa::amx) == WEFT_ISA_AMX);

mlir::FailureOr<LoweredCode> lowerFor(mlir::ModuleOp plan, ArrayRef<cpu::Isa> isas, StringRef form,
                                      CodeEffort effort, const ProgramSymbols &symbols) {
  if (!nativeMachine())
    return plan.emitError("this build of LLVM has no x86-64 target"), failure();
  kernel::DimTable dims = kernel::DimTable::of(plan);
  NativeModules modules;
  SmallVector<CodeTable> tables;
  for (cpu::Isa isa : isas) {
    NativeModule &native = modules.add(cpu::isaName(isa));
    cpu::IsaEmission emission{*native.module, isa, dims};
    if (failed(cpu::lowerPlan(plan, emission)))
      return failure();
    tables.push_back({unsigned(isa), cpu::codeTableName(isa), cpu::kernelTableName(isa)});
  }
  emitProgram(plan, factsAsJson(plan), tables, symbols, *modules.add("program").module);
  return modules.lowered(form, effort);
}

class CpuTarget : public Target {
public:
  StringRef name() const override { return "cpu"; }
  ArrayRef<StringRef> passesLeftOut() const override {
    static const StringRef leftOut[] = {"weft-pad-rows"}; // its kernels read at any address
    return leftOut;
  }
  StringRef schedules() const override { return "cpu"; }
  ArrayRef<model::StorageType> storageTypes() const override { return allStorageTypes; }
  ArrayRef<StringRef> instructionSets() const override {
    static const auto names =
        map_to_vector(cpu::machines(), [](const cpu::Machine &machine) { return machine.name; });
    return names;
  }
  /// Instructions that add up products of bfloat16 read panels of those, and an attention's keys.
  bool gainsBy(mlir::ModuleOp plan, StringRef set) const override {
    const bool tiles = set == cpu::isaName(cpu::Isa::amx);
    if (!tiles && set != cpu::isaName(cpu::Isa::avx512_bf16))
      return true;
    const kernel::DimTable dims = kernel::DimTable::of(plan);
    return plan
        .walk([&](kernel::FusedOp op) {
          bool gains = tiles ? cpu::multipliesByTiles({op, dims}, cpu::machineOf(cpu::Isa::amx))
                             : any_of(op.getLayoutsAttr(), kernel::isPaired) ||
                                   kernel::multipliesPairs(op) || kernel::multipliesScaledPairs(op);
          return gains ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }
  ArrayRef<StringRef> texts() const override { return forms; }

  mlir::FailureOr<LoweredCode> lower(mlir::ModuleOp plan, StringRef form,
                                     ArrayRef<std::string> wanted, CodeEffort effort,
                                     const ProgramSymbols &symbols) const override {
    SmallVector<cpu::Isa> isas;
    for (const cpu::Machine &machine : cpu::machines())
      if (is_contained(wanted, machine.name))
        isas.push_back(machine.isa);
    return lowerFor(plan, isas, form, effort, symbols);
  }

private:
  static constexpr StringRef forms[] = {"llvm", "asm"};
};
} // namespace

const Target &cpuTarget() {
  static const CpuTarget target;
  return target;
}

} // namespace weft
