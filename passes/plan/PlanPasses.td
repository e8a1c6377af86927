// Passes of the `plan` stage.
#ifndef WEFT_PASSES_PLAN
#define WEFT_PASSES_PLAN
include "mlir/Pass/PassBase.td"

def BuildPlan : Pass<"weft-build-plan", "::mlir::ModuleOp"> {
  let summary = "Assign buffers to slots of one arena by liveness, and order the kernel launches";
  let description = [{
    Functions become `plan.entry`s and their kernels `plan.kernel`s. A result is written directly to its destination (an
    output, a parameter, the value that a loop carries, a slice of a stacked value) where nothing reads the old content
    any more, or over an operand that nothing reads behind its kernel, where the kernel allows that. Every other value gets bytes of
    the arena that values which are not live at the same time share: whole slots, or parts of them. The plan says which slots lie
    behind which; at which addresses, the sizes of a run decide.
  }];
  let dependentDialects = ["plan::PlanDialect", "kernel::KernelDialect"];
  let options = [
    Option<"share", "share", "bool", "true",
           "values share memory; `false`, for debugging, gives each value its own: results are the same, byte for byte">
  ];
}
#endif // WEFT_PASSES_PLAN
