// The interface of ops that know their gradient.
#ifndef WEFT_IR_MODEL_DIFFERENTIABLE
#define WEFT_IR_MODEL_DIFFERENTIABLE

include "mlir/IR/OpBase.td"

def Model_DifferentiableInterface : OpInterface<"Differentiable"> {
  let description = [{
    An op that knows how a change of its operands changes what depends on its results (reverse mode, one step).
  }];
  let cppNamespace = "::weft::model";
  let methods = [InterfaceMethod<
    [{
      `of` holds the gradient of each result, null where nothing depends on it. A gradient may lack dimensions of its
      value: it is constant along them. Gives the gradient of each operand in the same form, null where there is none
      (whole numbers, switches). Uses of this op's own operands and results stand for the values of the forward pass.
    }],
    "::llvm::SmallVector<::mlir::Value>", "gradients",
    (ins "::mlir::OpBuilder &":$builder, "::mlir::ValueRange":$of)>];
}
def Differentiable : DeclareOpInterfaceMethods<Model_DifferentiableInterface>;

#endif // WEFT_IR_MODEL_DIFFERENTIABLE
