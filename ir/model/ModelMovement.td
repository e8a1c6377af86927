// Reductions, views, and ops that move elements.
#ifndef WEFT_IR_MODEL_MOVEMENT
#define WEFT_IR_MODEL_MOVEMENT

include "ir/model/ModelBase.td"

class Model_Reduction<string mnemonic, string result = "reduction", list<Trait> traits = []>
    : Model_Inferred<mnemonic, result # "(adaptor.getOver(), adaptor.getInput())", traits> {
  let arguments = (ins StrArrayAttr:$over, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$over $input attr-dict `:` type($input)";
}
def Model_SumOp : Model_Reduction<"sum", traits = [Differentiable]> { let summary = "sum over dimensions (0 if empty); f32 or i64"; }
def Model_ReduceMaxOp : Model_Reduction<"reduce_max", traits = [Differentiable]> { let summary = "maximum (-inf if empty); NaN passes; gradient to the lowest index"; }
def Model_ReduceMinOp : Model_Reduction<"reduce_min", traits = [Differentiable]> { let summary = "minimum (+inf if empty); NaN passes; gradient to the lowest index"; }
def Model_ArgMaxOp : Model_Reduction<"argmax", "argmax"> {
  let summary = "i64 position of the maximum along one dimension; lowest on ties, NaN is largest";
  let description = [{
    Not specified if the dimension is empty. `over` has one name.
  }];
}
def Model_TopOp : Model_Inferred<"top", "top(adaptor.getKAttr(), adaptor.getDimAttr(), adaptor.getInput())"> {
  let summary = "i64 positions of the size(k) largest along `dim`, largest first, new dimension `k` last";
  let description = [{
    The lower position comes first among equals; NaN is larger than all else. size(k) is at most size(dim).
  }];
  let arguments = (ins StrAttr:$k, StrAttr:$dim, Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$k `of` $dim $input attr-dict `:` type($input)";
}
def Model_CumSumOp : Model_Inferred<"cumsum", "along(adaptor.getDimAttr(), adaptor.getInput(), Float | Whole)", [Differentiable]> {
  let summary = "running sum along a dimension; `reverse` runs from the end (its gradient)";
  let description = [{
    Element i is the sum of elements 0 to i, i included; `reverse`: of i to the last.
  }];
  let arguments = (ins StrAttr:$dim, Model_Tensor:$input, UnitAttr:$reverse);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim (`reverse` $reverse^)? $input attr-dict `:` type($input)";
}

def Model_BroadcastOp : Model_Inferred<"broadcast", "broadcast(adaptor.getInput(), adaptor.getAlong())", [Differentiable]> {
  let summary = "the same value along further dimensions";
  let arguments = (ins Model_Tensor:$input, StrArrayAttr:$along);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input `along` $along attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_ArrangeOp : Model_Pure<"arrange", [Differentiable]> {
  let summary = "the same value with its dimensions listed in another order (as entries and files declare them)";
  let description = [{
    The only op that changes the listed order. It stands where an order is given: results of entries, values that a
    `repeat` carries, values assigned to storage.
  }];
  let arguments = (ins Model_Tensor:$input);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` type($input) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}
def Model_RegroupOp : Model_Inferred<"regroup", "regroup(adaptor.getInput(), adaptor.getFrom(), adaptor.getTo())", [Differentiable]> {
  let summary = "x[a as b], x[a as (b, c)], x[(a, b) as c]: renames, splits and merges, row-major";
  let description = [{
    `from` leaves the type and `to` stands where the first of `from` stood; sizes agree as products. Positions along `from`
    and along `to` are counted row-major, each in the order of its list, and equal counts meet. The dimensions of `from` need
    neither stand together in the type nor in the order of the list.
  }];
  let arguments = (ins Model_Tensor:$input, StrArrayAttr:$from, StrArrayAttr:$to);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $from `as` $to attr-dict `:` type($input)";
  let hasFolder = 1;
}
def Model_PartOp : Model_Inferred<"part", "part(adaptor.getInput(), adaptor.getDimAttr(), adaptor.getPartAttr())", [Differentiable]> {
  let summary = "a contiguous part: `dim` becomes `part`, starting at `offset`";
  let description = [{
    Position p of `part` is position offset + p of `dim`. The offset may depend on run-time sizes.
  }];
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, StrAttr:$part, Model_SizeAttr:$offset);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `as` $part `at` $offset attr-dict `:` type($input)";
}
def Model_PickOp : Model_Inferred<"pick", "pick(adaptor.getInput(), adaptor.getDimAttr())", [Differentiable]> {
  let summary = "one position, known at build time: x[role = 0]";
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, I64Attr:$position);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `=` $position attr-dict `:` type($input)";
}
def Model_GatherOp : Model_Inferred<"gather", "gather(adaptor.getInput(), adaptor.getDimAttr(), adaptor.getIndex())", [Differentiable]> {
  let summary = "x[dim = index]: one element per index; dimensions that both have meet by name";
  let description = [{
    Result: the dimensions of the input, and in the place of `dim` those of the index that the input lacks, so that
    looking up in a table gives rows. The index may bring `dim` again: result[dim = i] is input[dim = index[i]]. Every index is inside [0, size(dim)); nothing checks it at run time.
  }];
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, Model_Tensor:$index);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `=` $index attr-dict `:` type($input) `,` type($index)";
}
def Model_ScatterOp : Model_Pure<"scatter", [Differentiable]> {
  let summary = "the transpose of gather: result[.., dim = index] += input, everything else 0";
  let description = [{
    For every position of the dimensions of index and input, in row-major order of the index's dimensions, then the input's
    further ones: the result at that position, with `dim` = index, is increased by the input. Dimensions that the result lacks are
    thereby summed. The input's or the index's own `dim`, if they have it, counts positions and is not the result's.
  }];
  let arguments = (ins Model_Tensor:$input, StrAttr:$dim, Model_Tensor:$index);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input $dim `=` $index attr-dict `:` type($input) `,` type($index) `->` type($result)";
  let hasVerifier = 1;
}
def Model_InsertPartOp : Model_Pure<"insert_part", [Differentiable]> {
  let summary = "`into` with its elements from `offset` on along `dim` replaced by `input` (which has `part` there); also the transpose of part";
  let description = [{
    Dimensions that one of the two lacks are broadcast, so inserting into a constant 0 is the transpose of `part`. The result has
    `dim` and all other dimensions of both, in the order that its type says.
  }];
  let arguments = (ins Model_Tensor:$input, Model_Tensor:$into, StrAttr:$dim, StrAttr:$part, Model_SizeAttr:$offset);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$input `into` $into $dim `as` $part `at` $offset attr-dict `:` type($input) `,` type($into) `->` type($result)";
  let hasVerifier = 1;
}
def Model_StackOp : Model_Inferred<"stack", "stack(adaptor.getDimAttr(), adaptor.getInputs())", [Differentiable]> {
  let summary = "inputs side by side along a new dimension, which comes last";
  let arguments = (ins StrAttr:$dim, Variadic<Model_Tensor>:$inputs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim $inputs attr-dict `:` type($inputs)";
}
def Model_ConcatOp : Model_Inferred<"concat", "concat(adaptor.getDimAttr(), adaptor.getParts(), adaptor.getInputs())", [Differentiable]> {
  let summary = "joins parts: input i has `parts`[i], the result `dim` in its place";
  let arguments = (ins StrAttr:$dim, StrArrayAttr:$parts, Variadic<Model_Tensor>:$inputs);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$dim `of` $parts $inputs attr-dict `:` type($inputs)";
}

#endif // WEFT_IR_MODEL_MOVEMENT
