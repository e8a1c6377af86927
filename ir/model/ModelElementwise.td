// Leaves and elementwise ops: the dimensions of a result are the union of the operands', in the order of
// the first operand that has all of them, else left to right.
#ifndef WEFT_IR_MODEL_ELEMENTWISE
#define WEFT_IR_MODEL_ELEMENTWISE

include "ir/model/ModelBase.td"

def Model_LeafDocs : OpDocGroup {
  let summary = "Leaves";
  let description = "Values that are made from nothing: numbers, positions, sizes, random numbers.";
}
def Model_ElementwiseDocs : OpDocGroup {
  let summary = "Elementwise";
  let description = [{
    Operands meet by name, so nothing is ever transposed or broadcast to fit. The result has the union of the operands'
    dimensions: in the order of the first operand that has them all, else from left to right. All floats are `f32` (`f64` in
    the interpreter); whole numbers are `i32` and wrap where they leave it; switches are `i1`. An index is a whole number. Where
    one of two is chosen (`where`, `max`, `min`), positions of one dimension stay that; results of arithmetic are `i32`.

    ```mlir
    %biased = model.add %x, %bias : !model.tensor<f32, batch, seq, model>, !model.tensor<f32, model>
    // gives !model.tensor<f32, batch, seq, model>
    ```
  }];
}

let opDocGroup = Model_LeafDocs in {
def Model_ConstantOp : Model_Inferred<"constant", "constant(adaptor.getValue())", [ConstantLike, Free, Exact]> {
  let summary = "a scalar that is known when the program is built";
  let description = [{
    A tensor without dimensions. A float is kept as `f64`, so that the interpreter sees all of it, and has type `f32`; a
    whole number is kept as `i64` and has type `i32`, a switch is `i1`.

    ```mlir
    %eps = model.constant 1.0e-05 : f64
    // gives !model.tensor<f32>
    %two = model.constant 2 : i64
    // gives !model.tensor<i32>
    ```
  }];
  let arguments = (ins AnyAttrOf<[F64Attr, I64Attr, I1Attr]>:$value);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$value attr-dict";
  let hasFolder = 1;
}
def Model_IndexOp : Model_Inferred<"index", "index(adaptor.getDimAttr())", [Free, Exact, Positional]> {
  let summary = "the positions along a dimension";
  let description = [{
    The whole numbers from 0 to `size(dim) - 1`, with `dim` as their only dimension.

    ```mlir
    %position = model.index "seq"
    // gives !model.tensor<index<seq>, seq>
    ```
  }];
  let arguments = (ins Model_DimAttr:$dim);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($dim) attr-dict";
}
def Model_SizeOp : Model_Inferred<"extent", "extent()", [Free, Exact]> {
  let summary = "a size as a whole number: of a dimension, or a polynomial of sizes";
  let description = [{
    A scalar, known when the program is built or when its inputs are.

    ```mlir
    %tokens = model.extent <batch * seq>
    // gives !model.tensor<i32>
    ```
  }];
  let arguments = (ins Model_SizeAttr:$size);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$size attr-dict";
  let hasFolder = 1;
}
// Not to be moved out of a loop: every pass draws its own.
def Model_RandomOp : Model_Op<"random", [NoMemoryEffect, Heavy, Exact, PositionalAnywhere]> {
  let summary = "uniform random numbers in [0, 1)";
  let description = [{
    A function of seed, step, path and the index by named dimensions alone; every run with the same four gives the same.
    Philox4x32-10 with key = seed and counter = (index low, index high, step low, path), 32 bits each, low halves first;
    `path` is the two halves of FNV-1a (64 bits) of the path, xored. The number is (first word of the draw >> 8) * 2^-24, so
    f32 and f64 hold it exactly. The index of an element is the sum, modulo 2^64, over its dimensions and over those of
    the `repeat`s around the op, of position * (FNV-1a of the dimension's name | 1). So it depends on no order and on no
    size: neither layout, fusion nor batching changes a number.

    ```mlir
    %draw = model.random "layer.drop" : !model.tensor<f32, batch, seq, model>
    ```
  }];
  let arguments = (ins StrAttr:$path);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$path attr-dict `:` type($result)";
  let hasVerifier = 1;
}
} // opDocGroup

def Model_Comparison : I32EnumAttr<"Comparison", "an ordering", [
    I32EnumAttrCase<"lt", 0>, I32EnumAttrCase<"le", 1>, I32EnumAttrCase<"gt", 2>,
    I32EnumAttrCase<"ge", 3>, I32EnumAttrCase<"eq", 4>, I32EnumAttrCase<"ne", 5>]> {
  let cppNamespace = "::weft::model";
}

let opDocGroup = Model_ElementwiseDocs in {
class Model_Unary<string mnemonic, string takes = "Float", string gives = takes, list<Trait> traits = []>
    : Model_Inferred<mnemonic, "unary(adaptor.getInput(), " # takes # ", " # gives # ")", [Elementwise] # traits> {
  let arguments = (ins Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input)";
  let hasFolder = 1;
}
// Its row is in ir/model/FloatFunctions.h.
class Model_FloatFunction<string mnemonic, list<Trait> traits = []>
    : Model_Unary<mnemonic, traits = [Differentiable, FloatFunction] # traits> {
  let hasFolder = 0; // the interface folds
}
def Model_NegOp : Model_Unary<"neg", "Float | Whole", traits = [Differentiable, Exact, Wraps]> {
  let summary = "the negative";
  let description = "`-x`, of floats or whole numbers.";
}
def Model_ExpOp : Model_FloatFunction<"exp", [Heavy]> {
  let summary = "the exponential";
  let description = "`e ^ x`.";
}
def Model_LogOp : Model_FloatFunction<"log", [Heavy]> {
  let summary = "the natural logarithm";
  let description = "`log(x)`: -inf at 0, NaN below.";
}
def Model_SqrtOp : Model_FloatFunction<"sqrt"> {
  let summary = "the square root";
  let description = "`sqrt(x)`: NaN below 0. Its derivative at 0 is taken to be 0.";
}
def Model_RsqrtOp : Model_FloatFunction<"rsqrt"> {
  let summary = "one over the square root";
  let description = "`1 / sqrt(x)`: +inf at 0, NaN below.";
}
def Model_SinOp : Model_FloatFunction<"sin", [Heavy]> {
  let summary = "the sine";
  let description = "`sin(x)`, of an angle in radians.";
}
def Model_CosOp : Model_FloatFunction<"cos", [Heavy]> {
  let summary = "the cosine";
  let description = "`cos(x)`, of an angle in radians.";
}
def Model_TanhOp : Model_FloatFunction<"tanh", [Heavy]> {
  let summary = "the hyperbolic tangent";
  let description = "`tanh(x)`.";
}
def Model_ErfOp : Model_FloatFunction<"erf", [Heavy]> {
  let summary = "the error function";
  let description = "`erf(x)`, which is `2 / sqrt(pi)` times the integral of `exp(-t * t)` from 0 to x.";
}
def Model_NotOp : Model_Unary<"not", "Switch"> {
  let summary = "logical not";
  let description = "`not x`.";
}
def Model_FloorOp : Model_Unary<"floor", "Float", "Whole", [Exact]> {
  let summary = "the largest whole number that is not above a float";
  let description = [{
    `floor(x)`, cut to the range of int32, in which whole numbers lie; 0 of NaN.
  }];
}
def Model_ToFloatOp : Model_Unary<"to_float", "Whole | Switch", "Float", [Exact]> {
  let summary = "a whole number or a switch as a float";
  let description = "Switches become 0 and 1. Whole numbers that a float cannot hold are rounded to the nearest.";
}
def Model_ToIntOp : Model_Unary<"to_int", "Switch", "Whole"> {
  let summary = "a switch as a whole number";
  let description = "0 where it is false, 1 where it is true.";
}
def Model_ClampOp : Model_Inferred<"clamp", "clamp(adaptor.getDimAttr(), adaptor.getInput())", [Elementwise]> {
  let summary = "whole numbers cut to the positions of a dimension";
  let description = [{
    `min(max(x, 0), size(dim) - 1)`. If the dimension is empty the result is not specified.

    ```mlir
    %nearest = model.clamp "bucket" %distance : !model.tensor<i32, query, key>
    // gives !model.tensor<index<bucket>, query, key>
    ```
  }];
  let arguments = (ins Model_DimAttr:$dim, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($dim) $input attr-dict `:` type($input)";
}

// Its row is in ir/model/Arithmetic.h. Constants fold by it; what else it folds to, `fold` says.
class Model_TwoOperands<string mnemonic, string rule, list<Trait> traits>
    : Model_Inferred<mnemonic, rule, [Elementwise, BinaryFunction] # traits> {
  let arguments = (ins Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
}
class Model_Binary<string mnemonic, string takes, list<Trait> traits = []>
    : Model_TwoOperands<mnemonic, "binary(adaptor.getLhs(), adaptor.getRhs(), " # takes # ")", traits>;
// One of the two: what positions of one dimension stay.
class Model_Choice<string mnemonic>
    : Model_TwoOperands<mnemonic, "either(adaptor.getLhs(), adaptor.getRhs())", [Differentiable, Exact]> {
  let hasFolder = 0;
}
def Model_AddOp : Model_Binary<"add", "Float | Whole", [Commutative, Differentiable, RoundsOnce, Wraps]> {
  let summary = "the sum of two values";
  let description = "`a + b`, of floats or whole numbers. Whole numbers wrap at 32 bits, here and in `sub`, `mul` and `neg`.";
}
def Model_SubOp : Model_Binary<"sub", "Float | Whole", [Differentiable, RoundsOnce, Wraps]> {
  let summary = "the difference of two values";
  let description = "`a - b`, of floats or whole numbers.";
}
def Model_MulOp : Model_Binary<"mul", "Float | Whole", [Commutative, Differentiable, RoundsOnce, Wraps]> {
  let summary = "the product of two values";
  let description = "`a * b`, of floats or whole numbers.";
}
def Model_DivOp : Model_Binary<"div", "Float", [Differentiable, RoundsOnce]> {
  let summary = "the quotient of two floats";
  let description = "`a / b`.";
}
def Model_FloorDivOp : Model_Binary<"floordiv", "Whole"> {
  let summary = "the quotient of two whole numbers, rounded down";
  let description = [{
    `floor(a / b)`, exact, cut to the range of int32; 0 where `b` is 0.
  }];
}
def Model_ModOp : Model_Binary<"mod", "Float | Whole", [Differentiable]> {
  let summary = "the remainder of a division, with the sign of the divisor";
  let description = [{
    `a - b * floor(a / b)`, of floats or whole numbers. Of whole numbers, 0 where b is 0; of floats, NaN there.
  }];
  let hasFolder = 0;
}
def Model_PowOp : Model_Binary<"pow", "Float", [Differentiable, Heavy]> {
  let summary = "a power of floats";
  let description = [{
    `a ^ b`. A whole exponent from -64 to 64 multiplies `a` that often, from the left; a negative one takes the reciprocal of the
    product. Others are the C library's pow. So `a ^ 0` is 1, also for NaN.
  }];
}
def Model_MaxOp : Model_Choice<"max"> {
  let summary = "the larger of two values";
  let description = "`max(a, b)`, of floats or whole numbers. NaN passes. In a tie the gradient goes to `b`.";
}
def Model_MinOp : Model_Choice<"min"> {
  let summary = "the smaller of two values";
  let description = "`min(a, b)`, of floats or whole numbers. NaN passes. In a tie the gradient goes to `b`.";
}
def Model_AndOp : Model_Binary<"and", "Switch", [Commutative]> {
  let summary = "logical and";
  let description = "`a and b`, of switches.";
}
def Model_OrOp : Model_Binary<"or", "Switch", [Commutative]> {
  let summary = "logical or";
  let description = "`a or b`, of switches.";
}
def Model_CompareOp : Model_Inferred<"compare", "compare(adaptor.getLhs(), adaptor.getRhs())", [Elementwise]> {
  let summary = "whether a relation holds between two values";
  let description = [{
    `predicate` is one of `lt`, `le`, `gt`, `ge`, `eq`, `ne`; both sides are floats, whole numbers or switches, the result is a switch. As in
    IEEE 754, with NaN all are false but `ne`; false is below true.

    ```mlir
    %causal = model.compare le %key, %query : !model.tensor<index<key>, key>, !model.tensor<index<query>, query>
    // gives !model.tensor<i1, key, query>
    ```
  }];
  let arguments = (ins Model_Comparison:$predicate, Model_Tensor:$lhs, Model_Tensor:$rhs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)";
  let hasFolder = 1;
}
def Model_WhereOp : Model_Inferred<"where", "where(adaptor.getCondition(), adaptor.getThen(), adaptor.getOtherwise())", [Elementwise, Differentiable, Exact]> {
  let summary = "one value where a condition holds, another elsewhere";
  let description = [{
    What the branch that is not taken holds does not matter, NaN included; it contributes exactly 0 to gradients. Of the three,
    `then` and `otherwise` come before the condition where the order of dimensions is chosen.

    ```mlir
    %masked = model.where %mask, %scores, %low : !model.tensor<i1, key, query>, !model.tensor<f32, query, key>, !model.tensor<f32>
    // gives !model.tensor<f32, query, key>
    ```
  }];
  let arguments = (ins Model_Tensor:$condition, Model_Tensor:$then, Model_Tensor:$otherwise);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$condition `,` $then `,` $otherwise attr-dict `:` type($condition) `,` type($then) `,` type($otherwise)";
  let hasFolder = 1;
}
} // opDocGroup

#endif // WEFT_IR_MODEL_ELEMENTWISE
