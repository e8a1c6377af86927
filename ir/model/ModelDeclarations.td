// What a program declares (dimensions, parameters) and the loops over it.
#ifndef WEFT_IR_MODEL_DECLARATIONS
#define WEFT_IR_MODEL_DECLARATIONS

include "ir/model/ModelBase.td"

def Model_ParameterKind : I32EnumAttr<"ParameterKind", "what storage is for", [
    I32EnumAttrCase<"parameter", 0>, I32EnumAttrCase<"state", 1>, I32EnumAttrCase<"optimizer", 2>]> {
  let cppNamespace = "::weft::model";
}
def Model_InitKind : I32EnumAttr<"InitKind", "how storage starts", [
    I32EnumAttrCase<"constant", 0>, I32EnumAttrCase<"normal", 1>, I32EnumAttrCase<"uniform", 2>,
    I32EnumAttrCase<"truncated_normal", 3>]> {
  let cppNamespace = "::weft::model";
}

def Model_DeclarationDocs : OpDocGroup {
  let summary = "Declarations, storage and loops";
  let description = "What a program declares, how it reads and writes what it declared, and the loop over layers.";
}

let opDocGroup = Model_DeclarationDocs in {
def Model_DimOp : Model_Op<"dim", [Structural, Symbol, Obliged]> {
  let summary = "a dimension of the program";
  let description = [{
    The size is absent for a dimension that comes with the data, a number for a static one, and a polynomial in run-time
    dimensions for one that follows from them (`key = seq`). `bound` is what the source promises (`seq <= position`). `parts`
    lists the parts of `dim token = class | seq`. A size is at least 1; `or_empty` is only that of the positions known before a
    first call of `advance`. If a module declares dimensions at all, it declares every one that its ops
    speak of.

    ```mlir
    model.dim @batch
    model.dim @position = <1024>
    model.dim @seq bound <position>
    model.dim @class = <1>
    model.dim @token = <seq + 1> parts ["class", "seq"]
    model.dim @known or_empty
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, OptionalAttr<Model_SizeAttr>:$size,
                   OptionalAttr<Model_SizeAttr>:$bound, OptionalAttr<Model_DimsAttr>:$parts, UnitAttr:$or_empty);
  let assemblyFormat = "$sym_name (`=` $size^)? (`bound` $bound^)? (`parts` custom<Dims>($parts)^)? (`or_empty` $or_empty^)? attr-dict";
  let builders = [
    OpBuilder<(ins "::weft::model::DimAttr":$dim, "::weft::model::SizeAttr":$size, CArg<"::weft::model::SizeAttr", "{}">:$bound,
                   CArg<"::llvm::ArrayRef<::weft::model::DimAttr>", "{}">:$parts), [{
      build($_builder, $_state, dim.getName(), size, bound,
            parts.empty() ? DimsAttr() : DimsAttr::get($_builder.getContext(), parts), ::mlir::UnitAttr());
    }]>];
  let extraClassDeclaration = "::weft::model::DimAttr getDim() { return DimAttr::get(getSymNameAttr()); }";
}

def Model_ParameterOp : Model_Op<"parameter", [Structural, Symbol]> {
  let summary = "storage that outlives a run";
  let description = [{
    The type has the dimensions of the enclosing `repeat`s first, then the declared ones; `loops` counts the former. `kind` is
    `parameter` (trained), `state` (written by the model) or `optimizer` (written by its update). `init` is `normal`, with
    standard deviation `value`, `truncated_normal`, the same drawn again beyond two of them, `uniform`, with half-width `value`,
    or `constant`. `of` names the parameter that an optimizer's state belongs to,
    `origin` the block that declared it.

    ```mlir
    model.parameter @layer.up.weight : !model.tensor<f32, layer, model, ff> loops 1 init normal value 2.0e-02
    model.parameter @layer.up.weight.m : !model.tensor<f32, layer, model, ff> loops 1 kind optimizer of @layer.up.weight
    ```
  }];
  let extraClassDefinition = "";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<Model_Tensor>:$type,
                   DefaultValuedAttr<I64Attr, "0">:$loops,
                   DefaultValuedAttr<Model_ParameterKind, "::weft::model::ParameterKind::parameter">:$kind,
                   DefaultValuedAttr<Model_InitKind, "::weft::model::InitKind::constant">:$init,
                   DefaultValuedAttr<F64Attr, "0.0">:$value, OptionalAttr<FlatSymbolRefAttr>:$of,
                   OptionalAttr<Model_OriginAttr>:$origin);
  let assemblyFormat = [{
    $sym_name `:` $type (`loops` $loops^)? (`kind` $kind^)? (`init` $init^)? (`value` $value^)? (`of` $of^)? (`origin` $origin^)? attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    NamedTensorType getTensor() { return ::llvm::cast<NamedTensorType>(getType()); }
    /// The type that an access at `op` has: the declared one without the loops that `op` stands in.
    ::weft::model::NamedTensorType typeAt(::mlir::Operation *op);
  }];
}

def Model_ParamOp : Model_Op<"param", [Structural, Exact, MemoryEffects<[MemRead]>]> {
  let summary = "the value of a parameter";
  let description = [{
    The type is the parameter's without those of its first `loops` dimensions whose `repeat` the op stands in: inside its loops
    it is the slice of the current pass. Every read of a run sees the value from before the run, also after an `assign`.

    ```mlir
    model.parameter @table : !model.tensor<f32, vocab, model>
    %table = model.param @table : !model.tensor<f32, vocab, model>
    ```
  }];
  let extraClassDefinition = "";
  let arguments = (ins FlatSymbolRefAttr:$name);
  let results = (outs Model_Tensor:$result);
  let assemblyFormat = "$name attr-dict `:` type($result)";
}

def Model_AssignOp : Model_Op<"assign", [Structural, MemoryEffects<[MemWrite]>]> {
  let summary = "the value that a parameter has after this run";
  let description = [{
    The type is as for `param`; inside the parameter's loops a pass writes its own slice.

    ```mlir
    model.parameter @average : !model.tensor<f32, model> kind state
    model.assign @average, %mean : !model.tensor<f32, model>
    ```
  }];
  let extraClassDefinition = "";
  let arguments = (ins FlatSymbolRefAttr:$name, Model_Tensor:$value);
  let assemblyFormat = "$name `,` $value attr-dict `:` type($value)";
}

def Model_RepeatOp : Model_Op<"repeat", [
    Structural, AttrSizedOperandSegments, SingleBlockImplicitTerminator<"YieldOp">, RecursiveMemoryEffects, RecursivelySpeculatable,
    DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "one pass per position of a dimension, carrying values along";
  let description = [{
    Operands: the carried values, then slices. Region arguments: the carried values, then the slices of this pass (without
    `dim`). The yield gives the next carried values, then stacked values. Results: the carried values after the last pass, then
    each stacked value with `dim` in front. `reverse` runs from the last position to the first; slices and stacked values stay
    at their own position. Zero passes are the identity.

    ```mlir
    %last, %all = model.repeat "layer" carry(%h = %x : !model.tensor<f32, seq>) slices(%scale = %scales : !model.tensor<f32, layer>) -> (!model.tensor<f32, seq>, !model.tensor<f32, layer, seq>) {
      %next = model.mul %h, %scale : !model.tensor<f32, seq>, !model.tensor<f32>
      model.yield %next, %h : !model.tensor<f32, seq>, !model.tensor<f32, seq>
    }
    ```
  }];
  let arguments = (ins Model_DimAttr:$dim, Variadic<Model_Tensor>:$carried, Variadic<Model_Tensor>:$slices, UnitAttr:$reverse);
  let results = (outs Variadic<Model_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    unsigned getNumCarried() { return getCarried().size(); }
    unsigned getNumStacked() { return getNumResults() - getNumCarried(); }
    YieldOp getYield();
    /// What a pass sees of a sliced value, and what a value that it stacks becomes.
    static NamedTensorType sliceOf(NamedTensorType type, ::weft::model::DimAttr dim);
    static NamedTensorType stackOf(NamedTensorType type, ::weft::model::DimAttr dim);
    /// The region's arguments: carried values, then slices.
    ::mlir::Block::BlockArgListType getPassCarried() { return getBody().getArguments().take_front(getNumCarried()); }
    ::mlir::Block::BlockArgListType getPassSlices() { return getBody().getArguments().drop_front(getNumCarried()); }
  }];
}

def Model_YieldOp : Model_Op<"yield", [Structural, Pure, Terminator, ReturnLike]> {
  let summary = "the end of a pass";
  let description = [{
    The values that the next pass carries, then those that the `repeat` stacks.
  }];
  let arguments = (ins Variadic<Model_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ /* yields nothing */ }]>];
}
} // opDocGroup

#endif // WEFT_IR_MODEL_DECLARATIONS
