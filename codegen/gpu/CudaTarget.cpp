// The targets `cuda`, whose kernels are PTX for NVIDIA's GPUs, and `cuda-emulated`, which runs the
// same kernels on this machine.
#include "codegen/Target.h"

#include "codegen/gpu/Emulate.h"
#include "codegen/gpu/Entries.h"
#include "codegen/gpu/Ptx.h"
#include "codegen/gpu/Services.h"
#include "codegen/host/Facts.h"
#include "codegen/host/HostEmission.h"
#include "codegen/host/NativeCode.h"
#include "codegen/host/ProgramSymbol.h"
#include "runtime/Abi.h"

#include "llvm/IR/Verifier.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;

namespace weft {

namespace {

constexpr StringRef leftOut[] = {"weft-pack-operands"};

/// What makes a planned module's code, on the way from its kernels to objects and texts.
struct Making {
  mlir::ModuleOp plan;
  kernel::DimTable dims = kernel::DimTable::of(plan);
  bool emulated;
  NativeModule host{"program"};
  Constant *services = nullptr;

  /// The kernels for a device in `module`, optimized; and the entries in the host's.
  mlir::LogicalResult lower(const cuda::Device &device, Module &module, TargetMachine &machine,
                            StringRef table) {
    module.setTargetTriple(machine.getTargetTriple());
    module.setDataLayout(machine.createDataLayout());
    gpu::DeviceEmission forDevice(module, dims, device);
    HostEmission forHost(*host.module, dims);
    if (failed(gpu::lowerPlan(plan, table, emulated, {forDevice, forHost})))
      return failure();
    services = gpu::emitServices(forDevice, *host.module, emulated);
    std::string problem;
    raw_string_ostream stream(problem);
    if (verifyModule(module, &stream))
      return plan.emitError("internal error: invalid LLVM IR for ")
             << device.name << ": " << problem;
    gpu::optimize(module, machine);
    return mlir::success();
  }
};

std::string tableOf(const cuda::Device &device, bool emulated = false) {
  return ("weft_code_" + StringRef(emulated ? "emulated_" : "") + device.name).str();
}

mlir::FailureOr<std::unique_ptr<TargetMachine>> machineFor(mlir::ModuleOp plan,
                                                           const cuda::Device &device) {
  auto machine = gpu::machineOf(device.name);
  if (!machine)
    return plan.emitError(toString(machine.takeError())), failure();
  return std::move(*machine);
}

class CudaTarget : public Target {
public:
  StringRef name() const override { return "cuda"; }
  ArrayRef<StringRef> passesLeftOut() const override { return leftOut; }
  StringRef schedules() const override { return "cuda"; }
  ArrayRef<model::StorageType> storageTypes() const override { return allStorageTypes; }
  ArrayRef<StringRef> instructionSets() const override {
    static const auto names =
        map_to_vector(cuda::devices(), [](const cuda::Device &device) { return device.name; });
    return names;
  }
  ArrayRef<StringRef> texts() const override { return forms; }

  mlir::FailureOr<std::vector<EmittedCode>> emit(mlir::ModuleOp plan, StringRef form,
                                                 ArrayRef<std::string> wanted, CodeEffort effort,
                                                 const ProgramSymbols &symbols) const override {
    Making making{.plan = plan, .emulated = false};
    std::vector<EmittedCode> texts;
    SmallVector<ImageText> images;
    for (const cuda::Device &device : reverse(cuda::devices())) { // the best first
      if (!is_contained(wanted, device.name))
        continue;
      auto machine = machineFor(plan, device);
      if (failed(machine))
        return failure();
      LLVMContext context;
      Module module(device.name, context);
      if (failed(making.lower(device, module, **machine, tableOf(device))))
        return failure();
      std::string ptx = gpu::ptxOf(module, **machine);
      if (form != objectForm)
        texts.push_back({device.name.str(), {ptx.begin(), ptx.end()}});
      images.push_back({std::move(ptx), device.capability, device.exact, tableOf(device)});
    }
    if (form != objectForm)
      return texts;
    emitProgram(plan, factsAsJson(plan), CodeTable{WEFT_ISA_CUDA, images.front().code, {}}, symbols,
                *making.host.module, {images, making.services});
    making.host.compile(form, effort);
    if (failed(making.host.code))
      return failure();
    return std::vector{std::move(*making.host.code)};
  }

  ArrayRef<StringRef> archives() const override { return linked; }

private:
  static constexpr StringRef forms[] = {"ptx"}, linked[] = {"weft_cuda"};
};

class EmulatedTarget : public Target {
public:
  StringRef name() const override { return "cuda-emulated"; }
  ArrayRef<StringRef> passesLeftOut() const override { return leftOut; }
  StringRef schedules() const override { return "cuda"; }
  ArrayRef<model::StorageType> storageTypes() const override { return allStorageTypes; }
  ArrayRef<StringRef> instructionSets() const override { return sets; }
  ArrayRef<StringRef> texts() const override { return {}; }

  mlir::FailureOr<std::vector<EmittedCode>> emit(mlir::ModuleOp plan, StringRef form,
                                                 ArrayRef<std::string>, CodeEffort effort,
                                                 const ProgramSymbols &symbols) const override {
    const cuda::Device &device = cuda::devices().front();
    auto machine = machineFor(plan, device);
    if (failed(machine))
      return failure();
    Making making{.plan = plan, .emulated = true};
    NativeModule kernels("kernels");
    if (failed(making.lower(device, *kernels.module, **machine, tableOf(device, true))))
      return failure();
    if (auto sites = gpu::emulate(*kernels.module, *kernels.machine); !sites)
      return plan.emitError(toString(sites.takeError())), failure();
    emitProgram(plan, factsAsJson(plan),
                CodeTable{WEFT_ISA_CUDA_EMULATED, tableOf(device, true), {}}, symbols,
                *making.host.module, {{}, making.services});
    std::vector<EmittedCode> result;
    for (NativeModule *each : {&kernels, &making.host}) {
      each->compile(form, effort);
      if (failed(each->code))
        return failure();
      result.push_back(std::move(*each->code));
    }
    return result;
  }

  ArrayRef<StringRef> archives() const override { return linked; }

private:
  static constexpr StringRef sets[] = {"cuda-emulated"}, linked[] = {"weft_emulator"};
};
} // namespace

const Target &cudaTarget() {
  static const CudaTarget target;
  return target;
}

const Target &emulatedTarget() {
  static const EmulatedTarget target;
  return target;
}

} // namespace weft
