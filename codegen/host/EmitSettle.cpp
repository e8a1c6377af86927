// What a run does before everything else: sizes that follow from others, and what must hold of
// them.
#include "codegen/emit/CheckedSize.h"
#include "codegen/emit/Loops.h"
#include "codegen/host/LowerPlan.h"
#include "ir/model/Entries.h"
#include "ir/model/Obligations.h"

using namespace llvm;

namespace weft {

namespace {
/// i32(entry, sizes, numbers): see runtime/Abi.h.
class Settling {
public:
  Settling(mlir::ModuleOp module, cpu::Emission &emission)
      : module(module), emission(emission), builder(emission.module.getContext()) {
    Type *pointer = builder.getPtrTy();
    function = emission.function(
        "settle",
        FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty(), pointer, pointer}, false));
    sizes = function->getArg(1);
    numbers = function->getArg(2);
  }

  Function *emit() {
    builder.SetInsertPoint(&function->getEntryBlock());
    derive();
    BasicBlock *done = block();
    auto *choice = builder.CreateSwitch(function->getArg(0), done);
    unsigned number = 0;
    for (auto entry : module.getOps<plan::EntryOp>()) {
      BasicBlock *own = block();
      choice->addCase(builder.getInt32(number++), own);
      builder.SetInsertPoint(own);
      check(entry);
      builder.CreateBr(done);
    }
    builder.SetInsertPoint(done);
    builder.CreateRet(builder.getInt32(-1));
    return function;
  }

private:
  BasicBlock *block() { return BasicBlock::Create(builder.getContext(), "", function); }

  Value *at(Value *array, unsigned number) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), array, number);
  }

  /// What is not whole is 0: that no entry runs which needs it is checked behind.
  void derive() {
    model::Dims dims(module);
    for (auto dim : module.getOps<model::DimOp>()) {
      Size size = dims.size(dim.getSymName());
      if (!dim.getSizeAttr() || size.constant())
        continue;
      emit::CheckedQuotient value = emit::checkedQuotient(builder, emission, size, sizes);
      unsigned number = emission.dims.dims.find(dim.getSymName())->second.number;
      builder.CreateStore(builder.CreateSelect(value.exact, value.value, builder.getInt64(0)),
                          at(sizes, number));
    }
  }

  void check(plan::EntryOp entry) {
    auto asked = entry->getAttrOfType<mlir::ArrayAttr>(model::attr::requirements);
    if (!asked)
      return;
    for (auto [number, what] : enumerate(asked.getAsRange<model::RequireAttr>())) {
      emit::CheckedSize left = emit::checkedSize(builder, emission, what.getLeft(), sizes),
                        right = emit::checkedSize(builder, emission, what.getRight(), sizes);
      Value *fine = holds(what.getRelation(), left.value, right.value);
      Value *beyond = builder.CreateOr(left.overflow, right.overflow);
      emit::when(builder, builder.CreateOr(beyond, builder.CreateNot(fine)), [&] {
        builder.CreateStore(left.value, at(numbers, 0));
        builder.CreateStore(right.value, at(numbers, 1));
        Type *word = builder.getInt64Ty();
        Value *mask =
            builder.CreateOr(builder.CreateZExt(left.overflow, word),
                             builder.CreateShl(builder.CreateZExt(right.overflow, word), 1));
        builder.CreateStore(mask, at(numbers, 2));
        BasicBlock *rest = block();
        builder.CreateRet(builder.getInt32(number));
        builder.SetInsertPoint(rest); // unreachable, removed by the first optimization
      });
    }
  }

  Value *holds(model::Relation relation, Value *left, Value *right) {
    switch (relation) {
    case model::Relation::at_most:
      return builder.CreateICmpSLE(left, right);
    case model::Relation::equal:
      return builder.CreateICmpEQ(left, right);
    case model::Relation::multiple: {
      Value *positive = builder.CreateICmpSGT(right, builder.getInt64(0));
      Value *divisor = builder.CreateSelect(positive, right, builder.getInt64(1));
      return builder.CreateAnd(
          positive, builder.CreateICmpEQ(builder.CreateSRem(left, divisor), builder.getInt64(0)));
    }
    }
    llvm_unreachable("no other relations");
  }

  mlir::ModuleOp module;
  cpu::Emission &emission;
  IRBuilder<> builder;
  Function *function;
  Value *sizes, *numbers;
};
} // namespace

Function *emitSettle(mlir::ModuleOp module, cpu::Emission &emission) {
  return Settling(module, emission).emit();
}

} // namespace weft
