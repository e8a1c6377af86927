// Every pass of the compiler. FormSoftmax is the class, FormSoftmax.cpp the file, weft-form-softmax the flag.
#ifndef WEFT_PASSES
#define WEFT_PASSES

include "mlir/Pass/PassBase.td"

class Weft_Pass<string flag> : Pass<flag, "::mlir::ModuleOp">;

//===-- fused, kernel, plan ------------------------------------------------------------------------===//

include "passes/fused/FusedPasses.td"
include "passes/kernel/KernelPasses.td"
include "passes/plan/PlanPasses.td"

#endif // WEFT_PASSES
