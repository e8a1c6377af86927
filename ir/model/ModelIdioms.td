// Idioms: recognised by passes/model, kept whole for Differentiate and fusion.
#ifndef WEFT_IR_MODEL_IDIOMS
#define WEFT_IR_MODEL_IDIOMS

include "ir/model/ModelBase.td"

def Model_ContractOp : Model_Inferred<"contract", "contract(adaptor.getOver(), adaptor.getLhs(), adaptor.getRhs())"> {
  let summary = "sum[over](lhs * rhs)";
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}
def Model_SoftmaxOp : Model_Inferred<"softmax", "softmax(adaptor.getOverAttr(), adaptor.getInput(), adaptor.getMask())"> {
  let summary = "exp(x - max) / sum over one dimension; where the mask is false the weight is 0, and rows without any are 0";
  let arguments = (ins StrAttr:$over, Model_Tensor:$input, Optional<Model_Tensor>:$mask);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input (`mask` $mask^)? attr-dict `:` type($input) (`,` type($mask)^)?";
}
def Model_SoftmaxGradOp : Model_Inferred<"softmax_grad", "softmaxGrad(adaptor.getOverAttr(), adaptor.getWeights(), adaptor.getGradient())"> {
  let summary = "weights * (gradient - sum[over](gradient * weights))";
  let arguments = (ins StrAttr:$over, Model_Tensor:$weights, Model_Tensor:$gradient);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $weights `,` $gradient attr-dict `:` type($weights) `,` type($gradient)";
}
def Model_LogSumExpOp : Model_Inferred<"logsumexp", "logSumExp(adaptor.getOverAttr(), adaptor.getInput())"> {
  let summary = "log(sum[over](exp(x))), shifted by the maximum";
  let arguments = (ins StrAttr:$over, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input attr-dict `:` type($input)";
}
def Model_NormalizeOp : Model_Inferred<"normalize", "normalize(adaptor.getOver(), adaptor.getInput())"> {
  let summary = "(x - mean) * rsqrt(mean((x - mean)^2) + eps) over dimensions; not `centered`: x * rsqrt(mean(x^2) + eps)";
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$input, F64Attr:$eps, BoolAttr:$centered);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input `eps` $eps `centered` $centered attr-dict `:` type($input)";
}
def Model_NormalizeGradOp : Model_Inferred<"normalize_grad", "normalizeGrad(adaptor.getOver(), adaptor.getInput(), adaptor.getGradient())"> {
  let summary = "gradient of normalize with respect to its input, from the input and the result's gradient";
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$input, Model_Tensor:$gradient, F64Attr:$eps, BoolAttr:$centered);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input `,` $gradient `eps` $eps `centered` $centered attr-dict `:` type($input) `,` type($gradient)";
}
def Model_AttentionOp : Model_Inferred<"attention", "attention(attentionOf(adaptor))"> {
  let summary = "sum[key](softmax[key](sum[depth](q * k) * scale, mask) * v), and the logsumexp of each row of scores";
  let description = [{
    `depth` are the dimensions contracted between q and k, `key` the one contracted between weights and v. Results: the
    output (dimensions of the weights without key, then those of v not there yet) and `lse` (scores without key),
    natural logarithm; -inf where the mask keeps nothing. Flash attention: arXiv:2205.14135.
  }];
  let arguments = (ins StrAttr:$key, StrArrayAttr:$depth, Model_Tensor:$q, Model_Tensor:$k, Model_Tensor:$v,
                   Optional<Model_Tensor>:$mask, F64Attr:$scale);
  let results = (outs Model_Tensor:$output, Model_Tensor:$lse);
  let assemblyFormat = "$key $depth $q `,` $k `,` $v (`mask` $mask^)? `scale` $scale attr-dict `:` type($q) `,` type($k) `,` type($v) (`,` type($mask)^)?";
}
def Model_AttentionGradOp : Model_Inferred<"attention_grad", "attentionGrad(attentionOf(adaptor), adaptor.getOutput(), adaptor.getLse(), adaptor.getGradient())"> {
  let summary = "gradients of attention with respect to q, k and v, from its results and the output's gradient";
  let arguments = (ins StrAttr:$key, StrArrayAttr:$depth, Model_Tensor:$q, Model_Tensor:$k, Model_Tensor:$v,
                   Optional<Model_Tensor>:$mask, Model_Tensor:$output, Model_Tensor:$lse, Model_Tensor:$gradient, F64Attr:$scale);
  let results = (outs Model_Tensor:$dq, Model_Tensor:$dk, Model_Tensor:$dv);
  let assemblyFormat = "$key $depth $q `,` $k `,` $v (`mask` $mask^)? `of` $output `,` $lse `by` $gradient `scale` $scale attr-dict `:` type($q) `,` type($k) `,` type($v) (`,` type($mask)^)? `,` type($output) `,` type($lse) `,` type($gradient)";
}

#endif // WEFT_IR_MODEL_IDIOMS
