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
inline llvm::Value *skipped(const ScatterForm &form, OrderedKernel &kernel, llvm::Value *low,
                            llvm::Value *high) {
  std::optional<unsigned> onto = form.onto();
  if (!onto)
    return low;
  llvm::IRBuilderBase &b = kernel.builder;
  llvm::Value *isThere = b.CreateICmpEQ(kernel.buffers[*onto].address, kernel.target().address);
  return b.CreateSelect(isThere, high, low);
}

/// What rows are added to at a position of the result.
inline llvm::Value *startOf(const ScatterForm &form, OrderedKernel &kernel, const RowFrame &here) {
  return form.base ? kernel.evaluator.value(form.base, here)
                   : llvm::Constant::getNullValue(kernel.target().element.loaded());
}

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_SCATTERLOOPS_H
