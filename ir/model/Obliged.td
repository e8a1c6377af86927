// The interface of ops that do not work for every size.
#ifndef WEFT_IR_MODEL_OBLIGED
#define WEFT_IR_MODEL_OBLIGED

include "mlir/IR/OpBase.td"

def Model_ObligedInterface : OpInterface<"Obliged"> {
  let description = [{
    An op that works for some sizes only, and says for which. What can be shown when the program is built is discharged
    there; the rest is checked by every run, once its sizes are known.
  }];
  let cppNamespace = "::weft::model";
  let methods = [InterfaceMethod<
    "What must hold of the sizes, in the order in which it is looked at.",
    "::std::vector<::weft::model::Obligation>", "obligations">];
}
def Obliged : DeclareOpInterfaceMethods<Model_ObligedInterface>;

#endif // WEFT_IR_MODEL_OBLIGED
