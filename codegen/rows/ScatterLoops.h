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

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_SCATTERLOOPS_H
