// Two kernels of one product: the host chooses, by the number of their blocks.
#include "codegen/gpu/contraction/few/ByRows.h"

#include "ir/kernel/ContractionForm.h"

using namespace llvm;

namespace weft::gpu {

/// What `blocks` gives where the kernel's rows are few, or where they are many; else 0.
static Function *where(bool few, int64_t most, Function *blocks, const ContractionForm &form,
                       Emissions emissions) {
  Emission &host = emissions.host;
  Function *function = host.function((blocks->getName() + (few ? ".few" : ".many")).str(),
                                     blocks->getFunctionType());
  IRBuilder<> b(&function->getEntryBlock());
  Value *sizes = function->getArg(0);
  Frame frame{b, host, sizes, ConstantPointerNull::get(b.getPtrTy())};
  Value *areFew = b.CreateICmpSLE(frame.extent(form.rows), b.getInt64(most));
  Value *count = b.CreateCall(blocks, {sizes}), *none = b.getInt64(0);
  b.CreateRet(few ? b.CreateSelect(areFew, count, none) : b.CreateSelect(areFew, none, count));
  return function;
}

/// A kernel for many rows, and what is launched behind it.
static std::shared_ptr<const DeviceKernel>
ofMany(DeviceKernel kernel, int64_t most, const ContractionForm &form, Emissions emissions) {
  kernel.blocks = where(false, most, kernel.blocks, form, emissions);
  if (kernel.then)
    kernel.then = ofMany(*kernel.then, most, form, emissions);
  return std::make_shared<DeviceKernel>(kernel);
}

mlir::FailureOr<DeviceKernel> chosenByRows(kernel::FusedOp op, int64_t rows, DeviceKernel few,
                                           const DeviceKernel &many, Emissions emissions) {
  mlir::FailureOr<ContractionForm> form = readContraction(op);
  if (failed(form))
    return mlir::failure();
  few.blocks = where(true, rows, few.blocks, *form, emissions);
  few.scratch = many.scratch; // few rows need none
  few.then = ofMany(many, rows, *form, emissions);
  return few;
}

} // namespace weft::gpu
