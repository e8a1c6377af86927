// What a loop gives of each of its passes.
#ifndef WEFT_PASSES_MODEL_LOOPS_STACKED_H
#define WEFT_PASSES_MODEL_LOOPS_STACKED_H

#include "ir/model/Model.h"

namespace weft::model {

/// `op` again, stacking `values` of its passes too; they are the last results.
RepeatOp withStacked(RepeatOp op, llvm::ArrayRef<mlir::Value> values);

/// A dimension as large as `dim` that is none of `taken`, for what stands at `op`: one that the
/// module has under such a name, or a new one.
DimAttr otherName(mlir::Operation *op, DimAttr dim, llvm::ArrayRef<DimAttr> taken);

} // namespace weft::model

#endif // WEFT_PASSES_MODEL_LOOPS_STACKED_H
