// Which values have one storage type.
#include "ir/kernel/storage/SharedStorage.h"

#include "ir/model/Entries.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

/// The argument whose cache a returned value is.
static BlockArgument cacheOf(OpOperand &returned) {
  auto function = cast<func::FuncOp>(returned.getOwner()->getParentOp());
  Attribute name = function.getResultAttr(returned.getOperandNumber(), attr::cache);
  for (BlockArgument argument : function.getArguments())
    if (name && function.getArgAttr(argument.getArgNumber(), attr::cache) == name)
      return argument;
  return {};
}

SharedStorage::SharedStorage(ModuleOp module, const Places &places) : places(places) {
  module.walk([&](RepeatOp loop) { join(loop); });
  module.walk([&](func::ReturnOp exit) { join(exit); });
  auto seen = [&](Value value) { outside.insert(leader(rootOf(value))); };
  module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      for (BlockArgument argument : function.getArguments()) {
        auto said = function.getArgAttrOfType<TypeAttr>(argument.getArgNumber(), attr::storage);
        if (said)
          storage[leader(argument)] = said.getValue();
        else
          seen(argument);
      }
    if (auto exit = dyn_cast<func::ReturnOp>(op))
      for (OpOperand &operand : exit->getOpOperands())
        if (!cacheOf(operand))
          seen(operand.get());
    if (isa<AssignOp>(op))
      llvm::for_each(op->getOperands(), seen);
    if (isa<ParamOp>(op))
      llvm::for_each(op->getResults(), seen);
  });
  module.walk([&](kernel::FusedOp op) {
    if (ArrayAttr layouts = op.getLayoutsAttr())
      for (auto [result, layout] :
           llvm::zip(op.getResults(), layouts.getValue().drop_front(op.getNumOperands())))
        if (Type said = kernel::storageIn(layout))
          storage[leader(rootOf(result))] = said;
  });
}

Value SharedStorage::rootOf(Value value) const {
  std::optional<Place> place = places.of(value);
  return place ? place->root : value;
}

Value SharedStorage::leader(Value root) const {
  auto member = classes.findLeader(root.getAsOpaquePointer());
  return member == classes.member_end() ? root : Value::getFromOpaquePointer(*member);
}

void SharedStorage::join(Value a, Value b) {
  classes.unionSets(rootOf(a).getAsOpaquePointer(), rootOf(b).getAsOpaquePointer());
}

void SharedStorage::join(RepeatOp loop) {
  unsigned carried = loop.getNumCarried();
  Block &body = loop.getBody().front();
  for (unsigned i = 0; i < carried; ++i) {
    join(loop.getCarried()[i], loop.getResult(i));
    join(body.getArgument(i), loop.getResult(i));
  }
  for (auto [yielded, result] : llvm::zip_equal(loop.getYield().getValues(), loop.getResults()))
    join(yielded, result);
  for (auto [slice, argument] : llvm::zip_equal(loop.getSlices(), loop.getPassSlices()))
    join(slice, argument);
}

void SharedStorage::join(func::ReturnOp exit) {
  for (OpOperand &operand : exit->getOpOperands())
    if (BlockArgument cache = cacheOf(operand))
      join(operand.get(), cache);
}

Size SharedStorage::bytes(Value root, const Size &elements) const {
  Type said = of(root);
  Footprint each =
      footprintOf(said ? narrowStorageOf(said) : storageTypeOf(typeOf(root).getElement()));
  return elements / Size::number(each.together) * Size::number(each.bytes);
}

Size SharedStorage::bytes(Value root) const {
  return bytes(root, places.room(root));
}
