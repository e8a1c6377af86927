// What a kernel computes that is one op which fixes the order of its loops: a scan or a scatter.
#ifndef WEFT_IR_KERNEL_ORDEREDFORM_H
#define WEFT_IR_KERNEL_ORDEREDFORM_H

#include "ir/kernel/RowProgram.h"

namespace weft::kernel {

/// A cumsum or a top: at each position along `outer`, those along `dim` one after the other.
struct ScanForm {
  RowProgram program;
  mlir::Operation *op;
  DimAttr dim;
  DimList outer;
};
/// Whether `op` is a kernel of one cumsum or top.
bool isScan(FusedOp op);
/// Of such a kernel. Fails with a diagnostic where an operand or the result is packed.
mlir::FailureOr<ScanForm> readScan(FusedOp op);

/// The gradient of a gather: to `base`, or to zeros, `input` is added along `dim` where `at` says.
struct ScatterForm {
  RowProgram program;
  mlir::Value input, at;
  mlir::Value base; // null: zeros. It has the dimensions of the result
  DimAttr dim;
  DimList index;   // of `at`
  DimList further; // the input's others, which run inside
  DimList kept;    // the result's, but `dim`

  /// Which operand `base` is; nothing where there is none, or the kernel computes it.
  std::optional<unsigned> onto() const;
};
/// Fails with a diagnostic where `op` is no kernel of one scatter, alone or in a sum, or packed.
mlir::FailureOr<ScatterForm> readScatter(FusedOp op);

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_ORDEREDFORM_H
