// Passes of the `model` stage.
#ifndef WEFT_PASSES_MODEL
#define WEFT_PASSES_MODEL

include "mlir/Pass/PassBase.td"

class Weft_ModelPass<string flag> : Pass<flag, "::mlir::ModuleOp">;

def StateObligations : Pass<"weft-state-obligations", "::mlir::ModuleOp"> {
  let summary = "Collect the constraints on dimension sizes: prove them, reject them, or leave them to a check at run time";
  let description = [{
    Ops constrain sizes (`model.pick` needs a position below the size), and so do declarations of dimensions (a size is at
    least 1, a division is exact, a bound is kept). Computed indices are proved to be within bounds under the program's own
    arithmetic: ints that wrap at 32 bits, floats that round. A constraint that follows from equations between sizes, from
    bounds or from constants is discharged; one that no size satisfies is an error. The others become the function's attribute
    `model.requires`, which no later pass removes and every run checks.
  }];
}
def FoldSizes : Weft_ModelPass<"weft-fold-sizes"> {
  let summary = "Fold sizes of dimensions to constants, or to polynomials in the sizes that are known only at run time";
}

def Cse : Weft_ModelPass<"weft-cse"> {
  let summary = "Common subexpression elimination: equal ops become one, which is held to what is demanded of each";
}

def FormContractions : Weft_ModelPass<"weft-form-contractions"> {
  let summary = "Rewrite sum[d](a * b), a matrix product, to one model.contract";
  let description = [{
    Only where it is a matrix product: both factors have every summed dimension, and each has a dimension that the other
    lacks. Constant factors are moved out of the sum. A sum of a product of more than two factors (`sum[d, e](q * m * k)`)
    becomes a chain of contractions.
  }];
}

def FormSoftmax : Weft_ModelPass<"weft-form-softmax"> {
  let summary = "Rewrite exp(x - max(x)) / sum(exp(x - max(x))), plain or masked, to one model.softmax";
  let description = [{
    What looks like a softmax and is none is left as it is, with a remark: nothing or something else than the maximum is
    subtracted, or a mask that keeps nothing of a row would give 0 / 0, which model.softmax gives as 0.
  }];
}

def FormLogSumExp : Weft_ModelPass<"weft-form-log-sum-exp"> {
  let summary = "Rewrite shift + log(sum(exp(x - shift))) to one model.logsumexp";
  let description = [{
    The shift is the maximum where that is finite, and 0 elsewhere. With the bare maximum an infinite value gives NaN
    (inf - inf), which model.logsumexp does not: that is left as it is, with a remark. But the maximum cancels there, so it is
    marked (`shift`) as having no gradient.
  }];
}

def FormNormalize : Weft_ModelPass<"weft-form-normalize"> {
  let summary = "Rewrite (x - mean) / sqrt(variance + eps) (LayerNorm) and x / sqrt(mean(x^2) + eps) (RMSNorm) to one model.normalize";
  let description = [{
    Left as it is, with a remark, where eps is no constant above 0 (a constant row would then need the gradient of sqrt at 0), where the
    sum of squares is not divided by the number of elements, or where something else than these values is divided.
  }];
}

def FormAttention : Weft_ModelPass<"weft-form-attention"> {
  let summary = "Rewrite dropout(softmax(cap(q k * scale) + bias, masked)) v to one model.attention";
  let description = [{
    Taken along are a number that scales the scores, or values that are the same for all keys; a cap of the scores
    (`c * tanh(scores / c)`); what is added to them, before the cap or behind it (a bias: relative positions, ALiBi); and
    dropout of the weights. Of two products that are added, the one whose sides share fewer dimensions is of queries and keys.

    Left as it is, with a remark, where the scores or the attention weights have another use: they would have to be stored,
    which a fused attention kernel never does. Also where a bias has a dimension that queries and keys lack, where there is one
    on each side of a cap, and where something else is done to scores or weights.
  }];
}

def AnswerDemands : Weft_ModelPass<"weft-answer-demands"> {
  let summary = "Refuse a program of which a fusion was required that was not made; say what forbids one";
  let description = [{
    `@require(softmax)` holds where the code behind it has become at least one softmax, and nothing in it that looks like one
    was refused. If not, the error has the reason, as the pass remarked it, and what would change it. It holds for each place that
    comes of that code. Which ops do, their locations say; the module lists what is demanded (`model.demands`).
  }];
  let options = [ListOption<"without", "without", "std::string", "passes that were left out">];
}
def SinkRenames : Weft_ModelPass<"weft-sink-renames"> {
  let summary = "Move a rename of dimensions behind the op that uses it, f(x[a as b]) to f(x)[a as b], so that equal ops become one";
  let description = [{
    In self-attention q is computed of x, k and v of `x[seq as key]`. Once the rename stands behind their projections, the three
    read the same x and can be fused into one kernel. A norm or an elementwise op that was computed under two names is computed
    once; elementwise ops that follow it are moved too. Only where the other operands have neither of the two names, and the op
    does not reduce over the new one.
  }];
}

def Differentiate : Weft_ModelPass<"weft-differentiate"> {
  let summary = "Derive X.gradient by reverse-mode differentiation: the results of X, then the gradient of its first scalar result by every parameter";
  let description = [{
    A `repeat` (the loop over layers) becomes one that runs backwards. Of the activations of each iteration it saves a minimum
    cut: the fewest bytes from which the others can be recomputed without contractions or reductions; a remark names each saved
    value. With a `price` these are recomputed too, where that saves more bytes than it costs (`weft build --recompute-budget`). Derived are the gradients that the module's `model.training`s need, and those of `entries`. A parameter that the result
    does not depend on has a gradient of zeros, if an update takes it or the entry's `model.parameters` names it.
  }];
  let options = [
    ListOption<"entries", "entries", "std::string", "the functions to differentiate besides">,
    Option<"inputs", "inputs", "bool", "false", "also differentiate `entries` by their float arguments">,
    Option<"price", "price", "double", "-1",
           "bytes that are kept to save an operation; below 0: contractions and reductions are never computed again">];
}

def Decode : Weft_ModelPass<"weft-decode"> {
  let summary = "Derive X.advance, which continues a sequence by new positions, with caches of the earlier ones (a KV cache)";
  let description = [{
    Proves for every `model.decoding` that the entry is causal: position i of its results depends on positions up to i alone.
    If it is not, the error names the op that looks ahead. Then it writes one function that takes any number of new positions
    (a prompt, a chunk of it, or one token) and gives the results of the last one. What reductions need of earlier positions is
    cached, as a minimum cut: the fewest bytes from which the rest can be recomputed without contractions or reductions; of a
    running sum, its last row. What does not depend on the sequence (an encoder, the keys and values of its output) is computed
    once, by X.begin, which fills caches with it. With windowed attention, rows that have left the window stay in the cache; a
    remark says so.
  }];
  let options = [Option<"every", "every", "bool", "false", "give the results of all new positions, not of the last one alone">];
}

def ChunkLogits : Weft_ModelPass<"weft-chunk-logits"> {
  let summary = "Compute logits, and all that reads them, one position of an outer dimension at a time: no more than a chunk of them is in memory";
  let description = [{
    What is as wide as the logits of a softmax, a logsumexp or a maximum becomes a `model.repeat` along the outermost dimension of
    their rows: the product, each row's loss, the gradient, and the products that the gradient is a side of. Gradients of
    weights are carried, and what is there for each row is stacked.

    Left as it is, with a remark, where something else reads them whole (they are a result, or something looks along the rows), where a
    sum of all losses is needed first (a loss that is no sum), or where rows have one dimension only, so that a chunk would be a row; and
    where chunks would save little: classes come from no parameter, or are fewer than what each of them sums up.

    Runs only where memory asks for it (`weft build --recompute-budget`): each chunk reads the weight, and adds to all of its gradient.
  }];
}

#endif // WEFT_PASSES_MODEL
