// Which parameters a kernel reads.
#pragma once

#include "ir/kernel/Kernel.h"

#include <set>
#include <string>

namespace weft::test {

/// The parameters that a kernel reads, directly or through views.
inline std::set<std::string> parametersOf(kernel::FusedOp op) {
  std::set<std::string> names;
  for (mlir::Value operand : op.getOperands()) {
    mlir::Operation *from = operand.getDefiningOp();
    while (from && !isa<model::ParamOp>(from) && from->getNumOperands() == 1)
      from = from->getOperand(0).getDefiningOp();
    if (auto parameter = dyn_cast_or_null<model::ParamOp>(from))
      names.insert(parameter.getName().str());
  }
  return names;
}

} // namespace weft::test
