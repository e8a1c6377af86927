// plan dialect  ==>  LLVM IR: kernels for a device, and the functions of every entry.
#include "codegen/gpu/Entries.h"

#include "codegen/gpu/Alignments.h"
#include "codegen/gpu/Joined.h"
#include "codegen/gpu/Kernels.h"
#include "codegen/gpu/Records.h"
#include "codegen/host/CallEmitter.h"
#include "codegen/host/Facts.h"
#include "ir/cuda/Parameters.h"
#include "ir/plan/Launches.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;

namespace weft::gpu {

namespace {

/// A kernel, and the WeftDeviceKernel of each of its launches.
struct Launchable {
  DeviceKernel kernel;
  SmallVector<Constant *, 1> records;
};

/// What launches of a plan become: a kernel of the plan, or several of them as one.
class Launchables {
public:
  Launchables(mlir::ModuleOp plan, bool emulated, Emissions emissions)
      : plan(plan), emulated(emulated), emissions(emissions),
        parts(emissions.device.module, emissions.device.dims, emissions.device.device,
              DeviceEmission::Kind::parts),
        alignments(alignmentsOf(plan, emissions.device.dims)) {
    for (auto [number, kernel] : enumerate(plan.getOps<plan::KernelOp>()))
      kernels[kernel.getSymName()] = {kernel, unsigned(number)};
  }

  /// What all entries launch; false behind a diagnostic.
  bool emit() {
    for (auto entry : plan.getOps<plan::EntryOp>())
      for (const plan::Launch &launch : plan::launchesOf(entry))
        if (!(launch.size() == 1 ? emitAlone(launch.front()) : emitTogether(launch)))
          return false;
    return true;
  }

  const Launchable &of(ArrayRef<plan::LaunchOp> launch) const {
    return made.find(nameOf(launch))->second;
  }

private:
  struct Kernel {
    plan::KernelOp op;
    unsigned number;
  };

  /// Of one kernel, that of the plan. Of several, equal for those that are the same kernel.
  static std::string nameOf(ArrayRef<plan::LaunchOp> launch) {
    if (launch.size() == 1)
      return plan::LaunchOp(launch.front()).getKernel().str();
    std::string name;
    for (const plan::LaunchPart &part : plan::partsOf(launch))
      name += (part.kernel + "*" + Twine(part.launches.size()) + "+").str();
    return name;
  }

  mlir::FailureOr<DeviceKernel> emitKernel(StringRef symbol, DeviceEmission &device) {
    const Kernel &kernel = kernels.find(symbol)->second;
    auto fused = cast<kernel::FusedOp>(plan::KernelOp(kernel.op).getBody().front().front());
    return gpu::emitKernel(fused, kernelName(kernel.number, symbol), {device, emissions.host},
                           alignments.lookup(symbol));
  }

  bool emitAlone(plan::LaunchOp launch) {
    auto [known, isNew] = made.try_emplace(launch.getKernel());
    if (!isNew)
      return true;
    auto kernel = emitKernel(launch.getKernel(), emissions.device);
    if (failed(kernel))
      return false;
    known->second = recorded(*kernel);
    return true;
  }

  bool emitTogether(ArrayRef<plan::LaunchOp> launch) {
    auto [known, isNew] = made.try_emplace(nameOf(launch));
    if (!isNew)
      return true;
    SmallVector<JoinedPart> joined;
    unsigned buffers = 0;
    for (const plan::LaunchPart &part : plan::partsOf(launch)) {
      auto kernel = emitKernel(part.kernel, parts);
      if (failed(kernel))
        return false;
      assert(!kernel->then && "who may be joined is done in one launch");
      joined.push_back({*kernel, unsigned(part.launches.size())});
      buffers += kernel->buffers * joined.back().launches;
      bool isAlike = kernel->shape.threads == joined.front().kernel.shape.threads;
      if (!isAlike || buffers > cuda::mostBuffers(emissions.device.dims))
        return kernels.find(part.kernel)->second.op->emitError("is no part of one launch with @")
                   << plan::partsOf(launch).front().kernel << ": it has "
                   << (isAlike ? "more buffers than a kernel of a GPU takes"
                               : "other threads in a block"),
               false;
    }
    std::string name =
        kernelName(kernels.find(plan::LaunchOp(launch.front()).getKernel())->second.number,
                   plan::LaunchOp(launch.front()).getKernel());
    known->second = recorded(emitJoined(
        name + "_and_" + std::to_string(launch.size() - 1) + "_more", joined, emissions));
    return true;
  }

  Launchable recorded(const DeviceKernel &kernel) {
    Module &host = emissions.host.module;
    Launchable result{kernel, {}};
    for (const DeviceKernel *each = &result.kernel; each; each = each->then.get())
      result.records.push_back(
          placed(recordOf(*each, emissions.device.sizes(), emulated, host), each->name, host));
    return result;
  }

  mlir::ModuleOp plan;
  bool emulated;
  Emissions emissions;
  DeviceEmission parts;
  StringMap<SmallVector<unsigned>> alignments;
  StringMap<Kernel> kernels;
  StringMap<Launchable> made;
};

class Entry : public CallEmitter {
public:
  Entry(Emission &emission, const Launchables &launchables, const StringMap<unsigned> &parameters,
        plan::EntryOp entry)
      : CallEmitter(emission, parameters, entry), launchables(launchables) {}

  Function *emitScratch(const std::string &name) {
    SetVector<Function *> bytes;
    for (const plan::Launch &launch : plan::launchesOf(entry))
      bytes.insert(launchables.of(launch).kernel.scratch);
    return emitMost(name, bytes.getArrayRef());
  }

private:
  void launch(plan::LaunchOp op, ArrayRef<Value *> buffers) override {
    launch(launchables.of(op), buffers);
  }

  void launchTogether(ArrayRef<plan::LaunchOp> ops,
                      ArrayRef<SmallVector<Value *>> buffers) override {
    SmallVector<Value *> all;
    for (const plan::LaunchPart &part : plan::partsOf(ops))
      for (unsigned number : part.launches)
        append_range(all, buffers[number]);
    launch(launchables.of(ops), all);
  }

  void launch(const Launchable &what, ArrayRef<Value *> buffers) {
    Value *list = listOf(buffers);
    const DeviceKernel *each = &what.kernel;
    for (Constant *record : what.records) {
      callRuntime("weft_launch_grid", {record, list, builder.CreateCall(each->blocks, {sizes})});
      each = each->then.get();
    }
  }

  const Launchables &launchables;
};

} // namespace

std::string kernelName(unsigned number, StringRef kernel) {
  std::string name = "k" + std::to_string(number) + "_";
  for (char c : kernel)
    name += isAlnum(c) ? c : '_';
  return name;
}

mlir::LogicalResult lowerPlan(mlir::ModuleOp plan, StringRef table, bool emulated,
                              Emissions emissions) {
  Launchables launchables(plan, emulated, emissions);
  if (!launchables.emit())
    return failure();
  StringMap<unsigned> parameters = parameterNumbers(plan);
  Constant *null =
      ConstantPointerNull::get(PointerType::get(emissions.host.module.getContext(), 0));
  SmallVector<std::array<Constant *, 4>> rows;
  for (auto op : plan.getOps<plan::EntryOp>()) {
    Entry entry(emissions.host, launchables, parameters, op);
    std::string name = op.getSymName().str();
    Constant *prepare = null;
    if (!op.getPacked().empty())
      prepare = entry.emit(name + ".prepare", op.getPrepare());
    rows.push_back({entry.emitScratch(name + ".scratch"), prepare,
                    entry.emit(name + ".run", op.getBody()), null});
  }
  emitCodeTable(table, rows, emissions.host.module);
  return mlir::success();
}

} // namespace weft::gpu
