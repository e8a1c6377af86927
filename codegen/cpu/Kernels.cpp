// Which builder emits which family of kernels.
#include "codegen/cpu/Kernels.h"

#include "codegen/cpu/attention/Attention.h"
#include "codegen/cpu/contraction/Contraction.h"
#include "codegen/cpu/rows/Rows.h"

namespace weft::cpu {

mlir::FailureOr<KernelFunctions> emitKernel(kernel::FusedOp op, llvm::StringRef name,
                                            Emission &emission) {
  if (!op.getLayoutsAttr())
    return op.emitError("has no layouts: the passes of the kernel stage have not run");
  switch (op.getFamily()) {
  case kernel::Family::attention:
    return emitAttention(op, name, emission);
  case kernel::Family::attention_grad:
    return emitAttentionGrad(op, name, emission);
  case kernel::Family::contraction:
    return emitContraction(op, name, emission);
  case kernel::Family::pack:
    return emitPack(op, name, emission);
  case kernel::Family::rows:
    return emitRows(op, name, emission);
  case kernel::Family::scatter:
    return emitScatter(op, name, emission);
  case kernel::Family::table:
    return emitTable(op, name, emission);
  default:
    return op.emitError("has no builder yet");
  }
}

} // namespace weft::cpu
