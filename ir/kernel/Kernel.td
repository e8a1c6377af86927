// The kernel dialect: which ops are computed together, and how. The ops inside are those of the
// model dialect.
#ifndef WEFT_IR_KERNEL
#define WEFT_IR_KERNEL

include "ir/model/ModelBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let summary = "Kernels: groups of fused model ops, with memory layouts and schedules";
  let description = [{
    `kernel.fused` holds the ops that one kernel computes, on logical tensors over named dimensions. Fusion creates
    them; the passes of the `kernel` stage then say how each value lies in memory (`layouts`) and how the work is cut (`schedule`).
    Dimension names stay: they are the names of the loops.
  }];
  let cppNamespace = "::weft::kernel";
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::weft::model::ModelDialect"];
  let hasOperationAttrVerify = 1; // kernel.group
}

def Kernel_Family : I32EnumAttr<"Family", "the shape of a kernel's loops, and so its builder", [
    I32EnumAttrCase<"contraction", 0>,    // contractions of one left side, with an epilogue
    I32EnumAttrCase<"attention", 1>,      // one model.attention
    I32EnumAttrCase<"attention_grad", 2>, // one model.attention_grad
    I32EnumAttrCase<"rows", 3>,           // elementwise ops, gathers, reductions
    I32EnumAttrCase<"scatter", 4>,        // one model.scatter
    I32EnumAttrCase<"table", 5>,          // follows from positions, sizes and single numbers: computed in f64
    I32EnumAttrCase<"pack", 6>            // a side of a contraction or an attention as its kernel reads it: in panels, or narrower
  ]> {
  let cppNamespace = "::weft::kernel";
}

def Kernel_Schedule : AttrInterface<"ScheduleAttr"> {
  let description = [{
    The schedule of a kernel (tasks, tiles, unrolling) for one kind of machine. Each target defines its own.
  }];
  let cppNamespace = "::weft::kernel";
  let methods = [
    InterfaceMethod<"Whether it is a schedule of kernels of a family.", "bool", "suits", (ins "::weft::kernel::Family":$family)>,
    InterfaceMethod<"Threads of a block, if all that a block wants to know is its number and how many there are: then it may be one of "
                    "several kernels that are one launch. Else 0.",
      "int64_t", "threadsOfShared", (ins), "", "return 0;">];
}

def Kernel_Layout : AttrDef<Kernel_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "strided layout";
  let description = [{
    The stride along each dimension, in elements. `#kernel.layout<batch: "seq * 768", seq: "768",
    model: "1">`; a dimension that is missing has stride 0. A kernel's buffer pointer is the address of element 0.

    Elements are stored as their type says (f32, i32, a byte for a switch), or as `storage` says: in `#kernel.layout<model: "1",
    storage = bf16>` floats are rounded to bf16 when they are stored, to nearest even, and widened when they are read. With `storage = i8`
    they are whole numbers, of which 32 side by side share a scale (GroupedRow.h): packs write such rows, and attention reads its keys and values so.
  }];
  let parameters = (ins ArrayRefParameter<"::weft::model::DimAttr">:$dims,
      ArrayRefParameter<"::weft::Size">:$strides, OptionalParameter<"::mlir::Type">:$storage);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<::weft::model::DimAttr>":$dims,
      "::llvm::ArrayRef<::weft::Size>":$strides), [{ return $_get($_ctxt, dims, strides, ::mlir::Type()); }]>];
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The stride along `dim`, or nothing if the value is constant along it.
    std::optional<::weft::Size> stride(::weft::model::DimAttr dim) const;
    /// Dense and row-major in the order of `dims`, whose sizes are `sizes`.
    static LayoutAttr dense(::mlir::MLIRContext *context, ::llvm::ArrayRef<::weft::model::DimAttr> dims);
  }];
}

def Kernel_Panels : AttrDef<Kernel_Dialect, "Panels"> {
  let mnemonic = "panels";
  let summary = "packed layout of a contraction's right side";
  let description = [{
    Panels of `width` columns, one after the other: [batch…][columns / width][rows][width], padded with zeros.
    `#kernel.panels<batch = [head], rows = [model], columns = [head, dh], width = 16>`: `rows` are the contracted
    dimensions, `columns` those that reach the result, each group row-major in the order given. One format serves
    every instruction set: a micro-kernel that is 48 wide reads three panels. `storage` as in a strided layout, of which
    bf16 lies in pairs of rows, [rows / 2][width][2] (PairedPanels.h), or `i8` or `i4`: whole numbers, of which 32 of a column share a scale (GroupedPanels.h says how they lie). Packs write such panels, and contractions read them.
  }];
  let parameters = (ins ArrayRefParameter<"::weft::model::DimAttr">:$batch,
      ArrayRefParameter<"::weft::model::DimAttr">:$rows,
      ArrayRefParameter<"::weft::model::DimAttr">:$columns, "int64_t":$width,
      OptionalParameter<"::mlir::Type">:$storage);
  let builders = [AttrBuilder<(ins "::llvm::ArrayRef<::weft::model::DimAttr>":$batch,
      "::llvm::ArrayRef<::weft::model::DimAttr>":$rows, "::llvm::ArrayRef<::weft::model::DimAttr>":$columns,
      "int64_t":$width), [{ return $_get($_ctxt, batch, rows, columns, width, ::mlir::Type()); }]>];
  let hasCustomAssemblyFormat = 1;
}

class Kernel_Op<string mnemonic, list<Trait> traits = []> : Op<Kernel_Dialect, mnemonic, traits>;

def Kernel_FusedOp
    : Kernel_Op<"fused", [IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">, Pure]> {
  let summary = "ops that become one kernel";
  let description = [{
    Region arguments stand for the operands. `layouts`, from the kernel stage on, has one entry (`#kernel.layout` or
    `#kernel.panels`) for each operand, then for each result. `schedule` says how the work is cut, one entry for each
    instruction set; where there is none, a target's cost model chooses. Kernels with the same number `together`, which follow each
    other in a block, are one launch: none of them needs what another one does. `pitches` has the elements from one row to the next for
    each result whose rows are not side by side (`weft-pad-rows`), else 0. `packs` has an entry for each operand: the panels in which a product
    reads it, which tasks make of it in scratch, a block at a time (`weft-pack-within`), else `unit`. `label` says what it computes in the names of the source (`q, k, v`), for dumps and profiles. The
    families are those of [`Family`](#family).

    ```mlir
    %y = kernel.fused rows "norm" (%a = %x : !model.tensor<f32, seq, model>) -> (!model.tensor<f32, seq, model>) {
      %n = model.normalize ["model"] %a eps 1.0e-05 centered true : !model.tensor<f32, seq, model>
      kernel.yield %n : !model.tensor<f32, seq, model>
    }
    ```
  }];
  let arguments = (ins Kernel_Family:$family, StrAttr:$label, Variadic<Model_Tensor>:$inputs,
      OptionalAttr<ArrayAttr>:$layouts, OptionalAttr<DictionaryAttr>:$schedule, OptionalAttr<I64Attr>:$together,
      OptionalAttr<ArrayAttr>:$packs);
  let results = (outs Variadic<Model_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results, "::weft::kernel::Family":$family, "::llvm::StringRef":$label,
      "::mlir::ValueRange":$inputs, "::mlir::ArrayAttr":$layouts, "::mlir::DictionaryAttr":$schedule),
    [{ build($_builder, $_state, results, family, label, inputs, layouts, schedule, ::mlir::IntegerAttr(), ::mlir::ArrayAttr()); }]>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Kernel_YieldOp : Kernel_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "the results of a kernel";
  let description = [{
    One value for each result of the kernel, of the same type.
  }];
  let arguments = (ins Variadic<Model_Tensor>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{}]>];
}

#endif // WEFT_IR_KERNEL
