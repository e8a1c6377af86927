// The scopes of the loops of a rows kernel.
#include "codegen/rows/RowPlaces.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::rows {

void Scopes::loop(Value *low, Value *high, Value *step, function_ref<void(Value *)> body) {
  emit::loop(builder, low, high, step, [&](Value *index) {
    open.back().leave = cast<PHINode>(index)->getIncomingBlock(0)->getTerminator();
    open.emplace_back();
    body(index);
    open.pop_back();
    open.back().leave = nullptr;
  });
}

Value *Scopes::at(unsigned level, function_ref<Value *()> emit) {
  if (level >= innermost())
    return emit();
  BasicBlock *block = builder.GetInsertBlock();
  auto point = builder.GetInsertPoint();
  bool isEnd = point == block->end();
  Instruction *leave = open[level].leave;
  builder.SetInsertPoint(leave);
  Value *value = emit();
  // What has written a loop goes on in another block, from where the scope is left now. What it
  // has emitted in this scope on the way may have moved the branch before.
  BasicBlock *before = leave->getParent(), *now = builder.GetInsertBlock();
  if (now != before) {
    leave->moveBefore(*now, now->end());
    for (BasicBlock *next : successors(leave))
      next->replacePhiUsesWith(before, now);
  }
  // The instruction before which the caller writes may be one that has just moved.
  isEnd ? builder.SetInsertPoint(block) : builder.SetInsertPoint(&*point);
  return value;
}

Value *Scopes::known(const Key &key, unsigned level) const {
  auto at = open[level].values.find(key);
  return at == open[level].values.end() ? nullptr : at->second;
}

} // namespace weft::rows
