// What `weft explain` says of the kernels of a GPU's program.
#ifndef WEFT_TOOLS_WEFT_SHOW_DEVICEKERNELS_H
#define WEFT_TOOLS_WEFT_SHOW_DEVICEKERNELS_H

#include "tools/weft/sizes/TakenSizes.h"

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace weft {

/// Bytes as people read them: "33.0 KB".
std::string bytesText(double bytes);

/// Prints each kernel of a planned module once: what it has to do, and for each image its schedule,
/// what a launch takes, and how long a device is predicted to take; then each entry's launches
/// together. `wants` says which entries are asked for. Gives whether all could be read.
bool explainDevices(mlir::ModuleOp plan, TakenSizes &sizes,
                    const std::function<bool(mlir::Operation *)> &wants);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SHOW_DEVICEKERNELS_H
