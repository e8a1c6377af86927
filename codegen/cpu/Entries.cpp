// plan dialect  ==>  LLVM IR: the functions of every entry.
#include "codegen/cpu/Entries.h"

#include "codegen/cpu/InStep.h"
#include "codegen/cpu/Kernels.h"
#include "codegen/emit/Loops.h"
#include "codegen/host/CallEmitter.h"
#include "codegen/host/Facts.h"

using namespace llvm;
using mlir::failed;
using mlir::failure;
using mlir::LogicalResult;

namespace weft::cpu {

std::string codeTableName(Isa isa) {
  return "weft_code_" + std::to_string(static_cast<unsigned>(isa));
}

std::string kernelTableName(Isa isa) {
  return "weft_kernels_" + std::to_string(static_cast<unsigned>(isa));
}

namespace {
class Entry : public CallEmitter {
public:
  /// Adds to `names` what it launches beside `kernels`.
  Entry(IsaEmission &emission, const StringMap<KernelFunctions> &kernels,
        std::vector<NamedKernel> &names, const StringMap<unsigned> &parameters, plan::EntryOp entry)
      : CallEmitter(emission, parameters, entry), kernels(kernels), names(names) {}

  /// Bytes of scratch, or of what two launches share, as many as the kernel that needs most.
  Function *emitMost(const std::string &name, Function *KernelFunctions::*bytesOf) {
    return CallEmitter::emitMost(name,
                                 map_to_vector(kernelsOf(entry), [&](mlir::StringAttr kernel) {
                                   return kernels.lookup(kernel).*bytesOf;
                                 }));
  }

  bool hasTwoLaunches() {
    return any_of(kernelsOf(entry),
                  [&](mlir::StringAttr kernel) { return kernels.lookup(kernel).join; });
  }

private:
  void launch(plan::LaunchOp op, ArrayRef<Value *> buffers) override {
    if (std::optional<unsigned> number = filledBy(op))
      emit::when(builder, builder.CreateIsNotNull(packed(*number)),
                 [&] { launchNow(op, buffers); });
    else
      launchNow(op, buffers);
  }

  /// A launch and the packs behind it are one launch.
  void launchInStep(plan::LaunchOp op, ArrayRef<plan::InStep> steps) override {
    SmallVector<PackBehind> packs;
    SmallVector<Value *> all = valuesOf(op.getBuffers());
    for (plan::InStep step : steps) {
      PackBehind pack{kernels.lookup(step.launch.getKernel())};
      if (step.loop)
        pack.passes = *emission.known(Size::dim(step.loop.getDim().getValue()));
      std::array<plan::Piece, 2> pieces;
      for (auto [piece, buffer] : zip_equal(pieces, step.launch.getBuffers()))
        piece = *plan::pieceOf(buffer, step.loop);
      std::array<mlir::Value, 2> bases{pieces[0].base, pieces[1].base};
      append_range(all, valuesOf(bases));
      pack.from = *plan::bytesOfPass(pieces[0]);
      pack.to = *plan::bytesOfPass(pieces[1]);
      packs.push_back(pack);
    }
    const KernelFunctions &leader = kernels.find(op.getKernel())->second;
    Function *run =
        emitInStep("kernel." + entry.getSymName().str() + ".step" + std::to_string(names.size()),
                   leader.run, op.getBuffers().size(), packs, emission);
    names.push_back({run, op.getKernel().str(), all.size(), nullptr});
    callRuntime("weft_launch", {run, listOf(all), builder.CreateCall(leader.tasks, {sizes})});
  }

  /// The packed weight that a launch of `prepare` fills. It may be there already.
  std::optional<unsigned> filledBy(plan::LaunchOp op) {
    if (!entry.getPrepare().isAncestor(op->getParentRegion()))
      return std::nullopt;
    mlir::Value buffer = op.getBuffers().back();
    while (auto offset = buffer.getDefiningOp<plan::OffsetOp>())
      buffer = offset.getBuffer();
    return buffer.getDefiningOp<plan::PackedOp>().getNumber();
  }

  void launchNow(plan::LaunchOp op, ArrayRef<Value *> buffers) {
    const KernelFunctions &kernel = kernels.find(op.getKernel())->second;
    SmallVector<Value *> all(buffers);
    if (kernel.join)
      all.push_back(field(offsetof(WeftCall, shared), "shared"));
    Value *list = listOf(all);
    auto launch = [&](Function *run, Function *tasks) {
      callRuntime("weft_launch", {run, list, builder.CreateCall(tasks, {sizes})});
    };
    launch(kernel.run, kernel.tasks);
    if (kernel.join)
      launch(kernel.join, kernel.joins);
  }

  const StringMap<KernelFunctions> &kernels;
  std::vector<NamedKernel> &names;
};
} // namespace

LogicalResult lowerPlan(mlir::ModuleOp module, IsaEmission &emission) {
  StringMap<KernelFunctions> kernels;
  std::vector<NamedKernel> names;
  StringMap<uint64_t> buffers = buffersOfKernels(module);
  for (auto kernel : module.getOps<plan::KernelOp>()) {
    auto fused = cast<kernel::FusedOp>(kernel.getBody().front().front());
    // Without the prefix, a kernel called `pow` would be linked to calls of the C library's pow.
    auto functions = emitKernel(fused, ("kernel." + kernel.getSymName()).str(), emission);
    if (failed(functions))
      return failure();
    kernels[kernel.getSymName()] = *functions;
    for (Function *each : {functions->run, functions->join})
      if (each)
        names.push_back({each, kernel.getSymName().str(),
                         buffers.lookup(kernel.getSymName()) + (functions->join ? 1 : 0),
                         functions->rows});
  }
  StringMap<unsigned> parameters = parameterNumbers(module);
  Constant *null = ConstantPointerNull::get(PointerType::get(emission.module.getContext(), 0));
  SmallVector<std::array<Constant *, 4>> rows;
  for (auto op : module.getOps<plan::EntryOp>()) {
    Entry entry(emission, kernels, names, parameters, op);
    std::string name = op.getSymName().str();
    Constant *prepare = null, *shared = null;
    if (!op.getPacked().empty())
      prepare = entry.emit(name + ".prepare", op.getPrepare());
    if (entry.hasTwoLaunches())
      shared = entry.emitMost(name + ".shared", &KernelFunctions::shared);
    rows.push_back({entry.emitMost(name + ".scratch", &KernelFunctions::scratch), prepare,
                    entry.emit(name + ".run", op.getBody()), shared});
  }
  emitCodeTable(codeTableName(emission.isa), rows, emission.module);
  emitKernelTable(kernelTableName(emission.isa), names, emission.module);
  return mlir::success();
}

} // namespace weft::cpu
