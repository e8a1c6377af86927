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
def PackInStep : Pass<"weft-pack-in-step", "::mlir::ModuleOp"> {
  let summary = "Have an update pack the parameters that it changes, task by task, for the entries that keep them packed";
  let description = [{
    What gradients keep of parameters (`weft-keep-packed`) is packed again after each update. Whole matrices would be read from memory for that, once for each direction in which
    products read them. So packing goes behind the kernel of rows that writes the parameter, a task behind a task (`in_step`), while what that has written is in the
    second cache. For that both are cut alike: into whole rows of the matrix, a multiple of 16 of them where they become columns of panels.

    Left as it is, packed by `prepare`, is what an update does not write row by row in the order of memory, what does not come out even where
    a parameter has many matrices, what rows are so long of that tasks would be too few or too large for a cache, all but the first of several parameters that one kernel writes, and
    parameters of nested loops. `elements` of a schedule of such an update's kernel is chosen here, also where it was tuned.
  }];
  let dependentDialects = ["plan::PlanDialect", "kernel::KernelDialect", "cpu::CpuDialect"];
}
#endif // WEFT_PASSES_PLAN
