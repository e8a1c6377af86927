// Which builder emits which family of kernels.
#include "codegen/gpu/Kernels.h"

#include "codegen/gpu/attention/Attention.h"
#include "codegen/gpu/attention/AttentionGrad.h"
#include "codegen/gpu/attention/group/GroupAttention.h"
#include "codegen/gpu/attention/group/GroupGradient.h"
#include "codegen/gpu/attention/split/SplitAttention.h"
#include "codegen/gpu/attention/warp/WarpAttention.h"
#include "codegen/gpu/attention/warp/WarpGradient.h"
#include "codegen/gpu/base/ByRows.h"
#include "codegen/gpu/contraction/Contraction.h"
#include "codegen/gpu/contraction/Products.h"
#include "codegen/gpu/contraction/few/FewRows.h"
#include "codegen/gpu/contraction/group/GroupProducts.h"
#include "codegen/gpu/instructions/Assembly.h"
#include "codegen/gpu/rows/Rows.h"
#include "ir/cuda/Parameters.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/OrderedForm.h"

namespace weft::gpu {

/// Sizes and addresses are parameters by value, of which PTX takes so many bytes.
static mlir::LogicalResult checkParameters(kernel::FusedOp op, const DeviceEmission &device) {
  constexpr unsigned each = 8;
  unsigned buffers = op.getNumOperands() + op.getNumResults() + 1; // and what it draws from
  if (buffers <= cuda::mostBuffers(device.dims))
    return mlir::success();
  return op.emitError("would take ")
         << device.sizes() << " sizes and " << buffers << " addresses, "
         << (device.sizes() + buffers + 1) * each << " bytes, and a kernel of a GPU takes "
         << cuda::parameterWords * each
         << "; give dimensions their sizes, or build fewer entries at a time";
}

static mlir::FailureOr<DeviceKernel> emitAs(kernel::ScheduleAttr schedule, kernel::FusedOp op,
                                            llvm::StringRef name, Emissions emissions,
                                            llvm::ArrayRef<unsigned> alignments) {
  // Of tensors, or, where operands are none, by the schedule that takes this one's place.
  auto orWithout =
      [&](mlir::FailureOr<std::optional<DeviceKernel>> made) -> mlir::FailureOr<DeviceKernel> {
    if (failed(made))
      return mlir::failure();
    if (*made)
      return **made;
    auto other =
        cuda::withoutTensors({op, emissions.device.dims}, schedule, emissions.device.device);
    if (failed(other))
      return mlir::failure();
    return emitAs(*other, op, name, emissions, alignments);
  };
  if (auto scatter = dyn_cast<cuda::ScatterAttr>(schedule))
    return emitScatter(op, scatter, name, emissions, alignments);
  if (auto attention = dyn_cast<cuda::AttentionAttr>(schedule))
    return emitAttention(op, attention, name, emissions);
  if (auto split = dyn_cast<cuda::SplitAttentionAttr>(schedule))
    return emitSplitAttention(op, split, name, emissions, alignments);
  if (auto byQueries = dyn_cast<cuda::ByQueriesAttr>(schedule)) {
    auto few = emitAs(byQueries.getFew(), op, (name + "_few").str(), emissions, alignments);
    auto many = emitAs(byQueries.getMany(), op, name, emissions, alignments);
    auto form = readAttention(op);
    if (failed(few) || failed(many) || failed(form))
      return mlir::failure();
    return chosenByRows(form->rows, byQueries.getQueries(), *few, *many, emissions);
  }
  if (auto gradient = dyn_cast<cuda::AttentionGradAttr>(schedule))
    return emitAttentionGrad(op, gradient, name, emissions);
  if (auto group = dyn_cast<cuda::WgmmaAttentionAttr>(schedule))
    return orWithout(emitGroupAttention(op, group, name, emissions, alignments));
  if (auto group = dyn_cast<cuda::WgmmaAttentionGradAttr>(schedule))
    return orWithout(emitGroupGradient(op, group, name, emissions, alignments));
  if (auto attention = dyn_cast<cuda::MmaAttentionAttr>(schedule))
    return emitWarpAttention(op, attention, name, emissions, alignments);
  if (auto gradient = dyn_cast<cuda::MmaAttentionGradAttr>(schedule))
    return emitWarpGradient(op, gradient, name, emissions, alignments);
  if (auto byRows = dyn_cast<cuda::ByRowsAttr>(schedule)) {
    auto few = emitFewRows(op, byRows.getFew(), (name + "_few").str(), emissions, alignments);
    auto many = emitAs(byRows.getMany(), op, name, emissions, alignments);
    auto form = readContraction(op);
    if (failed(few) || failed(many) || failed(form))
      return mlir::failure();
    return chosenByRows(form->rows, byRows.getRows(), *few, *many, emissions);
  }
  if (auto few = dyn_cast<cuda::FewRowsAttr>(schedule))
    return emitFewRows(op, few, name, emissions, alignments);
  if (auto contraction = dyn_cast<cuda::ContractionAttr>(schedule))
    return emitContraction(op, contraction, name, emissions);
  if (auto wgmma = dyn_cast<cuda::WgmmaAttr>(schedule))
    return orWithout(emitGroupProducts(op, wgmma, name, emissions, alignments));
  if (auto mma = dyn_cast<cuda::MmaAttr>(schedule))
    return emitProducts(op, mma, name, emissions, alignments);
  Numbers numbers{/*wide=*/op.getFamily() == kernel::Family::table, narrowed};
  if (auto columns = dyn_cast<cuda::ColumnsAttr>(schedule))
    return emitColumns(op, columns, name, emissions, numbers, alignments);
  auto rows = cast<cuda::RowsAttr>(schedule);
  if (kernel::isScan(op))
    return emitScan(op, rows, name, emissions);
  return emitRows(op, rows, name, emissions, numbers, alignments);
}

mlir::FailureOr<DeviceKernel> emitKernel(kernel::FusedOp op, llvm::StringRef name,
                                         Emissions emissions, llvm::ArrayRef<unsigned> alignments) {
  if (!op.getLayoutsAttr())
    return op.emitError("has no layouts: the passes of the kernel stage have not run");
  if (failed(checkParameters(op, emissions.device)))
    return mlir::failure();
  mlir::FailureOr<kernel::ScheduleAttr> schedule =
      cuda::scheduleOf({op, emissions.device.dims}, emissions.device.device);
  if (failed(schedule))
    return mlir::failure();
  return emitAs(*schedule, op, name, emissions, alignments);
}

} // namespace weft::gpu
