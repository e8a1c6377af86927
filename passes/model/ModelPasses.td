// Passes of the `model` stage.
#ifndef WEFT_PASSES_MODEL
#define WEFT_PASSES_MODEL

include "mlir/Pass/PassBase.td"

class Weft_ModelPass<string flag> : Pass<flag, "::mlir::ModuleOp">;

def StateObligations : Pass<"weft-state-obligations", "::mlir::ModuleOp"> {
  let summary = "What must hold of the sizes of a function: shown, refused, or listed to be checked by every run";
  let description = [{
    Ops say what they ask of sizes (`model.pick`: the position is below the size), dimensions too (every size is at least 1, a
    division is exact, a bound is kept), and positions that are computed are shown to be inside, as programs compute them: with
    ints that wrap and floats that round. What follows from equations, bounds and numbers is discharged. What holds for no size
    is an error. The rest is the function's attribute `model.requires`, which nothing removes.
  }];
}
def FoldSizes : Weft_ModelPass<"weft-fold-sizes"> {
  let summary = "Sizes of dimensions become numbers, or polynomials in those that come with the data";
}

def FormContractions : Weft_ModelPass<"weft-form-contractions"> {
  let summary = "One contraction in the place of sum[d](a * b)";
  let description = [{
    Only where it is one: both sides have every summed dimension, and each has a dimension that the other lacks.
    Constant factors move behind it; outer products under the sum (`sum[d, e](q * m * k)`) become a chain.
  }];
}

def FormSoftmax : Weft_ModelPass<"weft-form-softmax"> {
  let summary = "One softmax in the place of exp(x - max) / sum, plain or masked";
}

def FormLogSumExp : Weft_ModelPass<"weft-form-log-sum-exp"> {
  let summary = "One logsumexp in the place of shift + log(sum(exp(x - shift))), the shift being the maximum where that is finite, otherwise 0";
}

def FormNormalize : Weft_ModelPass<"weft-form-normalize"> {
  let summary = "One normalize in the place of (x - mean) / sqrt(variance + eps) or x / sqrt(mean(x^2) + eps)";
}

def FormAttention : Weft_ModelPass<"weft-form-attention"> {
  let summary = "One attention in the place of contraction, scale, softmax, contraction";
  let description = [{
    Refused, with a remark, where the scores or the weights are wanted for themselves: they would have to be kept.
  }];
}

def SinkRenames : Weft_ModelPass<"weft-sink-renames"> {
  let summary = "One activation in the place of one under several names: f(x[a as b]) becomes f(x)[a as b]";
  let description = [{
    Contractions of one activation under several names become contractions of it under its own, which one kernel computes:
    q, k and v of a self-attention that takes x and `x[seq as key]`. So do norms and elementwise ops that are computed under
    two names, which are then computed once; elementwise ops behind what has moved follow it. The other operands must have
    neither of the two names, and the op must not sum over the new one.
  }];
}

def Differentiate : Weft_ModelPass<"weft-differentiate"> {
  let summary = "The entry X.gradient: the results of X, then the gradient of its first scalar by every parameter";
  let description = [{
    Reverse mode. A `repeat` becomes one that runs the other way; of each forward pass it keeps the values with the
    fewest bytes from which the rest can be computed again without contractions or reductions. Every kept value is a
    remark. It derives what the module's trainings need, and the gradients of `entries`. A parameter that the result does not
    depend on has a gradient of zeros: if an update takes it, or the entry's `model.parameters` names it.
  }];
  let options = [
    ListOption<"entries", "entries", "std::string", "the functions to differentiate">,
    Option<"inputs", "inputs", "bool", "false", "gradients of `entries` by float arguments too">];
}

def Decode : Weft_ModelPass<"weft-decode"> {
  let summary = "X.advance: the new rows of a sequence, from caches of the old ones";
  let description = [{
    Proves for every `model.decoding` that position i of the entry's results depends on positions up to i alone, or
    says which operation looks ahead. Then writes one function that takes any number of new positions: a prompt, a piece of
    it, or one. What its reductions need of earlier positions is cached: the values with the fewest bytes from which the
    rest can be computed again without contractions or statistics; of a running sum, its last row. Results are those of the
    last position. What does not depend on the sequence at all (an encoder, keys and values of its output) is computed by
    X.begin, which runs once and leaves it in caches. Rows that a window has left behind are kept; a remark says so.
  }];
  let options = [Option<"every", "every", "bool", "false", "results of all new positions, not of the last alone">];
}

#endif // WEFT_PASSES_MODEL
