// Passes of the `fused` stage.
#ifndef WEFT_PASSES_FUSED
#define WEFT_PASSES_FUSED
include "mlir/Pass/PassBase.td"

def FormKernels : Pass<"weft-form-kernels"> {
  let summary = "Give every op that no fusion has taken a kernel of its own";
  let dependentDialects = ["kernel::KernelDialect"];
}
#endif // WEFT_PASSES_FUSED
