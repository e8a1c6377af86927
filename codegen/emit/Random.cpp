// Random numbers in code: Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC 2011), of which a number
// takes one word.
#include "codegen/emit/Random.h"

#include "llvm/ADT/STLExtras.h"

#include <array>
#include <numeric>

using namespace llvm;

namespace weft::emit {

RandomKey RandomKey::load(IRBuilderBase &b, Value *list, unsigned buffers) {
  Value *slot = b.CreateConstInBoundsGEP1_64(b.getPtrTy(), list, buffers);
  Value *words = b.CreateLoad(b.getPtrTy(), slot, "key");
  auto word = [&](unsigned number) {
    return b.CreateLoad(b.getInt64Ty(),
                        b.CreateConstInBoundsGEP1_64(b.getInt64Ty(), words, number));
  };
  return {word(0), word(1), word(2)};
}

/// The first word, in i64s (or vectors of them) of which the low halves count.
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

Value *randomUnit(IRBuilderBase &b, const RandomKey &key, uint32_t path, Value *index, Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(index->getType());
  // Four words a lane are in work: of more lanes they would not stay in registers.
  constexpr unsigned mostLanes = 8;
  if (vector && vector->getNumElements() > mostLanes) {
    unsigned lanes = vector->getNumElements(), half = lanes / 2;
    SmallVector<int> all(lanes);
    std::iota(all.begin(), all.end(), 0);
    ArrayRef<int> numbers(all);
    auto part = [&](ArrayRef<int> of) {
      return randomUnit(b, key, path, b.CreateShuffleVector(index, of), type);
    };
    Value *first = part(numbers.take_front(half)), *second = part(numbers.drop_front(half));
    return b.CreateShuffleVector(first, second, all);
  }
  Type *wide = index->getType(), *narrow = b.getInt32Ty();
  auto each = [&](Value *value) -> Value * {
    return vector ? b.CreateVectorSplat(vector->getNumElements(), value) : value;
  };
  auto low = [&](Value *value) {
    return b.CreateAnd(value, ConstantInt::get(value->getType(), 0xffffffff));
  };
  auto high = [&](Value *value) { return b.CreateLShr(value, 32); };
  Value *word =
      philox(b, {low(index), high(index), each(low(key.step)), ConstantInt::get(wide, path)},
             {each(low(key.seed)), each(high(key.seed))});
  if (vector) {
    narrow = VectorType::get(narrow, vector->getElementCount());
    type = VectorType::get(type, vector->getElementCount());
  }
  // 24 bits, which every float holds exactly.
  Value *bits = b.CreateTrunc(b.CreateLShr(word, 8), narrow);
  return b.CreateFMul(b.CreateSIToFP(bits, type), ConstantFP::get(type, 0x1p-24));
}

} // namespace weft::emit
