// Passes of the `fused` stage.
#ifndef WEFT_PASSES_FUSED
#define WEFT_PASSES_FUSED
include "mlir/Pass/PassBase.td"

def FuseAttention : Pass<"weft-fuse-attention", "::mlir::ModuleOp"> {
  let summary = "Give attention, with the mask it can compute itself, a kernel";
}
def FuseProjections : Pass<"weft-fuse-projections", "::mlir::ModuleOp"> {
  let summary = "Contract one activation with several weights in one kernel (QKV, gate and up)";
}
def FuseEpilogues : Pass<"weft-fuse-epilogues", "::mlir::ModuleOp"> {
  let summary = "Compute bias, activation and residual where a contraction leaves its tile";
}
def SplitSums : Pass<"weft-split-sums", "::mlir::ModuleOp"> {
  let summary = "Cut sums over everything in two, so that all threads take part";
}
def FuseRows : Pass<"weft-fuse-rows", "::mlir::ModuleOp"> {
  let summary = "Compute elementwise ops, norms and reductions of one iteration space in one kernel";
}
def FormKernels : Pass<"weft-form-kernels", "::mlir::ModuleOp"> {
  let summary = "Move each group into a kernel, and every op that no fusion has taken into its own";
  let dependentDialects = ["kernel::KernelDialect"];
}
#endif // WEFT_PASSES_FUSED
