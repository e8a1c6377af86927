// Reductions, views, and ops that move elements.
#ifndef WEFT_IR_MODEL_MOVEMENT
#define WEFT_IR_MODEL_MOVEMENT

include "ir/model/ModelBase.td"

def Model_ReductionDocs : OpDocGroup {
  let summary = "Reductions";
  let description = "Ops along dimensions, which they name. The order of a sum is the back end's, fixed by build and shape.";
}
def Model_ViewDocs : OpDocGroup {
  let summary = "Views and movement";
  let description = "Ops that compute nothing: they rename, cut, join and look up.";
}

let opDocGroup = Model_ReductionDocs in {
class Model_Reduction<string mnemonic, string result = "reduction", list<Trait> traits = []>
    : Model_Inferred<mnemonic, result # "(adaptor.getOver(), adaptor.getInput())", [Reducing] # traits> {
  let arguments = (ins Model_DimsAttr:$over, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dims>($over) $input attr-dict `:` type($input)";
}
def Model_SumOp : Model_Reduction<"sum", traits = [Differentiable, Associative, AddsUp]> {
  let summary = "the sum over dimensions";
  let description = [{
    Of floats or whole numbers; 0 where there is nothing to add. The result has the dimensions of the input without `over`.

    ```mlir
    %total = model.sum ["seq", "batch"] %x : !model.tensor<f32, batch, seq, model>
    // gives !model.tensor<f32, model>
    ```
  }];
}
def Model_ReduceMaxOp : Model_Reduction<"reduce_max", traits = [Differentiable, Associative, Exact]> {
  let summary = "the maximum over dimensions";
  let description = [{
    Of floats or whole numbers; of nothing, -inf or the lowest whole number. NaN passes. The gradient goes to the lowest
    index among equals. A `shift` is only taken away on both sides of a difference: no gradient goes through it.

    ```mlir
    %most = model.reduce_max ["vocab"] shift %logits : !model.tensor<f32, batch, vocab>
    // gives !model.tensor<f32, batch>
    ```
  }];
  let arguments = (ins Model_DimsAttr:$over, Model_Tensor:$input, UnitAttr:$shift);
  let assemblyFormat = "custom<Dims>($over) (`shift` $shift^)? $input attr-dict `:` type($input)";
}
def Model_ReduceMinOp : Model_Reduction<"reduce_min", traits = [Differentiable, Associative, Exact]> {
  let summary = "the minimum over dimensions";
  let description = [{
    Of floats or whole numbers; of nothing, +inf or the highest whole number. NaN passes. The gradient goes to the lowest
    index among equals.
  }];
}
def Model_ArgMaxOp : Model_Reduction<"argmax", "argmax", [Positional]> {
  let summary = "the position of the maximum along one dimension";
  let description = [{
    Positions of the one dimension in `over`, with the other dimensions of the input. The lowest position on ties; NaN counts as
    largest. Not specified if the dimension is empty.

    ```mlir
    %best = model.argmax ["vocab"] %logits : !model.tensor<f32, batch, vocab>
    // gives !model.tensor<index<vocab>, batch>
    ```
  }];
}
def Model_TopOp : Model_Inferred<"top", "top(adaptor.getKAttr(), adaptor.getDimAttr(), adaptor.getInput())", [Obliged, Positional, Sized]> {
  let summary = "the positions of the largest along a dimension";
  let description = [{
    The positions of the `size(k)` largest, largest first, along the new dimension `k`, which comes last in
    the place of `dim`. The lower position comes first among equals; NaN is larger than all else. `size(k)` is at most
    `size(dim)`.

    ```mlir
    %candidates = model.top "beam" of "vocab" %logits : !model.tensor<f32, vocab, batch>
    // gives !model.tensor<index<vocab>, batch, beam>
    ```
  }];
  let arguments = (ins Model_DimAttr:$k, Model_DimAttr:$dim, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($k) `of` custom<Dim>($dim) $input attr-dict `:` type($input)";
}
def Model_CumSumOp : Model_Inferred<"cumsum", "cumsum(adaptor.getDimAttr(), adaptor.getInput())", [Differentiable, Positional, AddsUp]> {
  let summary = "the running sum along a dimension";
  let description = [{
    Element i is the sum of elements 0 to i, i included; with `reverse`, of i to the last. Either is the other's gradient.

    ```mlir
    %ends = model.cumsum "seq" %lengths : !model.tensor<i32, seq>
    // gives !model.tensor<i32, seq>
    ```
  }];
  let arguments = (ins Model_DimAttr:$dim, Model_Tensor:$input, UnitAttr:$reverse);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($dim) (`reverse` $reverse^)? $input attr-dict `:` type($input)";
}
} // opDocGroup

let opDocGroup = Model_ViewDocs in {
def Model_BroadcastOp : Model_Inferred<"broadcast", "broadcast(adaptor.getInput(), adaptor.getAlong())", [Differentiable, View, SameByName, Moving]> {
  let summary = "the same value along further dimensions";
  let description = [{
    The dimensions of `along` come last. None of them is in the input.

    ```mlir
    %wide = model.broadcast %x along ["key"] : !model.tensor<f32, query>
    // gives !model.tensor<f32, query, key>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_DimsAttr:$along);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input `along` custom<Dims>($along) attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_ArrangeOp : Model_Pure<"arrange", [Differentiable, View, SameByName, Moving]> {
  let summary = "the same value with its dimensions listed in another order, or as another kind of whole number";
  let description = [{
    The only op that changes the listed order, and the only one that says of whole numbers that they are positions, or no longer
    says so. It stands where a type is given: results of entries, values that a `repeat` carries, values assigned to storage.

    ```mlir
    %y = model.arrange %x : !model.tensor<f32, seq, batch> -> !model.tensor<f32, batch, seq>
    ```
  }];
  let arguments = (ins Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Model_RegroupOp : Model_Inferred<"regroup", "regroup(adaptor.getInput(), adaptor.getFrom(), adaptor.getTo())", [Differentiable, Obliged, Sized, View, MovingAlong, Positional]> {
  let summary = "dimensions renamed, split or merged";
  let description = [{
    `x[a as b]`, `x[a as (b, c)]` and `x[(a, b) as c]` of the language. `from` leaves the type and `to` stands where the
    first of `from` stood; sizes agree as products. Positions along `from` and along `to` are counted row-major, each in the
    order of its list, and equal counts meet. The dimensions of `from` need neither stand together in the type nor in the
    order of the list.

    ```mlir
    %heads = model.regroup %x ["model"] as ["head", "dh"] : !model.tensor<f32, batch, model>
    // gives !model.tensor<f32, batch, head, dh>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_DimsAttr:$from, Model_DimsAttr:$to);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input custom<Dims>($from) `as` custom<Dims>($to) attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_PartOp : Model_Inferred<"part", "part(adaptor.getInput(), adaptor.getDimAttr(), adaptor.getPartAttr())", [Differentiable, Obliged, Sized, View, MovingAlong, Positional]> {
  let summary = "a contiguous part along a dimension";
  let description = [{
    `dim` becomes `part`: position p of `part` is position offset + p of `dim`. The offset may depend on run-time sizes.

    ```mlir
    %word = model.part %token "token" as "seq" at <1> : !model.tensor<f32, batch, token, model>
    // gives !model.tensor<f32, batch, seq, model>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_DimAttr:$dim, Model_DimAttr:$part, Model_SizeAttr:$offset);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input custom<Dim>($dim) `as` custom<Dim>($part) `at` $offset attr-dict `:` type($input)";
}
def Model_PickOp : Model_Inferred<"pick", "pick(adaptor.getInput(), adaptor.getDimAttr())", [Differentiable, Obliged, Sized, View, MovingAlong, Positional]> {
  let summary = "one position of a dimension, known when the program is built";
  let description = [{
    `x[role = 0]` of the language. The result lacks `dim`; the position is below its size.

    ```mlir
    %query = model.pick %roles "role" = 0 : !model.tensor<f32, role, seq, model>
    // gives !model.tensor<f32, seq, model>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_DimAttr:$dim, I64Attr:$position);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input custom<Dim>($dim) `=` $position attr-dict `:` type($input)";
  let hasVerifier = 1;
}
def Model_GatherOp : Model_Inferred<"gather", "gather(adaptor.getInput(), adaptor.getDimAttr(), adaptor.getIndex())", [Differentiable, MovingAlong, Positional, Sized]> {
  let summary = "one element per index";
  let description = [{
    `x[dim = index]` of the language: result[…] = input[…, dim = index[…]]. Dimensions that input and index both have meet by
    name. The result has the dimensions of the input, and in the place of `dim` those of the index that the input lacks, so
    that looking up in a table gives rows. The index may bring `dim` again: result[dim = i] is input[dim = index[i]]. Every
    index is inside [0, size(dim)): arguments are looked at when they come in, and of what is computed it is proved, from
    sizes that every run checks. An index that has positions of another dimension is refused, unless that is never larger
    than `dim`.

    ```mlir
    %rows = model.gather %table "vocab" = %tokens : !model.tensor<f32, vocab, model>, !model.tensor<index<vocab>, batch, seq>
    // gives !model.tensor<f32, batch, seq, model>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_DimAttr:$dim, Model_Tensor:$index);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input custom<Dim>($dim) `=` $index attr-dict `:` type($input) `,` type($index)";
}
def Model_ScatterOp : Model_Pure<"scatter", [Differentiable, AddsUp, Sized]> {
  let summary = "the transpose of gather";
  let description = [{
    result[…, dim = index[…]] += input[…], everything else 0: for every position of the dimensions of index and input, in
    row-major order of the index's dimensions, then the input's further ones, the result at that position, with `dim` = index,
    is increased by the input. Dimensions that the result lacks are thereby summed. The input's or the index's own `dim`, if
    they have it, counts positions and is not the result's.

    ```mlir
    %table = model.scatter %rows "vocab" = %tokens : !model.tensor<f32, batch, seq, model>, !model.tensor<index<vocab>, batch, seq> -> !model.tensor<f32, vocab, model>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_DimAttr:$dim, Model_Tensor:$index);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input custom<Dim>($dim) `=` $index attr-dict `:` type($input) `,` type($index) `->` type($result)";
  let hasVerifier = 1;
}
def Model_InsertPartOp : Model_Pure<"insert_part", [Differentiable, Obliged, Sized, JoiningAlong, Positional]> {
  let summary = "a value with a part along a dimension replaced";
  let description = [{
    `into` with its elements from `offset` on along `dim` replaced by `input`, which has `part` there. Dimensions that one of
    the two lacks are broadcast, so inserting into a constant 0 is the transpose of `part`. The result has `dim` and all other
    dimensions of both, in the order that its type says.

    ```mlir
    %cache = model.insert_part %new into %old "key" as "step" at <known> : !model.tensor<f32, step, dh>, !model.tensor<f32, key, dh> -> !model.tensor<f32, key, dh>
    ```
  }];
  let arguments = (ins Model_Tensor:$input, Model_Tensor:$into, Model_DimAttr:$dim, Model_DimAttr:$part, Model_SizeAttr:$offset);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input `into` $into custom<Dim>($dim) `as` custom<Dim>($part) `at` $offset attr-dict `:` type($input) `,` type($into) `->` type($result)";
  let hasVerifier = 1;
}
def Model_StackOp : Model_Inferred<"stack", "stack(adaptor.getDimAttr(), adaptor.getInputs())", [Differentiable, Obliged, Sized, Joining, Positional]> {
  let summary = "values side by side along a new dimension";
  let description = [{
    The new dimension comes last, after the union of the inputs' dimensions; its size is the number of inputs. An input is
    the same along dimensions that only others have.

    ```mlir
    %both = model.stack "pair" %a, %b : !model.tensor<f32, seq>, !model.tensor<f32, batch, seq>
    // gives !model.tensor<f32, batch, seq, pair>
    ```
  }];
  let arguments = (ins Model_DimAttr:$dim, Variadic<Model_Tensor>:$inputs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($dim) $inputs attr-dict `:` type($inputs)";
}
def Model_ConcatOp : Model_Inferred<"concat", "concat(adaptor.getDimAttr(), adaptor.getParts(), adaptor.getInputs())", [Differentiable, Obliged, Sized, JoiningAlong, Positional]> {
  let summary = "values one after the other along a dimension";
  let description = [{
    Input i has the dimension parts[i], and the result `dim` in its place; the size of `dim` is the sum of theirs. An input is
    the same along dimensions that only others have.

    ```mlir
    %tokens = model.concat "token" of ["class", "seq"] %first, %words : !model.tensor<f32, class, model>, !model.tensor<f32, batch, seq, model>
    // gives !model.tensor<f32, token, model, batch>
    ```
  }];
  let arguments = (ins Model_DimAttr:$dim, Model_DimsAttr:$parts, Variadic<Model_Tensor>:$inputs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "custom<Dim>($dim) `of` custom<Dims>($parts) $inputs attr-dict `:` type($inputs)";
}
} // opDocGroup

#endif // WEFT_IR_MODEL_MOVEMENT
