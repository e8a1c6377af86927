// Rows of keys or values, read by lanes side by side.
#include "codegen/gpu/attention/split/KeyLanes.h"

#include "codegen/gpu/contraction/Pieces.h"

#include "llvm/ADT/bit.h"

using namespace llvm;

namespace weft::gpu {

static unsigned bytesOf(const Stored &stored) {
  return stored.memory->getScalarSizeInBits() / 8;
}

KeyLanes::KeyLanes(const AttentionBuffers &buffers, unsigned buffer, const DimList &columns,
                   ArrayRef<unsigned> alignments)
    : buffers(buffers), buffer(buffer), dims(columns),
      count(buffers.frame.emission.known(sizeOf(columns)).value_or(0)) {
  unsigned alignment = buffer < alignments.size() ? alignments[buffer] : 1;
  Pieces pieces =
      piecesOf(buffers.walk(buffer, buffers.form.batch), buffers.walk(buffer, buffers.form.keys),
               buffers.walk(buffer, columns), bytesOf(buffers.stored(buffer)), alignment);
  piece = pieces.alongDepth ? pieces.elements : 1;
  while (count % piece != 0)
    piece /= 2;
}

unsigned KeyLanes::lanesWanted() const {
  return unsigned(
      std::min<uint64_t>(bit_ceil(divideCeil(uint64_t(count), piece)), cuda::warpThreads));
}

unsigned KeyLanes::piecesEach(unsigned lanes) const {
  return unsigned(divideCeil(uint64_t(count), uint64_t(lanes) * piece));
}

Value *KeyLanes::column(Value *lane, unsigned lanes, unsigned number) const {
  IRBuilderBase &b = buffers.frame.builder;
  Value *which = b.CreateNSWAdd(lane, b.getInt64(int64_t(number / piece) * lanes));
  return b.CreateNSWAdd(b.CreateNSWMul(which, b.getInt64(piece)), b.getInt64(number % piece));
}

Value *KeyLanes::exists(Value *column) const {
  IRBuilderBase &b = buffers.frame.builder;
  return b.CreateICmpSLT(column, b.getInt64(count));
}

Values KeyLanes::loadPiece(Value *from) const {
  IRBuilderBase &b = buffers.frame.builder;
  Stored stored = buffers.stored(buffer);
  if (piece == 1)
    return {stored.load(b, from)};
  Align align(piece * bytesOf(stored));
  Values floats;
  if (!stored.narrow) {
    Value *all = b.CreateAlignedLoad(FixedVectorType::get(stored.memory, piece), from, align);
    for (unsigned i = 0; i < piece; ++i)
      floats.push_back(b.CreateExtractElement(all, i));
    return floats;
  }
  // A bfloat16 is the upper half of a float: words, of which each is two.
  Value *words = b.CreateAlignedLoad(FixedVectorType::get(b.getInt32Ty(), piece / 2), from, align);
  for (unsigned i = 0; i < piece / 2; ++i) {
    Value *word = b.CreateExtractElement(words, i);
    for (Value *bits : {b.CreateShl(word, 16), b.CreateAnd(word, b.getInt32(0xffff0000))})
      floats.push_back(b.CreateBitCast(bits, b.getFloatTy()));
  }
  return floats;
}

Values KeyLanes::load(Value *row, Value *lane, unsigned lanes) const {
  IRBuilderBase &b = buffers.frame.builder;
  Values all;
  for (unsigned i = 0; i < piecesEach(lanes); ++i) {
    Value *first = column(lane, lanes, i * piece), *there = exists(first);
    Value *inside = isWhole(lanes) ? first : b.CreateSelect(there, first, b.getInt64(0));
    Values read = loadPiece(buffers.place(buffer, {buffers.form.keys, row}, {dims, inside}));
    for (Value *value : read)
      all.push_back(isWhole(lanes)
                        ? value
                        : b.CreateSelect(there, value, ConstantFP::get(b.getFloatTy(), 0)));
  }
  return all;
}

} // namespace weft::gpu
