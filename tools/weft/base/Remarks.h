// What passes remark on their way: fusions that were refused, values that were kept.
#ifndef WEFT_TOOLS_WEFT_BASE_REMARKS_H
#define WEFT_TOOLS_WEFT_BASE_REMARKS_H

#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace weft {

struct Remark {
  std::string function, place, text; // place: `model.weft:12`, or empty
};

/// From now on, what passes of `context` remark is put into `remarks`, which outlives it.
void collectRemarks(mlir::MLIRContext &context, std::vector<Remark> &remarks);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_REMARKS_H
