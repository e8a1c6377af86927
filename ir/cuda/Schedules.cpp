// How kernels are cut on a GPU.
#include "ir/cuda/AttentionSchedules.h"
#include "ir/cuda/ProductSchedules.h"
#include "ir/cuda/TensorSide.h"

#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/Walk.h"
#include "ir/model/Entries.h"

using namespace mlir;
using weft::kernel::Family;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

llvm::ArrayRef<Device> devices() {
  // A100 and H100 SXM; a block has least on 8.6 and 8.9.
  static constexpr Device table[] = {{"sm_80", 80, false, 108, 99 << 10},
                                     {"sm_90a", 90, true, 132, mostSharedAsked}};
  return table;
}

static FailureOr<ScheduleAttr> usual(KernelCase kernel, const Device &device) {
  MLIRContext *context = kernel.op.getContext();
  int64_t blocks = device.multiprocessors * blocksEach;
  if (kernel.op.getFamily() == Family::contraction)
    return contractionFor(kernel, device);
  if (ScheduleAttr attention = attentionFor(kernel, device))
    return attention;
  if (kernel.op.getFamily() == Family::scatter)
    return scatterFor(kernel, device);
  if (kernel::isScan(kernel.op))
    return ScheduleAttr(RowsAttr::get(context, usualThreads, warpThreads, 1, 1, blocks));
  return rowsFor(kernel, device);
}

static LogicalResult check(KernelCase kernel, ScheduleAttr schedule, const Device &device) {
  if (!schedule.suits(kernel.op.getFamily()))
    return kernel.op.emitOpError()
           << schedule << " is no schedule of " << stringifyFamily(kernel.op.getFamily());
  if (auto split = dyn_cast<SplitAttentionAttr>(schedule))
    return checkSplitAttention(kernel, split);
  if (auto byQueries = dyn_cast<ByQueriesAttr>(schedule))
    return success(succeeded(checkSplitAttention(kernel, byQueries.getFew())) &&
                   succeeded(check(kernel, byQueries.getMany(), device)));
  if (isa<AttentionAttr, AttentionGradAttr, MmaAttentionAttr, MmaAttentionGradAttr,
          WgmmaAttentionAttr, WgmmaAttentionGradAttr>(schedule))
    return checkAttention(kernel, schedule, device);
  if (isa<ByRowsAttr, FewRowsAttr, MmaAttr, WgmmaAttr>(schedule))
    return checkProducts(kernel, schedule, device);
  return checkRows(kernel, schedule);
}

bool decodes(kernel::FusedOp op) {
  for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
    if (model::kindOf(around) == model::EntryKind::advance)
      return true;
  return false;
}

FailureOr<ScheduleAttr> scheduleOf(KernelCase kernel, const Device &device) {
  kernel.op.getContext()->getOrLoadDialect<CudaDialect>(); // where no text named it
  if (kernel.op->hasAttr("panels"))
    return kernel.op.emitError("packs for the CPU: the kernel stage has run for another target");
  DictionaryAttr given = kernel.op.getScheduleAttr();
  auto schedule = given ? given.getAs<ScheduleAttr>(device.name) : ScheduleAttr();
  if (!schedule)
    return usual(kernel, device);
  if (failed(check(kernel, schedule, device)))
    return failure();
  return schedule;
}

FailureOr<ScheduleAttr> withoutTensors(KernelCase kernel, ScheduleAttr given,
                                       const Device &device) {
  bool multiplies = kernel.op.getFamily() == Family::contraction;
  std::string family = stringifyFamily(kernel.op.getFamily()).str();
  auto chosen = [&](bool tensors) {
    return multiplies ? contractionOfManyFor(kernel, device, tensors)
                      : attentionOfManyFor(kernel, device, tensors);
  };
  if (chosen(/*tensors=*/true) != given)
    return kernel.op.emitOpError()
           << given << " copies tiles of tensors, and an operand does not begin at a multiple of "
           << tensorAlignment << " bytes in every launch; use `cuda.mma"
           << (multiplies ? "" : "_" + family) << "`";
  if (ScheduleAttr other = chosen(/*tensors=*/false))
    return other;
  return kernel.op.emitOpError("has operands that do not begin at a multiple of ")
         << tensorAlignment << " bytes in every launch; give it a schedule `cuda." << family << "`";
}

} // namespace weft::cuda
