// Passes of the `fused` stage.
#ifndef WEFT_PASSES_FUSED
#define WEFT_PASSES_FUSED
include "mlir/Pass/PassBase.td"

// Marks ops with the kernel that they will be in (`kernel.group`).
class Weft_FusedPass<string flag> : Pass<flag, "::mlir::ModuleOp"> {
  let dependentDialects = ["kernel::KernelDialect"];
}

def FuseAttention : Weft_FusedPass<"weft-fuse-attention"> {
  let summary = "Make a kernel of each attention, fused with the ops that compute its mask and its bias from positions, and that draw its dropout";
}
def FuseProjections : Weft_FusedPass<"weft-fuse-projections"> {
  let summary = "Fuse matrix products that share their left side (q, k and v; gate and up) into one kernel";
}
def FuseScatters : Weft_FusedPass<"weft-fuse-scatters"> {
  let summary = "Fuse the sum of a scatter and another value into the scatter's kernel, which adds rows to what is there instead of to zeros";
}
def FuseEpilogues : Weft_FusedPass<"weft-fuse-epilogues"> {
  let summary = "Fuse elementwise ops that follow a matrix product (bias, activation, residual) into its kernel, as an epilogue, and draw a dropout's numbers there";
}
def SplitSums : Pass<"weft-split-sums", "::mlir::ModuleOp"> {
  let summary = "Split a sum over all dimensions into partial sums and their sum, so that it runs in parallel";
}
def FuseRows : Weft_FusedPass<"weft-fuse-rows"> {
  let summary = "Fuse elementwise ops, norms and reductions that share an iteration space into one kernel";
}
def FormKernels : Weft_FusedPass<"weft-form-kernels"> {
  let summary = "Outline each group of ops into a kernel.fused, and each op that no fusion took into one of its own";
}
#endif // WEFT_PASSES_FUSED
