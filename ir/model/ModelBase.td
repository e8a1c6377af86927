// The dialect, its type, its attribute and the classes of its ops, for this dialect and those that stand on it.
#ifndef WEFT_IR_MODEL_BASE
#define WEFT_IR_MODEL_BASE

include "ir/model/Differentiable.td"

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Model_Dialect : Dialect {
  let name = "model";
  let summary = "Tensor programs over named dimensions";
  let description = [{
    Values are tensors whose dimensions have names instead of positions. Ops meet by name, so a
    program in this dialect has no transposes, no broadcasts and no axis numbers. The order in which
    a type lists its dimensions is the preferred order in memory and nothing else.
  }];
  let cppNamespace = "::weft::model";
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

def Model_Tensor : TypeDef<Model_Dialect, "NamedTensor"> {
  let mnemonic = "tensor";
  let summary = "Elements indexed by a set of named dimensions";
  let description = [{
    `!model.tensor<f32, batch, seq>`; the element is `f32`, `i64` (whole numbers and indices) or `i1`.
    Without dimensions it is a scalar.
  }];
  let parameters = (ins "::mlir::Type":$element, ArrayRefParameter<"::mlir::StringAttr">:$dims);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool has(::mlir::StringAttr dim) const { return ::llvm::is_contained(getDims(), dim); }
    bool isFloat() const { return getElement().isF32(); }
    bool isBool() const { return getElement().isInteger(1); }
  }];
}

class Model_Attr<string name, string text> : AttrDef<Model_Dialect, name> { let mnemonic = text; }

def Model_SizeAttr : Model_Attr<"Size", "size"> {
  let summary = "A size: a polynomial in the sizes of dimensions, `#model.size<batch * seq + 1>`";
  let parameters = (ins "::weft::Size":$value);
  let hasCustomAssemblyFormat = 1;
}

// Every op checks that the module declares the dimensions it speaks of.
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
