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

#include <memory>

using namespace llvm;
using mlir::failed;
using mlir::failure;

namespace weft {

namespace {

constexpr StringRef leftOut[] = {"weft-pack-operands"};

/// What makes a planned module's code, on the way from its kernels to objects and texts.
struct Making {
  Making(mlir::ModuleOp plan, bool emulated) : plan(plan), emulated(emulated) {}

  mlir::ModuleOp plan;
  kernel::DimTable dims = kernel::DimTable::of(plan);
  bool emulated;
  NativeModules native;
  NativeModule &host = native.add("program");
  Constant *services = nullptr;

  /// The kernels for a device in `module`, and the entries in the host's.
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
    return mlir::success();
  }
};

/// The kernels for a device, and their text: nothing of it is shared with another's.
struct DeviceImage {
  DeviceImage(const cuda::Device &device, std::unique_ptr<TargetMachine> machine)
      : device(device), machine(std::move(machine)), module(device.name, context) {}

  const cuda::Device &device;
  std::unique_ptr<TargetMachine> machine;
  LLVMContext context;
  Module module;
  std::string ptx; ///< what compile() made

  void compile() {
    gpu::optimize(module, *machine);
    ptx = gpu::ptxOf(module, *machine);
  }
};

std::string tableOf(const cuda::Device &device, bool emulated = false) {
  return ("weft_code_" + StringRef(emulated ? "emulated_" : "") + device.name).str();
}

using Images = std::vector<std::shared_ptr<DeviceImage>>;
using Code = mlir::FailureOr<std::vector<EmittedCode>>;

Code textsOf(const Images &images) {
  std::vector<EmittedCode> texts;
  for (const std::shared_ptr<DeviceImage> &image : images)
    texts.push_back({image->device.name.str(), {image->ptx.begin(), image->ptx.end()}});
  return texts;
}

/// A program's code, and its images as one object more.
Code withImages(Code code, const Images &images, CodeEffort effort) {
  std::vector<ImageText> texts;
  for (const std::shared_ptr<DeviceImage> &image : images)
    texts.push_back({std::move(image->ptx), image->device.capability, image->device.exact,
                     tableOf(image->device)});
  NativeModule object("images");
  emitImages(texts, *object.module);
  object.compile(objectForm, effort);
  if (failed(code) || failed(object.code))
    return failure();
  code->push_back(std::move(*object.code));
  return code;
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

  mlir::FailureOr<LoweredCode> lower(mlir::ModuleOp plan, StringRef form,
                                     ArrayRef<std::string> wanted, CodeEffort effort,
                                     const ProgramSymbols &symbols) const override {
    Making making(plan, /*emulated=*/false);
    Images images;
    for (const cuda::Device &device : reverse(cuda::devices())) { // the best first
      if (!is_contained(wanted, device.name))
        continue;
      auto machine = machineFor(plan, device);
      if (failed(machine))
        return failure();
      DeviceImage &image =
          *images.emplace_back(std::make_shared<DeviceImage>(device, std::move(*machine)));
      if (failed(making.lower(device, image.module, *image.machine, tableOf(device))))
        return failure();
    }
    LoweredCode lowered;
    if (form == objectForm) {
      emitProgram(plan, factsAsJson(plan),
                  CodeTable{WEFT_ISA_CUDA, tableOf(images.front()->device), {}}, symbols,
                  *making.host.module, {images.size(), making.services});
      lowered = making.native.lowered(form, effort);
    }
    for (const std::shared_ptr<DeviceImage> &image : images)
      lowered.jobs.push_back([image] { image->compile(); });
    lowered.finish = [images, effort, host = std::move(lowered.finish)] {
      return host ? withImages(host(), images, effort) : textsOf(images);
    };
    return lowered;
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

  mlir::FailureOr<LoweredCode> lower(mlir::ModuleOp plan, StringRef form, ArrayRef<std::string>,
                                     CodeEffort effort,
                                     const ProgramSymbols &symbols) const override {
    const cuda::Device &device = cuda::devices().front();
    auto machine = machineFor(plan, device);
    if (failed(machine))
      return failure();
    Making making(plan, /*emulated=*/true);
    NativeModule &kernels = making.native.add("kernels");
    if (failed(making.lower(device, *kernels.module, **machine, tableOf(device, true))))
      return failure();
    gpu::optimize(*kernels.module, **machine);
    if (auto sites = gpu::emulate(*kernels.module, *kernels.machine); !sites)
      return plan.emitError(toString(sites.takeError())), failure();
    emitProgram(plan, factsAsJson(plan),
                CodeTable{WEFT_ISA_CUDA_EMULATED, tableOf(device, true), {}}, symbols,
                *making.host.module, {0, making.services});
    return making.native.lowered(form, effort);
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
