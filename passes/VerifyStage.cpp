// Checks that a stage has done what it promises. What it has not done is an error of the compiler,
// not of the user's program.
#include "passes/Passes.h"
#include "passes/Pipeline.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_VERIFYSTAGE
#include "passes/Passes.h.inc"

namespace {
struct VerifyStage : impl::VerifyStageBase<VerifyStage> {
  using Base::Base;

  void runOnOperation() override {
    const Stage *found = stageNamed(stage.getValue());
    if (!found) {
      getOperation().emitError("there is no stage `") << stage.getValue() << "`";
      return signalPassFailure();
    }
    for (const Promise &promise : found->promises) {
      bool made = llvm::none_of(without, [&](StringRef pass) { return pass == promise.pass; });
      if (made && failed(verify(promise)))
        return signalPassFailure();
    }
  }

  LogicalResult verify(const Promise &promise) {
    std::optional<Breach> breach = promise.breach(getOperation());
    if (!breach)
      return success();
    InFlightDiagnostic error = emitError(breach->op->getLoc());
    error << "internal error behind stage `" << stage.getValue() << "`: `" << breach->op->getName()
          << "` " << breach->what;
    error.attachNote() << "the stage promises `" << promise.name << "`: " << promise.text;
    return error;
  }
};
} // namespace
} // namespace weft
