// The target `cpu`: LLVM IR  ==>  objects, one for each instruction set, and one that holds
// `weft_program`.
#include "codegen/Target.h"

#include "codegen/cpu/Optimize.h"
#include "codegen/host/Facts.h"
#include "codegen/host/LargeStack.h"
#include "codegen/host/LowerPlan.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Triple.h"

#include <deque>

using namespace llvm;
using mlir::failed;
using mlir::failure;

namespace weft {

namespace {
constexpr StringLiteral triple = "x86_64-unknown-linux-gnu";

std::unique_ptr<TargetMachine> machine() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  std::string problem;
  const llvm::Target *target = TargetRegistry::lookupTarget(Triple(triple), problem);
  if (!target)
    return nullptr;
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Standard; // kernels say fma where they mean it
  options.FunctionSections = true;
  options.DataSections = true;
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(Triple(triple), "x86-64-v3", "", options, Reloc::PIC_,
                                  std::nullopt, CodeGenOptLevel::Default));
}

mlir::FailureOr<EmittedCode> finish(Module &module, StringRef name, StringRef form,
                                    CodeEffort effort, TargetMachine &target) {
  std::string problem;
  raw_string_ostream stream(problem);
  if (verifyModule(module, &stream)) {
    errs() << "weft: internal error: invalid LLVM IR for " << name << ": " << problem << '\n';
    return failure();
  }
  if (effort == CodeEffort::full)
    cpu::optimize(module, target);
  else // not None: FastISel of LLVM 22 reads 16 bytes where a select takes a float from memory
    target.setOptLevel(CodeGenOptLevel::Less);
  EmittedCode code{name.str(), {}};
  raw_svector_ostream out(code.bytes);
  if (form == "llvm") {
    module.print(out, nullptr);
    return code;
  }
  legacy::PassManager passes;
  auto kind = form == objectForm ? CodeGenFileType::ObjectFile : CodeGenFileType::AssemblyFile;
  if (target.addPassesToEmitFile(passes, out, nullptr, kind))
    return failure();
  passes.run(module);
  return code;
}

mlir::FailureOr<std::vector<EmittedCode>> emitFor(mlir::ModuleOp plan, ArrayRef<cpu::Isa> isas,
                                                  StringRef form, CodeEffort effort) {
  if (!machine())
    return plan.emitError("this build of LLVM has no x86-64 target"), failure();
  kernel::DimTable dims = kernel::DimTable::of(plan);
  struct Work {
    LLVMContext context;
    std::unique_ptr<Module> module;
    std::unique_ptr<TargetMachine> target = machine();
    mlir::FailureOr<EmittedCode> code = failure();
  };
  std::deque<Work> works;
  auto add = [&](StringRef name, cpu::Isa isa,
                 function_ref<mlir::LogicalResult(cpu::IsaEmission &)> fill) {
    Work &work = works.emplace_back();
    work.module = std::make_unique<Module>(name, work.context);
    work.module->setTargetTriple(Triple(triple));
    work.module->setDataLayout(work.target->createDataLayout());
    cpu::IsaEmission emission{*work.module, isa, dims};
    return fill(emission);
  };
  for (cpu::Isa isa : isas)
    if (failed(add(cpu::isaName(isa), isa,
                   [&](cpu::IsaEmission &emission) { return lowerPlan(plan, emission); })))
      return failure();
  std::string json = factsAsJson(plan);
  (void)add("program", cpu::Isa::x86_64_v3, [&](cpu::IsaEmission &emission) {
    emitProgram(plan, json, isas, emission);
    return mlir::success();
  });
  // Modules know nothing of each other, so LLVM compiles them side by side.
  std::vector<std::function<void()>> each;
  for (Work &work : works)
    each.push_back([&work, form, effort] {
      work.code = finish(*work.module, work.module->getName(), form, effort, *work.target);
    });
  runOnLargeStacks(std::move(each));
  std::vector<EmittedCode> result;
  for (Work &work : works) {
    if (failed(work.code))
      return failure();
    result.push_back(std::move(*work.code));
  }
  return result;
}

class CpuTarget : public Target {
public:
  StringRef name() const override { return "cpu"; }
  ArrayRef<StringRef> passesLeftOut() const override { return {}; }
  ArrayRef<model::StorageType> storageTypes() const override {
    using model::StorageType;
    static constexpr StorageType types[] = {StorageType::float32, StorageType::int32,
                                            StorageType::byte, StorageType::bfloat16};
    return types;
  }
  ArrayRef<StringRef> instructionSets() const override {
    static const auto names =
        map_to_vector(cpu::machines(), [](const cpu::Machine &machine) { return machine.name; });
    return names;
  }
  ArrayRef<StringRef> texts() const override { return forms; }

  mlir::FailureOr<std::vector<EmittedCode>> emit(mlir::ModuleOp plan, StringRef form,
                                                 ArrayRef<std::string> wanted,
                                                 CodeEffort effort) const override {
    SmallVector<cpu::Isa> isas;
    for (const cpu::Machine &machine : cpu::machines())
      if (is_contained(wanted, machine.name))
        isas.push_back(machine.isa);
    return emitFor(plan, isas, form, effort);
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
