// The dialect, its type, its attribute and the classes of its ops, for this dialect and those that stand on it.
#ifndef WEFT_IR_MODEL_BASE
#define WEFT_IR_MODEL_BASE

include "ir/model/Differentiable.td"
include "ir/model/Families.td"
include "ir/model/Obliged.td"

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/LoopLikeInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Model_Dialect : Dialect {
  let name = "model";
  let summary = "Tensor programs over named dimensions";
  let description = [{
    What is computed. Values are tensors whose dimensions have names instead of positions; ops meet by name, so a program
    has no transposes and no axis numbers. The order in which a type lists its dimensions is the preferred order in memory
    and nothing else. The types of most results follow from the operands, and are not printed.

    Whether a dimension's name is declared, and whether sizes agree wherever they are static, is checked in every op. An
    entry of the program is a `func.func` with the attribute `model.entry`, its public name; its arguments and results carry
    `model.name`. Values of an argument that are indices are looked at when they come in.
  }];
  let cppNamespace = "::weft::model";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  // Of entries, their arguments and their results: ir/model/Entries.h.
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

def Model_Tensor : TypeDef<Model_Dialect, "NamedTensor"> {
  let mnemonic = "tensor";
  let summary = "tensor over named dimensions";
  let description = [{
    `!model.tensor<f32, batch, seq>`: elements indexed by a set of named dimensions. The element is `f32` (floats), `i32`
    (whole numbers), `index<vocab>` (whole numbers that are positions of the dimension `vocab`) or `i1` (switches). Without
    dimensions it is a scalar.
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"::weft::model::DimAttr">:$dims);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool has(::weft::model::DimAttr dim) const { return ::llvm::is_contained(getDims(), dim); }
    bool isFloat() const { return getElement().isF32(); }
    bool isBool() const { return getElement().isInteger(1); }
    bool isWhole() const { return !isFloat() && !isBool(); }
    // The dimension of which the elements are positions; null if they are not said to be.
    ::weft::model::DimAttr indexed() const;
  }];
}

def Model_Index : TypeDef<Model_Dialect, "DimIndex"> {
  let mnemonic = "index";
  let summary = "element: a position of a dimension";
  let description = [{
    `!model.tensor<index<vocab>, batch, seq>`: whole numbers from 0 to `size(vocab) - 1`, in memory as `i32`, and taken wherever
    whole numbers are. Which values are positions is inferred as other types are: positions of one dimension stay that where one
    of several is chosen or moved, and what is computed of them is `i32`. Only `model.arrange` turns one into the other.
  }];
  let parameters = (ins "::weft::model::DimAttr":$dim);
  let hasCustomAssemblyFormat = 1;
}

class Model_Attr<string name, string text> : AttrDef<Model_Dialect, name> { let mnemonic = text; }

// Ops write them as they are read: `custom<Dim>($dim)` is `"seq"`, `custom<Dims>($over)` is `["batch", "seq"]`.
def Model_DimAttr : Model_Attr<"Dim", "dim"> {
  let summary = "dimension";
  let description = [{
    `#model.dim<seq>`: a dimension of the program, by its name. Ops write it `"seq"`, types and layouts `seq`.
  }];
  let parameters = (ins "::mlir::StringAttr":$name);
  let builders = [
    AttrBuilderWithInferredContext<(ins "::mlir::StringAttr":$name), [{ return $_get(name.getContext(), name); }]>,
    AttrBuilder<(ins "const ::llvm::Twine &":$name), [{ return $_get($_ctxt, ::mlir::StringAttr::get($_ctxt, name)); }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    ::llvm::StringRef getValue() const { return getName().getValue(); }
    std::string str() const { return getValue().str(); }
    operator ::llvm::StringRef() const { return getValue(); }
  }];
}

def Model_DimsAttr : Model_Attr<"Dims", "dims"> {
  let summary = "dimensions, in an order";
  let description = "`#model.dims<batch, seq>`. Ops write it `[\"batch\", \"seq\"]`.";
  let parameters = (ins ArrayRefParameter<"::weft::model::DimAttr">:$value);
  let hasCustomAssemblyFormat = 1;
  // What ops give and take is the list.
  let returnType = "::llvm::ArrayRef<::weft::model::DimAttr>";
  let convertFromStorage = "$_self.getValue()";
  let constBuilderCall = "::weft::model::DimsAttr::get($_builder.getContext(), $0)";
}

def Model_SizeAttr : Model_Attr<"Size", "size"> {
  let summary = "size: a polynomial in the sizes of dimensions";
  let description = "`#model.size<batch * seq + 1>`; where an op takes nothing else, `<batch * seq + 1>`. A quotient is exact.";
  let parameters = (ins "::weft::Size":$value);
  let hasCustomAssemblyFormat = 1;
}

def Model_RequireAttr : Model_Attr<"Require", "require"> {
  let summary = "what must hold of the sizes of a run";
  let description = [{
    `#model.require<at_most 3, seq : "x[seq = 2] (gpt.weft:7) needs `seq` of at least {left}, but it is {right}">`: the left size
    is at most the right one, `equal` to it, or a `multiple` of it. Neither side has a division. The text is what a run says that
    breaks it, with the two numbers in their places. A function lists what is left to check under `model.requires`.
  }];
  let parameters = (ins "::weft::model::Relation":$relation, "::weft::Size":$left, "::weft::Size":$right,
                    "::mlir::StringAttr":$text);
  let hasCustomAssemblyFormat = 1;
}

def Model_OriginAttr : Model_Attr<"Origin", "origin"> {
  let summary = "which block declared a parameter, and as what";
  let description = [{
    `#model.origin<"Linear", [["in", ["model"]], ["out", ["head", "dh"]]]>`: the block, empty outside of one, and its own dimensions
    in the order of the declaration, each with the dimensions that fill it. Checkpoints of others are read by it.
  }];
  let parameters = (ins "::mlir::StringAttr":$block, ArrayRefParameter<"::mlir::StringAttr">:$names,
                    ArrayRefParameter<"::weft::model::DimsAttr">:$filled);
  let hasCustomAssemblyFormat = 1;
}

// Every op verifies that the module declares the dimensions it names.
class Model_Op<string mnemonic, list<Trait> traits = []>
    : Op<Model_Dialect, mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>] # traits> {
  code checkSymbols = [{
    ::llvm::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &symbols) {
      return ::weft::model::verifyDims(*this, symbols);
    }
  }];
  let extraClassDefinition = checkSymbols;
}

class Model_Pure<string mnemonic, list<Trait> traits = []> : Model_Op<mnemonic, [Pure] # traits>;

// The result's type follows from operands and attributes; `rule` finds it or says what does not fit.
class Model_Inferred<string mnemonic, string rule, list<Trait> traits = []>
    : Model_Pure<mnemonic, [InferTypeOpAdaptor] # traits> {
  let extraClassDefinition = checkSymbols # [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context, std::optional<::mlir::Location> location, Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return ::weft::model::Inference(context, location, types).}] # rule # [{;
    }
  }];
}

#endif // WEFT_IR_MODEL_BASE
