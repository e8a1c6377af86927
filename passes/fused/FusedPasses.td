// Passes of the `fused` stage.
#ifndef WEFT_PASSES_FUSED
#define WEFT_PASSES_FUSED
include "mlir/Pass/PassBase.td"

// Notes on ops which kernel they will be in.
class Weft_FusedPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["kernel::KernelDialect"];
}

def FuseAttention : Weft_FusedPass<"weft-fuse-attention"> {
  let summary = "Give attention, with the mask it can compute itself, a kernel";
}
def FuseProjections : Weft_FusedPass<"weft-fuse-projections"> {
  let summary = "Contract one activation with several weights in one kernel (QKV, gate and up)";
}
def FuseEpilogues : Weft_FusedPass<"weft-fuse-epilogues"> {
  let summary = "Compute bias, activation and residual where a contraction leaves its tile";
}
def SplitSums : Pass<"weft-split-sums", "::mlir::ModuleOp"> {
  let summary = "Cut sums over everything in two, so that all threads take part";
}
def FuseRows : Weft_FusedPass<"weft-fuse-rows"> {
  let summary = "Compute elementwise ops, norms and reductions of one iteration space in one kernel";
}
def FormKernels : Weft_FusedPass<"weft-form-kernels"> {
  let summary = "Move each group into a kernel, and every op that no fusion has taken into its own";
}
#endif // WEFT_PASSES_FUSED
