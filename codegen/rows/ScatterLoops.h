// A scatter with the dimension along which its lanes lie, whatever runs them.
#ifndef WEFT_CODEGEN_ROWS_SCATTERLOOPS_H
#define WEFT_CODEGEN_ROWS_SCATTERLOOPS_H

#include "codegen/rows/RowNest.h"
#include "ir/kernel/OrderedForm.h"

namespace weft::rows {

/// `further` is without the lanes.
struct ScatterLoops : ScatterForm {
  DimAttr lanes; // one of `further` along which input rows are added side by side, or none

  ScatterLoops(ScatterForm form, const Emission &emission) : ScatterForm(std::move(form)) {
    DimList others = further;
    erase(others, dim);
    lanes = besideEachOther(program.op, others, emission);
    erase(further, lanes);
  }
};

/// Where the positions begin at which a range from `low` to `high` is to be given what rows are
/// added to: at its end, if the result lies over that.
inline llvm::Value *skipped(llvm::IRBuilderBase &b, const ScatterForm &form,
                            llvm::ArrayRef<MemoryTensor> buffers, llvm::Value *low,
                            llvm::Value *high) {
  auto base = llvm::dyn_cast_or_null<mlir::BlockArgument>(form.base);
  if (!base)
    return low;
  llvm::Value *isThere =
      b.CreateICmpEQ(buffers[base.getArgNumber()].address, buffers.back().address);
  return b.CreateSelect(isThere, high, low);
}

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_SCATTERLOOPS_H
