// Structured control flow over IRBuilder.
#include "codegen/emit/Loops.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace weft::emit {

// The kernels say themselves what is unrolled and vectorized: LLVM's own choice spills the
// accumulators.
static void keepAsWritten(BranchInst *latch, int64_t unroll) {
  LLVMContext &context = latch->getContext();
  auto *passes = ConstantInt::get(Type::getInt32Ty(context), unroll);
  Metadata *times = MDNode::get(
      context, {MDString::get(context, "llvm.loop.unroll.count"), ConstantAsMetadata::get(passes)});
  Metadata *once = MDNode::get(context, MDString::get(context, "llvm.loop.unroll.disable"));
  Metadata *hints[] = {
      nullptr, unroll > 1 ? times : once,
      MDNode::get(context, {MDString::get(context, "llvm.loop.vectorize.enable"),
                            ConstantAsMetadata::get(ConstantInt::getFalse(context))})};
  MDNode *node = MDNode::getDistinct(context, hints);
  node->replaceOperandWith(0, node);
  latch->setMetadata(LLVMContext::MD_loop, node);
}

static BasicBlock *blockAfter(IRBuilderBase &builder, const Twine &name) {
  Function *function = builder.GetInsertBlock()->getParent();
  return BasicBlock::Create(builder.getContext(), name, function);
}

Values carryingLoop(IRBuilderBase &builder, Value *low, Value *high, Value *step,
                    ArrayRef<Value *> initial,
                    function_ref<Values(Value *, ArrayRef<Value *>)> body, int64_t unroll) {
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = blockAfter(builder, "head");
  BasicBlock *inside = blockAfter(builder, "body");
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  PHINode *index = builder.CreatePHI(low->getType(), 2, "i");
  index->addIncoming(low, before);
  SmallVector<PHINode *> phis;
  for (Value *value : initial) {
    phis.push_back(builder.CreatePHI(value->getType(), 2));
    phis.back()->addIncoming(value, before);
  }
  BasicBlock *after = blockAfter(builder, "after");
  builder.CreateCondBr(builder.CreateICmpSLT(index, high), inside, after);

  builder.SetInsertPoint(inside);
  Values next = body(index, Values(phis.begin(), phis.end()));
  assert(next.size() == phis.size() && "a loop carries as many values as it was given");
  Value *following = builder.CreateNSWAdd(index, step);
  BasicBlock *last = builder.GetInsertBlock();
  keepAsWritten(builder.CreateBr(head), unroll);
  index->addIncoming(following, last);
  for (auto [phi, value] : zip(phis, next))
    phi->addIncoming(value, last);

  after->moveAfter(last);
  builder.SetInsertPoint(after);
  return Values(phis.begin(), phis.end());
}

void loop(IRBuilderBase &builder, Value *low, Value *high, Value *step,
          function_ref<void(Value *)> body) {
  carryingLoop(builder, low, high, step, {}, [&](Value *index, ArrayRef<Value *>) {
    body(index);
    return Values();
  });
}

void loop(IRBuilderBase &builder, Value *count, function_ref<void(Value *)> body) {
  loop(builder, ConstantInt::get(count->getType(), 0), count, ConstantInt::get(count->getType(), 1),
       body);
}

Values repeatWhile(IRBuilderBase &builder, ArrayRef<Value *> initial,
                   function_ref<Value *(ArrayRef<Value *>)> condition,
                   function_ref<Values(ArrayRef<Value *>)> body) {
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = blockAfter(builder, "head");
  builder.CreateBr(head);
  builder.SetInsertPoint(head);
  SmallVector<PHINode *> phis;
  for (Value *value : initial) {
    phis.push_back(builder.CreatePHI(value->getType(), 2));
    phis.back()->addIncoming(value, before);
  }
  Values carried(phis.begin(), phis.end());
  Value *goesOn = condition(carried);
  BasicBlock *inside = blockAfter(builder, "body");
  BasicBlock *after = blockAfter(builder, "after");
  builder.CreateCondBr(goesOn, inside, after);

  builder.SetInsertPoint(inside);
  Values next = body(carried);
  assert(next.size() == phis.size() && "a loop carries as many values as it was given");
  BasicBlock *last = builder.GetInsertBlock();
  keepAsWritten(builder.CreateBr(head), 1);
  for (auto [phi, value] : zip(phis, next))
    phi->addIncoming(value, last);
  after->moveAfter(last);
  builder.SetInsertPoint(after);
  return carried;
}

void when(IRBuilderBase &builder, Value *condition, function_ref<void()> then) {
  choose(
      builder, condition,
      [&] {
        then();
        return Values();
      },
      [] { return Values(); });
}

Values choose(IRBuilderBase &builder, Value *condition, function_ref<Values()> then,
              function_ref<Values()> otherwise) {
  if (auto *known = dyn_cast<ConstantInt>(condition))
    return known->isOne() ? then() : otherwise();
  BasicBlock *yes = blockAfter(builder, "then");
  BasicBlock *no = blockAfter(builder, "else");
  builder.CreateCondBr(condition, yes, no);
  builder.SetInsertPoint(yes);
  Values one = then();
  BasicBlock *yesEnd = builder.GetInsertBlock();
  no->moveAfter(yesEnd);
  builder.SetInsertPoint(no);
  Values other = otherwise();
  BasicBlock *noEnd = builder.GetInsertBlock();
  assert(one.size() == other.size() && "both sides give as many values");
  BasicBlock *after = blockAfter(builder, "join");
  builder.CreateBr(after);
  IRBuilder<>(yesEnd).CreateBr(after);
  builder.SetInsertPoint(after);
  Values joined;
  for (auto [a, b] : zip(one, other)) {
    PHINode *phi = builder.CreatePHI(a->getType(), 2);
    phi->addIncoming(a, yesEnd);
    phi->addIncoming(b, noEnd);
    joined.push_back(phi);
  }
  return joined;
}

Value *minimum(IRBuilderBase &builder, Value *a, Value *b) {
  return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
}

Value *maximum(IRBuilderBase &builder, Value *a, Value *b) {
  return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
}

Value *ceilDiv(IRBuilderBase &builder, Value *a, Value *b) {
  Value *one = ConstantInt::get(a->getType(), 1);
  return builder.CreateUDiv(builder.CreateNSWSub(builder.CreateNSWAdd(a, b), one), b);
}

Value *roundUp(IRBuilderBase &builder, Value *a, int64_t b) {
  Value *multiple = ConstantInt::get(a->getType(), b);
  return builder.CreateNSWMul(ceilDiv(builder, a, multiple), multiple);
}

Value *firstLanes(IRBuilderBase &builder, Value *count, unsigned lanes) {
  Type *number = builder.getInt32Ty();
  Value *limit = builder.CreateVectorSplat(lanes, builder.CreateTrunc(count, number));
  return builder.CreateICmpSLT(builder.CreateStepVector(FixedVectorType::get(number, lanes)),
                               limit);
}

Value *stackSlot(IRBuilderBase &builder, Type *element, int64_t count, unsigned alignment) {
  IRBuilderBase::InsertPointGuard guard(builder);
  BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  builder.SetInsertPoint(&entry, entry.begin());
  AllocaInst *slot = builder.CreateAlloca(ArrayType::get(element, count));
  slot->setAlignment(Align(alignment));
  return slot;
}

} // namespace weft::emit
