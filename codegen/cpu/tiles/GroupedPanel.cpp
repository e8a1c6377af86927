// Where numbers and scales of a group lie, and how they are widened in registers.
#include "codegen/cpu/tiles/GroupedPanel.h"

#include "codegen/cpu/tiles/Prefetch.h"

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace weft::cpu {

using namespace model::groups;

Value *GroupedPanel::group(Value *panel, Value *number) {
  return b.CreateInBoundsGEP(b.getInt8Ty(), panel, b.CreateNSWMul(number, b.getInt64(bytes())));
}

Value *GroupedPanel::groupLater(Value *panel, Value *number) {
  return b.CreateGEP(b.getInt8Ty(), panel, b.CreateNSWMul(number, b.getInt64(bytes())));
}

/// Into the second cache: the first one waits for few lines at a time, fewer than memory needs to
/// be asked for (decision 69).
void GroupedPanel::fetch(Value *group, int64_t at) {
  prefetch(b, b.CreateConstGEP1_64(b.getInt8Ty(), group, at), Cache::second);
}

void GroupedPanel::fetchEight(Value *group, Value *eight) {
  const int64_t count = panelWidth * together * bitsOf(format) / 8;
  Value *first = b.CreateGEP(b.getInt8Ty(), group, b.CreateNSWMul(eight, b.getInt64(count)));
  for (int64_t line = 0; line < count; line += cacheLine)
    fetch(first, line);
}

/// A bfloat16 is the upper half of a float32.
Value *GroupedPanel::scales(Value *group, int64_t column) {
  auto *halves = FixedVectorType::get(b.getInt16Ty(), lanes);
  auto *words = FixedVectorType::get(b.getInt32Ty(), lanes);
  Value *from = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), group, column * scaleBytes);
  Value *bits = b.CreateZExt(b.CreateAlignedLoad(halves, from, Align(2)), words);
  return b.CreateBitCast(b.CreateShl(bits, 16), FixedVectorType::get(b.getFloatTy(), lanes));
}

Value *GroupedPanel::asFloats(Value *numbers) {
  return b.CreateSIToFP(numbers, FixedVectorType::get(b.getFloatTy(), lanes));
}

Value *GroupedPanel::bytesAt(Value *group, Value *row, int64_t column) {
  Value *line =
      b.CreateInBoundsGEP(b.getInt8Ty(), group, b.CreateNSWMul(row, b.getInt64(panelWidth)));
  Value *from = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), line, panelWidth * scaleBytes + column);
  Value *numbers = b.CreateAlignedLoad(FixedVectorType::get(b.getInt8Ty(), lanes), from, Align(1));
  return asFloats(b.CreateSExt(numbers, FixedVectorType::get(b.getInt32Ty(), lanes)));
}

Value *GroupedPanel::wordsAt(Value *group, Value *eight, int64_t column) {
  constexpr int64_t word = wordBytes;
  Value *line = b.CreateInBoundsGEP(b.getInt8Ty(), group,
                                    b.CreateNSWMul(eight, b.getInt64(panelWidth * word)));
  Value *from =
      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), line, panelWidth * scaleBytes + column * word);
  return b.CreateAlignedLoad(FixedVectorType::get(b.getInt32Ty(), lanes), from, Align(word));
}

/// Number `i` (a vector of i32) of words of eight of 4 bits. Registers of sixteen floats look
/// it up in one, which reads the lowest 4 bits of each lane and no others; else it becomes the
/// highest of its word, and comes down with its sign.
Value *GroupedPanel::ofWords(Value *words, Value *i) {
  const int64_t bits = bitsOf(format);
  Value *down = b.CreateMul(i, ConstantInt::get(i->getType(), bits));
  if (lanes != 16) {
    Value *up = b.CreateSub(ConstantInt::get(i->getType(), bits * (together - 1)), down);
    return asFloats(b.CreateAShr(b.CreateShl(words, up), bits * (together - 1)));
  }
  SmallVector<Constant *> numbers;
  for (int number = 0; number < 16; ++number)
    numbers.push_back(ConstantFP::get(b.getFloatTy(), number < 8 ? number : number - 16));
  return b.CreateIntrinsic(Intrinsic::x86_avx512_permvar_sf_512,
                           {ConstantVector::get(numbers), b.CreateLShr(words, down)});
}

std::array<Value *, GroupedPanel::together> GroupedPanel::eightRows(Value *group, Value *eight,
                                                                    int64_t column) {
  std::array<Value *, together> rows;
  Value *first = b.CreateNSWMul(eight, b.getInt64(together));
  Value *words = format == model::WeightFormat::int4 ? wordsAt(group, eight, column) : nullptr;
  for (int64_t i = 0; i < together; ++i)
    rows[i] = words ? ofWords(words, b.CreateVectorSplat(lanes, b.getInt32(i)))
                    : bytesAt(group, b.CreateNSWAdd(first, b.getInt64(i)), column);
  return rows;
}

Value *GroupedPanel::row(Value *group, Value *row, int64_t column) {
  if (format == model::WeightFormat::int8)
    return bytesAt(group, row, column);
  Value *words = wordsAt(group, b.CreateUDiv(row, b.getInt64(together)), column);
  Value *within = b.CreateURem(row, b.getInt64(together));
  return ofWords(words, b.CreateVectorSplat(lanes, b.CreateTrunc(within, b.getInt32Ty())));
}

} // namespace weft::cpu
