// Idioms: recognised by passes/model, kept whole for Differentiate and fusion.
#ifndef WEFT_IR_MODEL_IDIOMS
#define WEFT_IR_MODEL_IDIOMS

include "ir/model/ModelBase.td"

def Model_IdiomDocs : OpDocGroup {
  let summary = "Idioms";
  let description = [{
    What transformers are made of. The passes of the `model` stage recognise them in what the user wrote; each has one op as
    its gradient and its own kernel. Elements are floats.
  }];
}

let opDocGroup = Model_IdiomDocs in {
def Model_ContractOp : Model_Inferred<"contract", "contract(adaptor.getOver(), adaptor.getLhs(), adaptor.getRhs())", [Differentiable, Idiom, AddsUp]> {
  let summary = "a sum of products over dimensions";
  let description = [{
    `sum[over](lhs * rhs)`. The result has the dimensions of lhs without `over`, then those of rhs not there yet. Both sides
    have every dimension of `over`, which may be empty. The order of the sum is the back end's, fixed by build and shape.

    With `tf32` each factor is read rounded to the 11 bits of tf32, to nearest, halves away from zero: relatively by 2^-11 at most.

    ```mlir
    %y = model.contract ["model"] %x, %weight : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model, head, dh>
    // gives !model.tensor<f32, batch, seq, head, dh>
    ```
  }];
  let arguments = (ins Model_DimsAttr:$over, Model_Tensor:$lhs, Model_Tensor:$rhs, UnitAttr:$tf32);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dims>($over) $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}
def Model_SoftmaxOp : Model_Inferred<"softmax", "softmax(adaptor.getOverAttr(), adaptor.getInput(), adaptor.getMask())", [Differentiable, Idiom, Reducing]> {
  let summary = "exponentials that add up to 1 along a dimension";
  let description = [{
    `e / sum(e)` with `e = exp(x - max)` along `over`; the result has the input's type. A row of -inf alone is NaN, as is any
    row with +inf or NaN. Where a mask is false, e is 0, and `max` is that of what is kept. Elements that are not kept are not
    looked at: they may be NaN; the mask has no dimension that the input lacks. With a mask, or `guarded`, a sum that is not
    above 0 counts as 1: a row in which the mask keeps nothing is 0, and where what is kept is not finite, the rest stays 0.

    ```mlir
    %weights = model.softmax "key" %scores mask %keep : !model.tensor<f32, batch, query, key>, !model.tensor<i1, query, key>
    // gives !model.tensor<f32, batch, query, key>
    ```
  }];
  let arguments = (ins Model_DimAttr:$over, Model_Tensor:$input, Optional<Model_Tensor>:$mask, UnitAttr:$guarded);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($over) $input (`mask` $mask^)? (`guarded` $guarded^)? attr-dict `:` type($input) (`,` type($mask)^)?";
}
def Model_SoftmaxGradOp : Model_Inferred<"softmax_grad", "softmaxGrad(adaptor.getOverAttr(), adaptor.getWeights(), adaptor.getGradient())", [Idiom, Reducing]> {
  let summary = "the gradient of softmax by its input";
  let description = [{
    `weights * (gradient - sum[over](gradient * weights))`, from the weights that softmax gave and their gradient, which has the
    same dimensions. Rows of zeros, which a mask emptied, give zeros.
  }];
  let arguments = (ins Model_DimAttr:$over, Model_Tensor:$weights, Model_Tensor:$gradient);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($over) $weights `,` $gradient attr-dict `:` type($weights) `,` type($gradient)";
}
def Model_LogSumExpOp : Model_Inferred<"logsumexp", "logSumExp(adaptor.getOverAttr(), adaptor.getInput())", [Differentiable, Idiom, Reducing]> {
  let summary = "the logarithm of a sum of exponentials";
  let description = [{
    `log(sum[over](exp(x)))`, shifted by the maximum so that nothing overflows. The result lacks `over`. -inf if all are -inf
    or there are none; +inf if one is and none is NaN.

    ```mlir
    %norm = model.logsumexp "vocab" %logits : !model.tensor<f32, batch, seq, vocab>
    // gives !model.tensor<f32, batch, seq>
    ```
  }];
  let arguments = (ins Model_DimAttr:$over, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($over) $input attr-dict `:` type($input)";
}
def Model_NormalizeOp : Model_Inferred<"normalize", "normalize(adaptor.getOver(), adaptor.getInput())", [Differentiable, Idiom, Reducing]> {
  let summary = "values shifted to mean 0 and scaled to variance 1";
  let description = [{
    Centered: `(x - mean) * rsqrt(mean((x - mean)^2) + eps)` (LayerNorm, arXiv:1607.06450). Not centered:
    `x * rsqrt(mean(x^2) + eps)` (RMSNorm, arXiv:1910.07467). The mean is over all positions of `over` together, with divisor
    their number. The result has the input's type.

    ```mlir
    %y = model.normalize ["model"] %x eps 1.0e-05 centered true : !model.tensor<f32, batch, seq, model>
    // gives !model.tensor<f32, batch, seq, model>
    ```
  }];
  let arguments = (ins Model_DimsAttr:$over, Model_Tensor:$input, F64Attr:$eps, BoolAttr:$centered);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dims>($over) $input `eps` $eps `centered` $centered attr-dict `:` type($input)";
}
def Model_NormalizeGradOp : Model_Inferred<"normalize_grad", "normalizeGrad(adaptor.getOver(), adaptor.getInput(), adaptor.getGradient())", [Idiom, Reducing]> {
  let summary = "the gradient of normalize by its input";
  let description = [{
    From the input and the result's gradient, which have the same dimensions. With y = normalize(x), r its rsqrt factor and g
    the gradient: `r * (g - mean(g) - y * mean(g * y))`; without `mean(g)` if not `centered`.
  }];
  let arguments = (ins Model_DimsAttr:$over, Model_Tensor:$input, Model_Tensor:$gradient, F64Attr:$eps, BoolAttr:$centered);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dims>($over) $input `,` $gradient `eps` $eps `centered` $centered attr-dict `:` type($input) `,` type($gradient)";
}
def Model_AttentionOp : Model_Inferred<"attention", "attention(attentionOf(adaptor))", [Differentiable, Idiom, AttrSizedOperandSegments]> {
  let summary = "scaled dot-product attention";
  let description = [{
    `sum[key](dropped(softmax[key](scores, mask)) * v)`, and the logsumexp of each row of scores, of
    `scores = sum[depth](q * k) * scale`.

    `depth` are the dimensions contracted between q and k, `key` the one contracted between weights and v; q lacks `key`.
    Scores have the dimensions of q without depth, then those of k not there yet; mask, bias and keep have none that they lack. Results:
    the output (dimensions of the scores without key, then those of v not there yet) and `lse` (scores without key), the
    natural logarithm of the sum of exp over the kept scores: -inf where the mask keeps nothing, and there the output is 0. v
    may have the names of `depth`: they are then its own dimensions. k and v are finite also where the mask is false, else
    the rows concerned are not specified. Flash attention: arXiv:2205.14135.

    With a `cap` other than 0, scores are `cap * tanh(sum[depth](q * k) * scale / cap)` (Gemma 2, arXiv:2408.00118). A `bias` (floats) is
    added to that; with `capped_bias` it is added to what is capped. With `keep`, switches, the weights that values are summed by are
    `where(keep, weight * keep_factor, 0)` (dropout); `lse` is of all.

    With `narrow_weights` the product with v reads its weights as bf16: each is rounded, which changes it by at most 2^-8 of it.

    ```mlir
    %output, %lse = model.attention "key" ["dh"] %q, %k, %v mask %causal scale 0.125 : !model.tensor<f32, seq, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<f32, key, head, dh>, !model.tensor<i1, seq, key>
    // gives !model.tensor<f32, seq, head, dh>, !model.tensor<f32, seq, head>
    ```
  }];
  let arguments = (ins Model_DimAttr:$key, Model_DimsAttr:$depth, Model_Tensor:$q, Model_Tensor:$k, Model_Tensor:$v,
                   Optional<Model_Tensor>:$mask, Optional<Model_Tensor>:$bias, Optional<Model_Tensor>:$keep, F64Attr:$scale,
                   DefaultValuedAttr<F64Attr, "0.0">:$cap, DefaultValuedAttr<F64Attr, "1.0">:$keep_factor, UnitAttr:$capped_bias,
                   UnitAttr:$narrow_weights);
  let results = (outs Model_Tensor:$output, Model_Tensor:$lse);
  let assemblyFormat = "custom<Dim>($key) custom<Dims>($depth) $q `,` $k `,` $v (`mask` $mask^)? (`bias` `(` $bias^ `:` type($bias) `)`)? (`keep` `(` $keep^ `:` type($keep) `by` $keep_factor `)`)? `scale` $scale (`cap` $cap^)? attr-dict `:` type($q) `,` type($k) `,` type($v) (`,` type($mask)^)?";
}
def Model_AttentionGradOp : Model_Inferred<"attention_grad", "attentionGrad(attentionOf(adaptor), adaptor.getOutput(), adaptor.getLse(), adaptor.getGradient())", [Idiom, AttrSizedOperandSegments]> {
  let summary = "the gradients of attention by q, k, v and the bias";
  let description = [{
    From the results of attention and the gradient of its output. With p = `mask ? exp(scores - lse) : 0`, dropped(x) =
    `keep ? x * keep_factor : 0` and d = `sum(gradient * output)` per row: dv = `sum(dropped(p) * gradient)`,
    ds = `p * (dropped(sum(gradient * v)) - d)`, dbias = `sum(ds)`, and of the products of q and k, where capped is the quotient by `cap` of
    what was capped: dr = `ds * (1 - capped^2) * scale`, dq = `sum(dr * k)`, dk = `sum(dr * q)`, each summed over what its type lacks. With
    `capped_bias` dbias has the factor of the cap too. Rows that the mask empties contribute 0. Where
    the gradient of a row is not finite, whether it reaches keys that the mask hides from it is not specified. dq, dk, dv and dbias, which is
    there if the bias is, have the types of q, k, v and the bias.

    With `narrow_weights` products read p (for dv) and ds (for dq and dk) as bf16, which changes each by at most 2^-8 of it; ds itself is of p
    as it is.
  }];
  let arguments = (ins Model_DimAttr:$key, Model_DimsAttr:$depth, Model_Tensor:$q, Model_Tensor:$k, Model_Tensor:$v,
                   Optional<Model_Tensor>:$mask, Optional<Model_Tensor>:$bias, Optional<Model_Tensor>:$keep, Model_Tensor:$output,
                   Model_Tensor:$lse, Model_Tensor:$gradient, F64Attr:$scale, DefaultValuedAttr<F64Attr, "0.0">:$cap,
                   DefaultValuedAttr<F64Attr, "1.0">:$keep_factor, UnitAttr:$capped_bias, UnitAttr:$narrow_weights);
  let results = (outs Model_Tensor:$dq, Model_Tensor:$dk, Model_Tensor:$dv, Optional<Model_Tensor>:$dbias);
  let assemblyFormat = "custom<Dim>($key) custom<Dims>($depth) $q `,` $k `,` $v (`mask` $mask^)? (`bias` `(` $bias^ `:` type($bias) `)`)? (`keep` `(` $keep^ `:` type($keep) `by` $keep_factor `)`)? `of` $output `,` $lse `by` $gradient `scale` $scale (`cap` $cap^)? attr-dict `:` type($q) `,` type($k) `,` type($v) `,` type($output) `,` type($lse) `,` type($gradient) (`,` type($mask)^)?";
}
} // opDocGroup

#endif // WEFT_IR_MODEL_IDIOMS
