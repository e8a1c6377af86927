// Which builder emits which family of kernels.
#include "codegen/cpu/Kernels.h"

#include "codegen/cpu/attention/Attention.h"
#include "codegen/cpu/contraction/Contraction.h"
#include "codegen/cpu/rows/Rows.h"
#include "ir/cpu/Schedules.h"

namespace weft::cpu {

mlir::FailureOr<KernelFunctions> emitKernel(kernel::FusedOp op, llvm::StringRef name,
                                            IsaEmission &emission) {
  mlir::FailureOr<kernel::ScheduleAttr> schedule =
      scheduleOf({op, emission.dims}, machineFor(emission.isa, op));
  if (failed(schedule))
    return mlir::failure();
  switch (op.getFamily()) {
  case kernel::Family::attention:
    return emitAttention(op, cast<AttentionAttr>(*schedule), name, emission);
  case kernel::Family::attention_grad:
    return emitAttentionGrad(op, cast<AttentionGradAttr>(*schedule), name, emission);
  case kernel::Family::contraction:
    return emitContraction(op, cast<ContractionAttr>(*schedule), name, emission);
  case kernel::Family::pack:
    return emitPack(op, cast<PackAttr>(*schedule), name, emission);
  case kernel::Family::rows:
    return emitRows(op, cast<RowsAttr>(*schedule), name, emission);
  case kernel::Family::scatter:
    return emitScatter(op, cast<ScatterAttr>(*schedule), name, emission);
  case kernel::Family::table:
    return emitTable(op, cast<RowsAttr>(*schedule), name, emission);
  }
  llvm_unreachable("no other families");
}

} // namespace weft::cpu
