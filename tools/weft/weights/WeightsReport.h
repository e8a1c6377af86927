// What `--weights-as` made of a program's weights.
#ifndef WEFT_TOOLS_WEFT_WEIGHTS_WEIGHTSREPORT_H
#define WEFT_TOOLS_WEFT_WEIGHTS_WEIGHTSREPORT_H

#include "ir/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace weft {

/// A line for an entry of a plan whose products read weights that are whole numbers: how many, and
/// their bytes now and as float32. Empty if they read none.
std::string weightsOf(plan::EntryOp entry);
/// The same of all entries.
std::string weightsReport(mlir::ModuleOp plan);

/// A path that asks for whole numbers where no product of the plan reads a weight as such; empty if
/// there is none. `head` is no path.
std::string pathWithoutWeights(mlir::ModuleOp plan);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_WEIGHTS_WEIGHTSREPORT_H
