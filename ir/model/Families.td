// Families of ops: what ops have in common that passes, the interpreter and targets ask for, in place of lists of ops.
#ifndef WEFT_IR_MODEL_FAMILIES
#define WEFT_IR_MODEL_FAMILIES

include "mlir/IR/OpBase.td"

def Model_FloatFunctionInterface : OpInterface<"FloatFunctionOp"> {
  let description = [{
    An op that applies a function of one float to each element. All that is known of the function is in its row of
    `ir/model/FloatFunctions.h`, which has the op's name; the op folds by it.
  }];
  let cppNamespace = "::weft::model";
  let methods = [StaticInterfaceMethod<
    "The row of the function.", "const ::weft::model::FloatFunction &", "function", (ins), "", [{
      constexpr ::llvm::StringLiteral name = ConcreteOp::getOperationName();
      constexpr size_t dialect = sizeof("model.") - 1;
      constexpr const ::weft::model::FloatFunction *row = ::weft::model::findFloatFunction({name.data() + dialect, name.size() - dialect});
      static_assert(row, "the function of this op is not in ir/model/FloatFunctions.h");
      return *row;
    }]>];
  let extraTraitClassDeclaration = [{
    static ::mlir::OpFoldResult foldTrait(::mlir::Operation *op, ::llvm::ArrayRef<::mlir::Attribute> operands) {
      return ::weft::model::foldFloatFunction(op, operands[0]);
    }
  }];
}
def FloatFunction : DeclareOpInterfaceMethods<Model_FloatFunctionInterface>;

def Model_BinaryFunctionInterface : OpInterface<"BinaryFunctionOp"> {
  let description = [{
    An op that applies a function of two numbers or switches to each pair of elements. What the function is stands in its row of
    `ir/model/Arithmetic.h`, which has the op's name; the op folds by it.
  }];
  let cppNamespace = "::weft::model";
  let methods = [StaticInterfaceMethod<
    "The row of the function.", "const ::weft::model::BinaryFunction &", "function", (ins), "", [{
      constexpr ::llvm::StringLiteral name = ConcreteOp::getOperationName();
      constexpr size_t dialect = sizeof("model.") - 1;
      constexpr const ::weft::model::BinaryFunction *row = ::weft::model::findBinaryFunction({name.data() + dialect, name.size() - dialect});
      static_assert(row, "the function of this op is not in ir/model/Arithmetic.h");
      return *row;
    }]>];
  let extraTraitClassDeclaration = [{
    static ::mlir::OpFoldResult foldTrait(::mlir::Operation *op, ::llvm::ArrayRef<::mlir::Attribute> operands) {
      return ::weft::model::foldBinaryFunction(op, operands[0], operands[1]);
    }
  }];
}
def BinaryFunction : DeclareOpInterfaceMethods<Model_BinaryFunctionInterface>;

def Model_ReducingInterface : OpInterface<"Reducing"> {
  let description = "An op of which every element follows from all elements of its operand along some dimensions.";
  let cppNamespace = "::weft::model";
  let methods = [InterfaceMethod<
    "The dimensions along which all elements go into one.", "::llvm::SmallVector<::weft::model::DimAttr>", "reduced", (ins), "", [{
      return ::llvm::to_vector(::llvm::ArrayRef<::weft::model::DimAttr>($_op.getOver()));
    }]>];
}
def Reducing : DeclareOpInterfaceMethods<Model_ReducingInterface>;

def Model_MovingInterface : OpInterface<"Moving"> {
  let description = "An op that computes nothing: every element of its result is one of its sources.";
  let cppNamespace = "::weft::model";
  let methods = [
    InterfaceMethod<"The operands whose elements it gives.", "::mlir::OperandRange", "sources", (ins), "", [{
      return $_op->getOperands().take_front(1);
    }]>,
    InterfaceMethod<
      "The dimensions of sources that are not read at the result's own position.",
      "::llvm::SmallVector<::weft::model::DimAttr>", "moved", (ins), "", "return {};">];
}
def Moving : DeclareOpInterfaceMethods<Model_MovingInterface>;
def MovingAlong : DeclareOpInterfaceMethods<Model_MovingInterface, ["moved"]>;
def Joining : DeclareOpInterfaceMethods<Model_MovingInterface, ["sources"]>;
def JoiningAlong : DeclareOpInterfaceMethods<Model_MovingInterface, ["sources", "moved"]>;

def Model_PositionalInterface : OpInterface<"Positional"> {
  let description = [{
    An op for which it matters which position of a dimension an element is at: it counts positions, or finds an element by one.
    For other ops a dimension is a name alone, along which nothing has an order.
  }];
  let cppNamespace = "::weft::model";
  let methods = [InterfaceMethod<
    "The dimensions whose positions matter: those that its attributes name, where nothing else is said.",
    "::llvm::SmallVector<::weft::model::DimAttr>", "positional", (ins), "", "return ::weft::model::dimsNamedBy($_op);">];
}
def Positional : DeclareOpInterfaceMethods<Model_PositionalInterface>;
def PositionalAnywhere : DeclareOpInterfaceMethods<Model_PositionalInterface, ["positional"]>;

def Model_SizedInterface : OpInterface<"Sized"> {
  let description = "An op that fits only some sizes of dimensions, and says so where they are static.";
  let cppNamespace = "::weft::model";
  let methods = [InterfaceMethod<
    "Reports what does not fit.", "::llvm::LogicalResult", "verifySizes", (ins "const ::weft::model::Dims &":$dims)>];
}
def Sized : DeclareOpInterfaceMethods<Model_SizedInterface>;

// What ir/model/Traits.h says of them.
class Model_Trait<string name> : NativeOpTrait<name> { let cppNamespace = "::weft::model"; }
def AddsUp : Model_Trait<"AddsUp">;
def Associative : Model_Trait<"Associative">;
def Exact : Model_Trait<"Exact">;
def Free : Model_Trait<"Free">;
def Heavy : Model_Trait<"Heavy">;
def Idiom : Model_Trait<"Idiom">;
def RoundsOnce : Model_Trait<"RoundsOnce">;
def SameByName : Model_Trait<"SameByName">;
def Structural : Model_Trait<"Structural">;
def View : Model_Trait<"View">;
def Wraps : Model_Trait<"Wraps">;

#endif // WEFT_IR_MODEL_FAMILIES
