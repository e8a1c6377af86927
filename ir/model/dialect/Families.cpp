// What ops say of themselves as members of families (Families.td), where it does not follow from
// their class.
#include "ir/model/Model.h"

using namespace mlir;
using namespace weft::model;

using Names = SmallVector<StringAttr>;

//===-- where elements come from --------------------------------------------------------------===//

Names RegroupOp::moved() {
  return namesIn(getFrom());
}
Names PartOp::moved() {
  return {getDimAttr()};
}
Names PickOp::moved() {
  return {getDimAttr()};
}
Names GatherOp::moved() {
  return {getDimAttr()};
}
Names InsertPartOp::moved() { // what it is inserted into stays where it is
  return {getPartAttr()};
}
Names ConcatOp::moved() {
  return namesIn(getParts());
}

OperandRange InsertPartOp::sources() {
  return getOperands();
}
OperandRange StackOp::sources() {
  return getInputs();
}
OperandRange ConcatOp::sources() {
  return getInputs();
}

//===-- whose positions matter ----------------------------------------------------------------===//

Names weft::model::dimsNamedBy(Operation *op) {
  Names names;
  // Not the discardable ones: those are notes that others left.
  auto own = dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  for (NamedAttribute attribute : own ? own.getValue() : ArrayRef<NamedAttribute>()) {
    if (auto list = dyn_cast<ArrayAttr>(attribute.getValue()))
      llvm::append_range(names, namesIn(list));
    else if (auto name = dyn_cast<StringAttr>(attribute.getValue()))
      if (attribute.getName() != "path" && attribute.getName() != "sym_name")
        names.push_back(name);
  }
  return names;
}

/// Every number is drawn by its position.
Names RandomOp::positional() {
  return Names(typeOf(getResult()).getDims());
}
