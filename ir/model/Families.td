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

// Takes many times longer than an addition: worth keeping, and worth lanes.
def Heavy : NativeOpTrait<"Heavy"> { let cppNamespace = "::weft::model"; }

#endif // WEFT_IR_MODEL_FAMILIES
