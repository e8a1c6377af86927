// Passes of the `kernel` stage.
#ifndef WEFT_PASSES_KERNEL
#define WEFT_PASSES_KERNEL
include "mlir/Pass/PassBase.td"

def MaterializeCopies : Pass<"weft-materialize-copies", "::mlir::ModuleOp"> {
  let summary = "Copy what cannot be looked at in place";
  let description = [{
    A merge of dimensions that are not contiguous, and views or arguments that are returned, yielded or carried, become
    copies (`rows` kernels that compute nothing). After this, every value that leaves a block is the result of a kernel in it.
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def PackOperands : Pass<"weft-pack-operands", "::mlir::ModuleOp"> {
  let summary = "Pack the right side of every contraction into panels";
  let description = [{
    The right side is the operand that comes from a parameter, else the second one. Packs of parameters are hoisted into
    `prepare` by the plan, so a generating program packs once.
  }];
  let dependentDialects = ["kernel::KernelDialect"];
}
def ChooseLayouts : Pass<"weft-choose-layouts", "::mlir::ModuleOp"> {
  let summary = "Say where every operand and result of a kernel lies";
  let dependentDialects = ["kernel::KernelDialect"];
}
def ChooseSchedules : Pass<"weft-choose-schedules", "::mlir::ModuleOp"> {
  let summary = "Say how every kernel is cut, for each instruction set";
  let description = [{
    The choice of a cost model, from what is known of the sizes and of machines that run the instruction set. What a dump says already stays,
    if it is legal.
  }];
  let dependentDialects = ["cpu::CpuDialect"];
}
#endif // WEFT_PASSES_KERNEL
