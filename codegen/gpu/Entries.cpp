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

/// A kernel, and the WeftDeviceKernel of each of its launches.
struct Launchable {
  DeviceKernel kernel;
  SmallVector<Constant *, 1> records;
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
    Value *list = listOf(buffers);
    const DeviceKernel *each = &what.kernel;
    for (Constant *record : what.records) {
      callRuntime("weft_launch_grid", {record, list, builder.CreateCall(each->blocks, {sizes})});
      each = each->then.get();
    }
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
    Launchable &launchable = kernels[kernel.getSymName()];
    launchable.kernel = *made;
    for (const DeviceKernel *each = &*made; each; each = each->then.get())
      launchable.records.push_back(
          placed(recordOf(*each, emissions.device.sizes(), emulated, emissions.host.module),
                 each->name, emissions.host.module));
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
