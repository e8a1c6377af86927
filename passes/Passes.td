// Every pass of the compiler. FormSoftmax is the class, FormSoftmax.cpp the file, weft-form-softmax the flag.
#ifndef WEFT_PASSES
#define WEFT_PASSES

include "mlir/Pass/PassBase.td"

//===-- model, fused, kernel, plan ------------------------------------------------------------------------===//

include "passes/model/ModelPasses.td"
include "passes/fused/FusedPasses.td"
include "passes/kernel/KernelPasses.td"
include "passes/plan/PlanPasses.td"

#endif // WEFT_PASSES
