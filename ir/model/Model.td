// The model dialect: what is computed, over named dimensions. Nothing here says when or where.
#ifndef WEFT_IR_MODEL
#define WEFT_IR_MODEL

include "ir/model/ModelBase.td"

def Model_ParameterKind : I32EnumAttr<"ParameterKind", "what storage is for", [
    I32EnumAttrCase<"parameter", 0>, I32EnumAttrCase<"state", 1>, I32EnumAttrCase<"optimizer", 2>]> {
  let cppNamespace = "::weft::model";
}
def Model_InitKind : I32EnumAttr<"InitKind", "how storage starts", [
    I32EnumAttrCase<"constant", 0>, I32EnumAttrCase<"normal", 1>, I32EnumAttrCase<"uniform", 2>]> {
  let cppNamespace = "::weft::model";
}
def Model_Comparison : I32EnumAttr<"Comparison", "an ordering", [
    I32EnumAttrCase<"lt", 0>, I32EnumAttrCase<"le", 1>, I32EnumAttrCase<"gt", 2>,
    I32EnumAttrCase<"ge", 3>, I32EnumAttrCase<"eq", 4>, I32EnumAttrCase<"ne", 5>]> {
  let cppNamespace = "::weft::model";
}

class Model_Op<string mnemonic, list<Trait> traits = []> : Op<Model_Dialect, mnemonic, traits>;

//===-- Declarations ----------------------------------------------------------------------------===//

def Model_DimOp : Model_Op<"dim", [Symbol]> {
  let summary = "a dimension of the program";
  let description = [{
    `size` is absent for a dimension that comes with the data, a number for a static one, and a
    polynomial in run-time dimensions for one that follows from them (`key = seq`). `bound` is what the
    source promises (`seq <= position`). `parts` lists the parts of `dim token = class | seq`.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<Model_SizeAttr>:$size,
                   OptionalAttr<Model_SizeAttr>:$bound, OptionalAttr<StrArrayAttr>:$parts);
  let assemblyFormat = "$sym_name (`=` $size^)? (`bound` $bound^)? (`parts` $parts^)? attr-dict";
}

def Model_ParameterOp : Model_Op<"parameter", [Symbol]> {
  let summary = "storage that outlives a run";
  let description = [{
    The type has the dimensions of the enclosing `repeat`s first, then the declared ones; `loops` counts the
    former. `value` is the standard deviation of `normal`, the half-width of `uniform`, or the constant.
    `of` names the parameter that an optimizer state belongs to.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Model_Tensor>:$type,
                   DefaultValuedAttr<I64Attr, "0">:$loops,
                   DefaultValuedAttr<Model_ParameterKind, "::weft::model::ParameterKind::parameter">:$kind,
                   DefaultValuedAttr<Model_InitKind, "::weft::model::InitKind::constant">:$init,
                   DefaultValuedAttr<F64Attr, "0.0">:$value, OptionalAttr<FlatSymbolRefAttr>:$of);
  let assemblyFormat = "$sym_name `:` $type attr-dict";
}

def Model_ParamOp : Model_Op<"param", [MemoryEffects<[MemRead]>]> {
  let summary = "reads a parameter; inside its loops, the slice of the current pass";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Model_AssignOp : Model_Op<"assign", [MemoryEffects<[MemWrite]>]> {
  let summary = "the value that a parameter or state has after this run";
  let arguments = (ins FlatSymbolRefAttr:$name, Model_Tensor:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}

//===-- Leaves ----------------------------------------------------------------------------------===//

class Model_Pure<string mnemonic, list<Trait> traits = []> : Model_Op<mnemonic, [Pure] # traits>;
class Model_Inferred<string mnemonic, list<Trait> traits = []>
    : Model_Pure<mnemonic, [DeclareOpInterfaceMethods<InferTypeOpInterface>] # traits>;

def Model_ConstantOp : Model_Inferred<"constant", [ConstantLike]> {
  let summary = "a scalar: a float attribute is f64 (rounded when compiled), a whole number i64, a switch i1";
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr, I1Attr]>:$value);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}
def Model_IndexOp : Model_Inferred<"index"> {
  let summary = "the positions along a dimension: i64, 0 to size - 1";
  let arguments = (ins StrAttr:$dim);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim attr-dict";
}
def Model_SizeOp : Model_Inferred<"extent"> {
  let summary = "the size of a dimension, or a polynomial of sizes, as a whole number";
  let arguments = (ins Model_SizeAttr:$size);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$size attr-dict";
  let hasFolder = 1;
}
def Model_RandomOp : Model_Pure<"random"> {
  let summary = "uniform in [0, 1), a function of (seed, step, path, index by named dimensions) alone";
  let arguments = (ins StrAttr:$path);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$path attr-dict `:` type($result)";
}

//===-- Elementwise: dimensions of the result are the union, left to right ------------------------===//

class Model_Unary<string mnemonic> : Model_Inferred<mnemonic, [Elementwise]> {
  let arguments = (ins Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_NegOp : Model_Unary<"neg"> { let summary = "-x"; }
def Model_ExpOp : Model_Unary<"exp"> { let summary = "e ^ x"; }
def Model_LogOp : Model_Unary<"log"> { let summary = "natural logarithm"; }
def Model_SqrtOp : Model_Unary<"sqrt"> { let summary = "square root; its derivative at 0 is 0"; }
def Model_RsqrtOp : Model_Unary<"rsqrt"> { let summary = "1 / sqrt(x)"; }
def Model_SinOp : Model_Unary<"sin"> { let summary = "sine"; }
def Model_CosOp : Model_Unary<"cos"> { let summary = "cosine"; }
def Model_TanhOp : Model_Unary<"tanh"> { let summary = "hyperbolic tangent"; }
def Model_ErfOp : Model_Unary<"erf"> { let summary = "error function"; }
def Model_NotOp : Model_Unary<"not"> { let summary = "logical not (i1)"; }
def Model_FloorOp : Model_Unary<"floor"> { let summary = "largest whole number not above x: f32 to i64"; }
def Model_ToFloatOp : Model_Unary<"to_float"> { let summary = "whole number or switch (0, 1) to float"; }
def Model_ToIntOp : Model_Unary<"to_int"> { let summary = "switch to whole number"; }
def Model_ClampOp : Model_Inferred<"clamp", [Elementwise]> {
  let summary = "cuts whole numbers to [0, size(dim) - 1]";
  let arguments = (ins StrAttr:$dim, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim $input attr-dict `:` type($input)";
}

class Model_Binary<string mnemonic, list<Trait> traits = []> : Model_Inferred<mnemonic, [Elementwise] # traits> {
  let arguments = (ins Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
}
def Model_AddOp : Model_Binary<"add", [Commutative]> { let summary = "a + b, elements f32 or i64"; }
def Model_SubOp : Model_Binary<"sub"> { let summary = "a - b, elements f32 or i64"; }
def Model_MulOp : Model_Binary<"mul", [Commutative]> { let summary = "a * b, elements f32 or i64"; }
def Model_DivOp : Model_Binary<"div"> { let summary = "a / b, floats"; }
def Model_FloorDivOp : Model_Binary<"floordiv"> { let summary = "floor(a / b) of whole numbers, exact"; }
def Model_ModOp : Model_Binary<"mod"> { let summary = "a % b with the sign of b; elements f32 or i64"; }
def Model_PowOp : Model_Binary<"pow"> { let summary = "a ^ b, floats; a whole constant exponent is repeated multiplication"; }
def Model_MaxOp : Model_Binary<"max"> { let summary = "the larger; NaN passes; a tie's gradient goes to b"; }
def Model_MinOp : Model_Binary<"min"> { let summary = "the smaller; NaN passes; a tie's gradient goes to b"; }
def Model_AndOp : Model_Binary<"and", [Commutative]> { let summary = "logical and (i1)"; }
def Model_OrOp : Model_Binary<"or", [Commutative]> { let summary = "logical or (i1)"; }
def Model_CompareOp : Model_Inferred<"compare", [Elementwise]> {
  let summary = "a < b and its kin; gives i1; elements f32, i64 or i1 alike on both sides";
  let arguments = (ins Model_Comparison:$predicate, Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
}
def Model_WhereOp : Model_Inferred<"where", [Elementwise]> {
  let summary = "then where the condition holds, else otherwise; the branch not taken contributes exactly 0 to gradients";
  let arguments = (ins Model_Tensor:$condition, Model_Tensor:$then, Model_Tensor:$otherwise);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$condition `,` $then `,` $otherwise attr-dict `:` type($condition) `,` type($then) `,` type($otherwise)";
  let hasFolder = 1;
}

//===-- Reductions ------------------------------------------------------------------------------===//

class Model_Reduction<string mnemonic> : Model_Inferred<mnemonic> {
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input attr-dict `:` type($input)";
}
def Model_SumOp : Model_Reduction<"sum"> { let summary = "sum over dimensions (0 if empty); f32 or i64"; }
def Model_ReduceMaxOp : Model_Reduction<"reduce_max"> { let summary = "maximum (-inf if empty); NaN passes; gradient to the lowest index"; }
def Model_ReduceMinOp : Model_Reduction<"reduce_min"> { let summary = "minimum (+inf if empty); NaN passes; gradient to the lowest index"; }
def Model_ArgMaxOp : Model_Reduction<"argmax"> { let summary = "i64 position of the maximum along one dimension; lowest on ties, NaN is largest"; }
def Model_TopOp : Model_Inferred<"top"> {
  let summary = "i64 positions of the size(k) largest along `dim`, largest first, new dimension `k` last";
  let arguments = (ins StrAttr:$k, StrAttr:$dim, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$k `of` $dim $input attr-dict `:` type($input)";
}
def Model_CumSumOp : Model_Inferred<"cumsum"> {
  let summary = "running sum along a dimension; `reverse` runs from the end (its gradient)";
  let arguments = (ins StrAttr:$dim, Model_Tensor:$input, UnitAttr:$reverse);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim (`reverse` $reverse^)? $input attr-dict `:` type($input)";
}

//===-- Views and movement ------------------------------------------------------------------------===//

def Model_BroadcastOp : Model_Inferred<"broadcast"> {
  let summary = "the same value along further dimensions";
  let arguments = (ins Model_Tensor:$input, StrArrayAttr:$along);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input `along` $along attr-dict `:` type($input)";
}
def Model_RegroupOp : Model_Inferred<"regroup"> {
  let summary = "x[a as b], x[a as (b, c)], x[(a, b) as c]: renames, splits and merges, row-major";
  let description = "`from` leaves the type and `to` stands where the first of `from` stood; sizes agree as products.";
  let arguments = (ins Model_Tensor:$input, StrArrayAttr:$from, StrArrayAttr:$to);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $from `as` $to attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_ArrangeOp : Model_Pure<"arrange"> {
  let summary = "the same value with its dimensions listed in another order (as entries and files declare them)";
  let arguments = (ins Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
}
def Model_PartOp : Model_Inferred<"part"> {
  let summary = "a contiguous part: `dim` becomes `part`, starting at `offset`";
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, StrAttr:$part, Model_SizeAttr:$offset);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `as` $part `at` $offset attr-dict `:` type($input)";
}
def Model_PickOp : Model_Inferred<"pick"> {
  let summary = "one position, known at build time: x[role = 0]";
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, I64Attr:$position);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `=` $position attr-dict `:` type($input)";
}
def Model_GatherOp : Model_Inferred<"gather"> {
  let summary = "x[dim = index]: one element per index; dimensions that both have meet by name";
  let description = "Result: the dimensions of the input without `dim`, then those of the index not there yet.";
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, Model_Tensor:$index);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `=` $index attr-dict `:` type($input) `,` type($index)";
}
def Model_ScatterOp : Model_Pure<"scatter"> {
  let summary = "the transpose of gather: result[.., dim = index] += input, everything else 0";
  let description = "Dimensions of input or index that the result type lacks are summed. Sums run in index order.";
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, Model_Tensor:$index);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `=` $index attr-dict `:` type($input) `,` type($index) `->` type($result)";
}
def Model_InsertPartOp : Model_Pure<"insert_part"> {
  let summary = "`into` with its elements from `offset` on along `dim` replaced by `input` (which has `part` there); also the transpose of part";
  let arguments = (ins Model_Tensor:$input, Model_Tensor:$into, StrAttr:$dim, StrAttr:$part, Model_SizeAttr:$offset);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input `into` $into $dim `as` $part `at` $offset attr-dict `:` type($input) `,` type($into) `->` type($result)";
}
def Model_StackOp : Model_Inferred<"stack"> {
  let summary = "inputs side by side along a new dimension, which comes last";
  let arguments = (ins StrAttr:$dim, Variadic<Model_Tensor>:$inputs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim $inputs attr-dict `:` type($inputs)";
}
def Model_ConcatOp : Model_Inferred<"concat"> {
  let summary = "joins parts: input i has `parts`[i], the result `dim` in its place";
  let arguments = (ins StrAttr:$dim, StrArrayAttr:$parts, Variadic<Model_Tensor>:$inputs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim `of` $parts $inputs attr-dict `:` type($inputs)";
}

//===-- Loops -------------------------------------------------------------------------------------===//

def Model_RepeatOp : Model_Op<"repeat", [AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects]> {
  let summary = "one pass per position of `dim`, carrying values along";
  let description = [{
    Operands: the carried values, then slices. Region arguments: the carried values, then the slices of this
    pass (without `dim`). The yield gives the next carried values, then stacked values. Results: the carried
    values after the last pass, then each stacked value with `dim` in front. `reverse` runs from the last
    position to the first; slices and stacked values stay at their own position. Zero passes are the identity.
  }];
  let arguments = (ins StrAttr:$dim, Variadic<Model_Tensor>:$carried, Variadic<Model_Tensor>:$slices, UnitAttr:$reverse);
  let results = (outs Variadic<Model_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumCarried() { return getCarried().size(); }
  }];
}

def Model_YieldOp : Model_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "ends a pass";
  let arguments = (ins Variadic<Model_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{}]>];
}

//===-- Idioms: recognised by passes/model/Form*.cpp, kept whole for Differentiate and fusion ----------===//

def Model_ContractOp : Model_Inferred<"contract"> {
  let summary = "sum[over](lhs * rhs)";
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
}
def Model_SoftmaxOp : Model_Inferred<"softmax"> {
  let summary = "exp(x - max) / sum over one dimension; where the mask is false the weight is 0, and rows without any are 0";
  let arguments = (ins StrAttr:$over, Model_Tensor:$input, Optional<Model_Tensor>:$mask);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input (`mask` $mask^)? attr-dict `:` type($input) (`,` type($mask)^)?";
}
def Model_SoftmaxGradOp : Model_Inferred<"softmax_grad"> {
  let summary = "weights * (gradient - sum[over](gradient * weights))";
  let arguments = (ins StrAttr:$over, Model_Tensor:$weights, Model_Tensor:$gradient);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $weights `,` $gradient attr-dict `:` type($weights) `,` type($gradient)";
}
def Model_LogSumExpOp : Model_Inferred<"logsumexp"> {
  let summary = "log(sum[over](exp(x))), shifted by the maximum";
  let arguments = (ins StrAttr:$over, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input attr-dict `:` type($input)";
}
def Model_NormalizeOp : Model_Inferred<"normalize"> {
  let summary = "(x - mean) * rsqrt(mean((x - mean)^2) + eps) over dimensions; not `centered`: x * rsqrt(mean(x^2) + eps)";
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$input, F64Attr:$eps, BoolAttr:$centered);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input `eps` $eps `centered` $centered attr-dict `:` type($input)";
}
def Model_NormalizeGradOp : Model_Inferred<"normalize_grad"> {
  let summary = "gradient of normalize with respect to its input, from the input and the result's gradient";
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$input, Model_Tensor:$gradient, F64Attr:$eps, BoolAttr:$centered);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input `,` $gradient `eps` $eps `centered` $centered attr-dict `:` type($input) `,` type($gradient)";
}
def Model_AttentionOp : Model_Inferred<"attention"> {
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
def Model_AttentionGradOp : Model_Inferred<"attention_grad"> {
  let summary = "gradients of attention with respect to q, k and v, from its results and the output's gradient";
  let arguments = (ins StrAttr:$key, StrArrayAttr:$depth, Model_Tensor:$q, Model_Tensor:$k, Model_Tensor:$v,
                   Optional<Model_Tensor>:$mask, Model_Tensor:$output, Model_Tensor:$lse, Model_Tensor:$gradient, F64Attr:$scale);
  let results = (outs Model_Tensor:$dq, Model_Tensor:$dk, Model_Tensor:$dv);
  let assemblyFormat = "$key $depth $q `,` $k `,` $v (`mask` $mask^)? `of` $output `,` $lse `by` $gradient `scale` $scale attr-dict `:` type($q) `,` type($k) `,` type($v) (`,` type($mask)^)? `,` type($output) `,` type($lse) `,` type($gradient)";
}

#endif // WEFT_IR_MODEL
