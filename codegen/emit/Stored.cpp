// How elements lie in memory, and how they come into registers and back.
#include "codegen/emit/Stored.h"

using namespace llvm;

namespace weft::emit {

static Type *memoryType(LLVMContext &context, model::StorageType storage) {
  switch (storage) {
  case model::StorageType::float32:
    return Type::getFloatTy(context);
  case model::StorageType::int32:
    return Type::getInt32Ty(context);
  case model::StorageType::byte:
    return Type::getInt8Ty(context);
  case model::StorageType::bfloat16:
    return Type::getInt16Ty(context);
  case model::StorageType::grouped:
    return ArrayType::get(Type::getInt8Ty(context), model::grouped::bytes);
  }
  llvm_unreachable("no other storage");
}

/// The type of `like`, with another scalar type.
static Type *shaped(Value *like, Type *element) {
  auto *vector = dyn_cast<VectorType>(like->getType());
  return vector ? VectorType::get(element, vector->getElementCount()) : element;
}

/// A bfloat16 is the upper half of a float32.
static Value *widened(IRBuilderBase &b, Value *halves) {
  Value *bits = b.CreateShl(b.CreateZExt(halves, shaped(halves, b.getInt32Ty())), 16);
  return b.CreateBitCast(bits, shaped(halves, b.getFloatTy()));
}

/// Of words. Not by a shift and a truncation: LLVM 22 makes one store of these and of a mask, and
/// where it knows that the mask has one lane, a store of the whole word (x86, AVX-512).
static Value *upperHalves(IRBuilderBase &b, Value *words) {
  auto *vector = dyn_cast<FixedVectorType>(words->getType());
  if (!vector)
    return b.CreateTrunc(b.CreateLShr(words, 16), b.getInt16Ty());
  unsigned lanes = vector->getNumElements();
  Value *halves = b.CreateBitCast(words, FixedVectorType::get(b.getInt16Ty(), 2 * lanes));
  SmallVector<int> upper;
  for (unsigned lane = 0; lane < lanes; ++lane)
    upper.push_back(int(2 * lane + 1));
  return b.CreateShuffleVector(halves, upper);
}

/// To nearest, ties to even: half of the last place is added, and what is below it cut. Of a NaN,
/// which could become an infinity so, the upper half is kept, and made quiet. Whole-number ops are
/// the same on every machine: the instruction that some have takes subnormal numbers for 0.
Value *roundedToUpperHalf(IRBuilderBase &b, Value *value) {
  Type *word = shaped(value, b.getInt32Ty());
  Value *bits = b.CreateBitCast(value, word);
  Value *odd = b.CreateAnd(b.CreateLShr(bits, 16), ConstantInt::get(word, 1));
  Value *half = b.CreateAdd(odd, ConstantInt::get(word, 0x7fff));
  Value *quiet = b.CreateOr(bits, ConstantInt::get(word, 0x400000));
  return b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, b.CreateAdd(bits, half));
}

static Value *narrowed(IRBuilderBase &b, Value *value) {
  return upperHalves(b, roundedToUpperHalf(b, value));
}

Stored::Stored(LLVMContext &context, model::NamedTensorType type, mlir::Attribute layout) {
  model::StorageType storage = kernel::storageOf(type, layout);
  memory = memoryType(context, storage);
  narrow = storage == model::StorageType::bfloat16;
  grouped = storage == model::StorageType::grouped;
}

Type *Stored::loaded() const {
  return narrow || grouped ? Type::getFloatTy(memory->getContext()) : memory;
}

Align Stored::align() const {
  assert(!grouped && "elements in groups have no address of their own");
  return Align(memory->getScalarSizeInBits() / 8);
}

static Value *groupOf(IRBuilderBase &b, Value *elements) {
  return b.CreateUDiv(elements, b.getInt64(model::grouped::length));
}

Value *Stored::at(IRBuilderBase &b, Value *base, Value *elements) const {
  return b.CreateInBoundsGEP(memory, base, grouped ? groupOf(b, elements) : elements);
}

Value *Stored::loadOf(IRBuilderBase &b, Value *row, Value *column, unsigned lanes,
                      Value *mask) const {
  if (!grouped)
    return load(b, at(b, row, column), lanes, mask);
  assert(!mask && "rows are whole groups");
  return b.CreateFMul(numbersOf(b, row, column, lanes),
                      b.CreateVectorSplat(lanes, scaleOf(b, row, column)));
}

Value *Stored::numbersOf(IRBuilderBase &b, Value *row, Value *column, unsigned lanes) const {
  Value *within = b.CreateURem(column, b.getInt64(model::grouped::length));
  Value *from = b.CreateInBoundsGEP(b.getInt8Ty(), at(b, row, column), within);
  Value *bytes = b.CreateAlignedLoad(FixedVectorType::get(b.getInt8Ty(), lanes), from, Align(1));
  Value *words = b.CreateSExt(bytes, FixedVectorType::get(b.getInt32Ty(), lanes));
  return b.CreateSIToFP(words, FixedVectorType::get(b.getFloatTy(), lanes));
}

Value *Stored::scaleOf(IRBuilderBase &b, Value *row, Value *column) const {
  Value *from =
      b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), at(b, row, column), model::grouped::scaleAt);
  return widened(b, b.CreateAlignedLoad(b.getInt16Ty(), from, Align(1)));
}

Value *Stored::load(IRBuilderBase &b, Value *from) const {
  Value *value = b.CreateAlignedLoad(memory, from, align());
  return narrow ? widened(b, value) : value;
}

Value *Stored::load(IRBuilderBase &b, Value *from, unsigned lanes, Value *mask) const {
  auto *vector = FixedVectorType::get(memory, lanes);
  Value *value = mask ? static_cast<Value *>(b.CreateMaskedLoad(vector, from, align(), mask,
                                                                Constant::getNullValue(vector)))
                      : b.CreateAlignedLoad(vector, from, align());
  return narrow ? widened(b, value) : value;
}

Value *Stored::gather(IRBuilderBase &b, Value *pointers, Value *mask) const {
  auto lanes = cast<VectorType>(pointers->getType())->getElementCount();
  if (!narrow) {
    auto *vector = VectorType::get(memory, lanes);
    return b.CreateMaskedGather(vector, pointers, align(), mask, Constant::getNullValue(vector));
  }
  // Machines gather words: the one that an element is a half of, which lies in the same page.
  auto *word = VectorType::get(b.getInt32Ty(), lanes),
       *wide = VectorType::get(b.getInt64Ty(), lanes);
  Value *addresses = b.CreatePtrToInt(pointers, wide);
  Value *aligned = b.CreateAnd(addresses, ConstantInt::getSigned(wide, -4));
  Value *words = b.CreateMaskedGather(word, b.CreateIntToPtr(aligned, pointers->getType()),
                                      Align(4), mask, Constant::getNullValue(word));
  Value *isUpper =
      b.CreateICmpNE(b.CreateAnd(addresses, ConstantInt::get(wide, 2)), ConstantInt::get(wide, 0));
  Value *upper = b.CreateAnd(words, ConstantInt::get(word, 0xffff0000));
  Value *bits = b.CreateSelect(isUpper, upper, b.CreateShl(words, 16));
  return b.CreateBitCast(bits, shaped(bits, b.getFloatTy()));
}

void Stored::store(IRBuilderBase &b, Value *value, Value *to, Value *mask) const {
  if (narrow)
    value = narrowed(b, value);
  if (mask)
    b.CreateMaskedStore(value, to, align(), mask);
  else
    b.CreateAlignedStore(value, to, align());
}

void Stored::scatter(IRBuilderBase &b, Value *value, Value *pointers, Value *mask) const {
  b.CreateMaskedScatter(narrow ? narrowed(b, value) : value, pointers, align(), mask);
}

} // namespace weft::emit
