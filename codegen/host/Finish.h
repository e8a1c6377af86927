// What is left to do of lowered modules, side by side.
#ifndef WEFT_CODEGEN_HOST_FINISH_H
#define WEFT_CODEGEN_HOST_FINISH_H

#include "codegen/Target.h"

namespace weft {

/// Does the jobs of all of them at a time, for they know nothing of each other. Code in their
/// order.
mlir::FailureOr<std::vector<EmittedCode>> finish(std::vector<LoweredCode> codes);

} // namespace weft

#endif // WEFT_CODEGEN_HOST_FINISH_H
