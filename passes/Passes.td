// Every pass of the compiler. FormSoftmax is the class, FormSoftmax.cpp the file, weft-form-softmax the flag.
#ifndef WEFT_PASSES
#define WEFT_PASSES

include "mlir/Pass/PassBase.td"

//===-- model, fused, kernel, plan ------------------------------------------------------------------------===//

include "passes/model/ModelPasses.td"
include "passes/fused/FusedPasses.td"
include "passes/kernel/KernelPasses.td"
include "passes/plan/PlanPasses.td"

//===-- behind every stage --------------------------------------------------------------------------------===//

def VerifyStage : Pass<"weft-verify-stage", "::mlir::ModuleOp"> {
  let summary = "Verify the invariants that a stage promises to the next one";
  let description = [{
    Runs after the passes of each stage. A promise that does not hold is an internal error, which names the operation, the
    stage and the promise. Promises that are established by a pass in `without` are not checked.
  }];
  let options = [
    Option<"stage", "stage", "std::string", "", "whose promises">,
    ListOption<"without", "without", "std::string", "passes that were left out">];
}

#endif // WEFT_PASSES
