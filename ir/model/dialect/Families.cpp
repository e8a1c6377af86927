// What ops say of themselves as members of families (Families.td), where it does not follow from
// their class.
#include "ir/model/Model.h"

using namespace mlir;
using namespace weft::model;

//===-- where elements come from --------------------------------------------------------------===//

DimList RegroupOp::moved() {
  return DimList(getFrom());
}
DimList PartOp::moved() {
  return {getDimAttr()};
}
DimList PickOp::moved() {
  return {getDimAttr()};
}
DimList GatherOp::moved() {
  return {getDimAttr()};
}
DimList InsertPartOp::moved() { // only the input moves, not what it is inserted into
  return {getPartAttr()};
}
DimList ConcatOp::moved() {
  return DimList(getParts());
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

DimList weft::model::dimsNamedBy(Operation *op, bool inSizes) {
  DimList dims;
  // Not the discardable ones: they do not belong to the op.
  auto own = dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute());
  for (NamedAttribute attribute : own ? own.getValue() : ArrayRef<NamedAttribute>()) {
    if (auto dim = dyn_cast<DimAttr>(attribute.getValue()))
      dims.push_back(dim);
    else if (auto list = dyn_cast<DimsAttr>(attribute.getValue()))
      llvm::append_range(dims, list.getValue());
    else if (auto size = dyn_cast<SizeAttr>(attribute.getValue()); size && inSizes)
      for (const std::string &name : size.getValue().dims())
        dims.push_back(DimAttr::get(op->getContext(), name));
  }
  return dims;
}

/// Every number is drawn by its position.
DimList RandomOp::positional() {
  return DimList(typeOf(getResult()).getDims());
}
