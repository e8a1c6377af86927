// plan dialect  ==>  LLVM IR: kernels for a device, and the functions of every entry.
#include "codegen/gpu/Entries.h"

#include "codegen/gpu/Alignments.h"
#include "codegen/gpu/Kernels.h"
#include "codegen/gpu/Records.h"
#include "codegen/host/CallEmitter.h"
#include "codegen/host/Facts.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;

namespace weft::gpu {

namespace {

/// A kernel, and its WeftDeviceKernel.
struct Launchable {
  DeviceKernel kernel;
  Constant *record = nullptr;
};

class Entry : public CallEmitter {
public:
  Entry(Emission &emission, const StringMap<Launchable> &kernels,
        const StringMap<unsigned> &parameters, plan::EntryOp entry)
      : CallEmitter(emission, parameters, entry), kernels(kernels) {}

  Function *emitScratch(const std::string &name) {
    return emitMost(name, [&](StringRef kernel) { return kernels.lookup(kernel).kernel.scratch; });
  }

private:
  void launch(plan::LaunchOp op, ArrayRef<Value *> buffers) override {
    const Launchable &what = kernels.find(op.getKernel())->second;
    callRuntime("weft_launch_grid",
                {what.record, listOf(buffers), builder.CreateCall(what.kernel.blocks, {sizes})});
  }

  const StringMap<Launchable> &kernels;
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
  StringMap<Launchable> kernels;
  StringMap<SmallVector<unsigned>> alignments = alignmentsOf(plan, emissions.device.dims);
  for (auto [number, kernel] : enumerate(plan.getOps<plan::KernelOp>())) {
    auto fused = cast<kernel::FusedOp>(kernel.getBody().front().front());
    auto made = emitKernel(fused, kernelName(number, kernel.getSymName()), emissions,
                           alignments.lookup(kernel.getSymName()));
    if (failed(made))
      return failure();
    kernels[kernel.getSymName()] = {
        *made, placed(recordOf(*made, emissions.device.sizes(), emulated, emissions.host.module),
                      made->name, emissions.host.module)};
  }
  StringMap<unsigned> parameters = parameterNumbers(plan);
  Constant *null =
      ConstantPointerNull::get(PointerType::get(emissions.host.module.getContext(), 0));
  SmallVector<std::array<Constant *, 4>> rows;
  for (auto op : plan.getOps<plan::EntryOp>()) {
    Entry entry(emissions.host, kernels, parameters, op);
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
