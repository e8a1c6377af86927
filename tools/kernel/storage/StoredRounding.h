// What the interpreter rounds, so that it gives what kernels do that store their results narrower.
#ifndef WEFT_TOOLS_KERNEL_STORAGE_STOREDROUNDING_H
#define WEFT_TOOLS_KERNEL_STORAGE_STOREDROUNDING_H

#include "ir/kernel/Kernel.h"
#include "ir/reference/Array.h"
#include "tools/kernel/storage/GroupedRows.h"
#include "tools/kernel/storage/GroupedWeights.h"

namespace weft::trial {

/// Whether it is the result of a kernel whose layout says that it is stored as bfloat16, or as
/// whole numbers that share scales.
bool isStoredNarrower(mlir::OpResult result);
/// Of panels that are stored so: what rounds `array`, which the result is.
std::optional<GroupedWeights> groupedWeights(mlir::OpResult result, const reference::Array &array);
/// The same of rows.
std::optional<GroupedRows> groupedRows(mlir::OpResult result, const reference::Array &array);
/// Rounds `array`, the value of `result`, if that is stored so. As an observer of
/// `reference::Interpreter` on a module of the stage `kernel` this makes of the interpreter the
/// specification of what is compiled of it.
void roundAsStored(mlir::OpResult result, reference::Array &array);

/// Whether any kernel of the module stores something narrower than its type says.
bool storesNarrower(mlir::ModuleOp module);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_STORAGE_STOREDROUNDING_H
