// Passes of the `plan` stage.
#ifndef WEFT_PASSES_PLAN
#define WEFT_PASSES_PLAN
include "mlir/Pass/PassBase.td"

def BuildPlan : Pass<"weft-build-plan", "::mlir::ModuleOp"> {
  let summary = "Put buffers into slots of one arena and launches in order";
  let description = [{
    Functions become `plan.entry`s and their kernels `plan.kernel`s. Results are written straight to where they are
    wanted (an output, a parameter, the carried value of a loop, a stacked value) wherever nothing needs the old
    content any more. What remains gets a slot, shared by values that are never alive together.
  }];
  let dependentDialects = ["plan::PlanDialect", "kernel::KernelDialect"];
  let options = [
    Option<"share", "share", "bool", "true",
           "values share memory; `false` gives each its own, to compare with: results are the same, byte for byte">
  ];
}
#endif // WEFT_PASSES_PLAN
