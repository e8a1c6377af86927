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
  let summary = "Every promise of a stage is kept";
  let description = [{
    Runs behind the passes of each stage. A promise that is not kept is an internal error, which names the operation, the
    stage and the promise. Promises that a pass of `without` makes true are not looked at.
  }];
  let options = [
    Option<"stage", "stage", "std::string", "", "whose promises">,
    ListOption<"without", "without", "std::string", "passes that were left out">];
}

#endif // WEFT_PASSES
