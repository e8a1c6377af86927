// Leaves and elementwise ops: the dimensions of a result are the union of the operands', in the order of
// the first operand that has all of them, else left to right.
#ifndef WEFT_IR_MODEL_ELEMENTWISE
#define WEFT_IR_MODEL_ELEMENTWISE

include "ir/model/ModelBase.td"

def Model_ConstantOp : Model_Inferred<"constant", "constant(adaptor.getValue())", [ConstantLike]> {
  let summary = "a scalar: a float attribute is f64 (rounded when compiled), a whole number i64, a switch i1";
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr, I1Attr]>:$value);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}
def Model_IndexOp : Model_Inferred<"index", "index(adaptor.getDimAttr())"> {
  let summary = "the positions along a dimension: i64, 0 to size - 1";
  let arguments = (ins StrAttr:$dim);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim attr-dict";
}
def Model_SizeOp : Model_Inferred<"extent", "extent()"> {
  let summary = "the size of a dimension, or a polynomial of sizes, as a whole number";
  let description = [{
    Known when the program is built, or when its inputs are.
  }];
  let arguments = (ins Model_SizeAttr:$size);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$size attr-dict";
  let hasFolder = 1;
}
def Model_RandomOp : Model_Pure<"random"> {
  let summary = "uniform in [0, 1), a function of (seed, step, path, index by named dimensions) alone";
  let description = [{
    Philox4x32-10 with key = seed and counter = (index low, index high, step low, path), 32 bits each, low halves first;
    `path` is the two halves of FNV-1a (64 bits) of the path, xored. The number is (first word of the draw >> 8) * 2^-24, so
    f32 and f64 hold it exactly. The index of an element is the sum, modulo 2^64, over its dimensions and over those of
    the `repeat`s around the op, of position * (FNV-1a of the dimension's name | 1). So it depends on no order and on no
    size: neither layout, fusion nor batching changes a number.
  }];
  let arguments = (ins StrAttr:$path);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$path attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Model_Unary<string mnemonic, string takes = "Float", string gives = takes, list<Trait> traits = []>
    : Model_Inferred<mnemonic, "unary(adaptor.getInput(), " # takes # ", " # gives # ")", [Elementwise] # traits> {
  let arguments = (ins Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_NegOp : Model_Unary<"neg", "Float | Whole", traits = [Differentiable]> { let summary = "-x"; }
def Model_ExpOp : Model_Unary<"exp", traits = [Differentiable]> { let summary = "e ^ x"; }
def Model_LogOp : Model_Unary<"log", traits = [Differentiable]> { let summary = "natural logarithm"; }
def Model_SqrtOp : Model_Unary<"sqrt", traits = [Differentiable]> { let summary = "square root; its derivative at 0 is 0"; }
def Model_RsqrtOp : Model_Unary<"rsqrt", traits = [Differentiable]> { let summary = "1 / sqrt(x)"; }
def Model_SinOp : Model_Unary<"sin", traits = [Differentiable]> { let summary = "sine"; }
def Model_CosOp : Model_Unary<"cos", traits = [Differentiable]> { let summary = "cosine"; }
def Model_TanhOp : Model_Unary<"tanh", traits = [Differentiable]> { let summary = "hyperbolic tangent"; }
def Model_ErfOp : Model_Unary<"erf", traits = [Differentiable]> { let summary = "error function"; }
def Model_NotOp : Model_Unary<"not", "Switch"> { let summary = "logical not (i1)"; }
def Model_FloorOp : Model_Unary<"floor", "Float", "Whole"> {
  let summary = "largest whole number not above x: f32 to i64";
  let description = [{
    NaN and what int64 cannot hold are not specified; the interpreter gives 0.
  }];
}
def Model_ToFloatOp : Model_Unary<"to_float", "Whole | Switch", "Float"> { let summary = "whole number or switch (0, 1) to float"; }
def Model_ToIntOp : Model_Unary<"to_int", "Switch", "Whole"> { let summary = "switch to whole number"; }
def Model_ClampOp : Model_Inferred<"clamp", "unary(adaptor.getInput(), Whole, Whole)", [Elementwise]> {
  let summary = "cuts whole numbers to [0, size(dim) - 1]";
  let description = [{
    If the dimension is empty the result is not specified.
  }];
  let arguments = (ins StrAttr:$dim, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim $input attr-dict `:` type($input)";
}

class Model_Binary<string mnemonic, string takes, list<Trait> traits = []>
    : Model_Inferred<mnemonic, "binary(adaptor.getLhs(), adaptor.getRhs(), " # takes # ")", [Elementwise] # traits> {
  let arguments = (ins Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
}
def Model_AddOp : Model_Binary<"add", "Float | Whole", [Commutative, Differentiable]> { let summary = "a + b, elements f32 or i64"; }
def Model_SubOp : Model_Binary<"sub", "Float | Whole", [Differentiable]> { let summary = "a - b, elements f32 or i64"; }
def Model_MulOp : Model_Binary<"mul", "Float | Whole", [Commutative, Differentiable]> { let summary = "a * b, elements f32 or i64"; }
def Model_DivOp : Model_Binary<"div", "Float", [Differentiable]> { let summary = "a / b, floats"; }
def Model_FloorDivOp : Model_Binary<"floordiv", "Whole"> {
  let summary = "floor(a / b) of whole numbers, exact";
  let description = [{
    0 where b is 0. Whole numbers wrap where they leave 64 bits, here and in all ops.
  }];
}
def Model_ModOp : Model_Binary<"mod", "Float | Whole", [Differentiable]> {
  let summary = "a % b with the sign of b; elements f32 or i64";
  let description = [{
    a - b * floor(a / b). Of whole numbers, 0 where b is 0; of floats, NaN there.
  }];
}
def Model_PowOp : Model_Binary<"pow", "Float", [Differentiable]> {
  let summary = "a ^ b, floats; a whole constant exponent is repeated multiplication";
  let description = [{
    A whole exponent from -64 to 64 multiplies `a` that often, from the left; a negative one takes the reciprocal of the
    product. Others are the C library's pow. So a ^ 0 is 1, also for NaN.
  }];
}
def Model_MaxOp : Model_Binary<"max", "Float | Whole", [Differentiable]> { let summary = "the larger; NaN passes; a tie's gradient goes to b"; }
def Model_MinOp : Model_Binary<"min", "Float | Whole", [Differentiable]> { let summary = "the smaller; NaN passes; a tie's gradient goes to b"; }
def Model_AndOp : Model_Binary<"and", "Switch", [Commutative]> { let summary = "logical and (i1)"; }
def Model_OrOp : Model_Binary<"or", "Switch", [Commutative]> { let summary = "logical or (i1)"; }
def Model_Comparison : I32EnumAttr<"Comparison", "an ordering", [
    I32EnumAttrCase<"lt", 0>, I32EnumAttrCase<"le", 1>, I32EnumAttrCase<"gt", 2>,
    I32EnumAttrCase<"ge", 3>, I32EnumAttrCase<"eq", 4>, I32EnumAttrCase<"ne", 5>]> {
  let cppNamespace = "::weft::model";
}
def Model_CompareOp : Model_Inferred<"compare", "compare(adaptor.getLhs(), adaptor.getRhs())", [Elementwise]> {
  let summary = "a < b and its kin; gives i1; elements f32, i64 or i1 alike on both sides";
  let description = [{
    IEEE: with NaN all are false but `ne`. false < true.
  }];
  let arguments = (ins Model_Comparison:$predicate, Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
}
def Model_WhereOp : Model_Inferred<"where", "where(adaptor.getCondition(), adaptor.getThen(), adaptor.getOtherwise())", [Elementwise, Differentiable]> {
  let summary = "then where the condition holds, else otherwise; the branch not taken contributes exactly 0 to gradients";
  let description = [{
    What the branch not taken holds does not matter, NaN included.
  }];
  let arguments = (ins Model_Tensor:$condition, Model_Tensor:$then, Model_Tensor:$otherwise);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$condition `,` $then `,` $otherwise attr-dict `:` type($condition) `,` type($then) `,` type($otherwise)";
  let hasFolder = 1;
}

#endif // WEFT_IR_MODEL_ELEMENTWISE
