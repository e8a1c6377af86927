// From lowered modules to code: LLVM's part, on as many threads as there is work for.
#include "codegen/host/Finish.h"

#include "codegen/host/LargeStack.h"

#include <iterator>

namespace weft {

mlir::FailureOr<std::vector<EmittedCode>> finish(std::vector<LoweredCode> codes) {
  std::vector<std::function<void()>> jobs;
  for (LoweredCode &code : codes)
    std::move(code.jobs.begin(), code.jobs.end(), std::back_inserter(jobs));
  runOnLargeStacks(std::move(jobs));
  std::vector<EmittedCode> all;
  for (LoweredCode &code : codes) {
    auto made = code.finish();
    if (failed(made))
      return mlir::failure();
    std::move(made->begin(), made->end(), std::back_inserter(all));
  }
  return all;
}

mlir::FailureOr<std::vector<EmittedCode>> Target::emit(mlir::ModuleOp plan, llvm::StringRef form,
                                                       llvm::ArrayRef<std::string> sets,
                                                       CodeEffort effort) const {
  mlir::FailureOr<LoweredCode> lowered = lower(plan, form, sets, effort);
  if (failed(lowered))
    return mlir::failure();
  return weft::finish({std::move(*lowered)});
}

} // namespace weft
