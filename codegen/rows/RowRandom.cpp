// Random numbers of a rows kernel: the same function of seed, step, path and index as
// ir/reference/Random.h.
#include "codegen/rows/RowEvaluator.h"
#include "ir/reference/Random.h"

using namespace llvm;

namespace weft::rows {

/// The first word of Philox4x32-10, in i64s (or vectors of them) of which the low halves count.
static Value *philox(IRBuilderBase &builder, std::array<Value *, 4> counter,
                     std::array<Value *, 2> key) {
  Type *type = counter[0]->getType();
  auto number = [&](uint64_t value) { return ConstantInt::get(type, value); };
  auto low = [&](Value *value) { return builder.CreateAnd(value, number(0xffffffff)); };
  auto high = [&](Value *value) { return builder.CreateLShr(value, number(32)); };
  for (int round = 0; round < 10; ++round) {
    Value *a = builder.CreateMul(number(0xD2511F53), counter[0]);
    Value *b = builder.CreateMul(number(0xCD9E8D57), counter[2]);
    counter = {builder.CreateXor(builder.CreateXor(high(b), counter[1]), key[0]), low(b),
               builder.CreateXor(builder.CreateXor(high(a), counter[3]), key[1]), low(a)};
    key = {low(builder.CreateAdd(key[0], number(0x9E3779B9))),
           low(builder.CreateAdd(key[1], number(0xBB67AE85)))};
  }
  return counter[0];
}

/// A word of the key, read once.
Value *RowEvaluator::randomWord(unsigned number) {
  if (randomWords.empty())
    scopes.at(0, [&] {
      Value *slot =
          builder.CreateConstInBoundsGEP1_64(builder.getPtrTy(), context.buffers, buffers.size());
      Value *key = builder.CreateLoad(builder.getPtrTy(), slot, "key");
      for (unsigned i = 0; i < 3; ++i)
        randomWords.push_back(
            builder.CreateLoad(builder.getInt64Ty(),
                               builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), key, i)));
      return key;
    });
  return randomWords[number];
}

Value *RowEvaluator::random(model::RandomOp op, const RowFrame &frame) {
  Value *index = randomWord(2), *lanes = nullptr;
  auto addLanes = [&](Value *more) { lanes = lanes ? builder.CreateAdd(lanes, more) : more; };
  for (DimAttr dim : dimsOf(op)) {
    const Place &place = *frame.find(dim);
    Value *stride = builder.getInt64(reference::randomStride(std::string_view(dim.getValue())));
    if (place.base)
      index = builder.CreateAdd(index, builder.CreateMul(place.base, stride));
    if (place.step)
      addLanes(
          builder.CreateMul(memory.laneNumbers(), splat(builder.CreateMul(place.step, stride))));
    if (place.lanes)
      addLanes(builder.CreateMul(place.lanes, splat(stride)));
  }
  if (lanes)
    index = builder.CreateAdd(splat(index), lanes);

  Type *type = index->getType();
  auto each = [&](Value *value) { return lanes ? splat(value) : value; };
  auto low = [&](Value *value) {
    return builder.CreateAnd(value, ConstantInt::get(value->getType(), 0xffffffff));
  };
  auto high = [&](Value *value) { return builder.CreateLShr(value, 32); };
  uint32_t path = reference::randomPath(std::string_view(op.getPath()));
  Value *seed = randomWord(0), *step = randomWord(1);
  Value *word =
      philox(builder, {low(index), high(index), each(low(step)), ConstantInt::get(type, path)},
             {each(low(seed)), each(high(seed))});
  // 24 bits, which every float holds exactly.
  Type *narrow = builder.getInt32Ty(),
       *result = context.numbers.type(builder.getContext(), model::typeOf(op).getElement());
  if (auto *vector = dyn_cast<VectorType>(type)) {
    narrow = VectorType::get(narrow, vector->getElementCount());
    result = VectorType::get(result, vector->getElementCount());
  }
  Value *bits = builder.CreateTrunc(builder.CreateLShr(word, 8), narrow);
  return builder.CreateFMul(builder.CreateSIToFP(bits, result), ConstantFP::get(result, 0x1p-24));
}

} // namespace weft::rows
