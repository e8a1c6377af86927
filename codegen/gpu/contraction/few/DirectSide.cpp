// Blocks of a side as a thread reads them.
#include "codegen/gpu/contraction/few/DirectSide.h"

#include "codegen/gpu/instructions/Kernel.h"

using namespace llvm;

namespace weft::gpu {

DirectSide::DirectSide(Frame frame, const Matrix &given, unsigned across, unsigned deep)
    : frame(frame), b(frame.builder), matrix(given), across(across), deep(deep) {
  matrix.start = b.CreateAddrSpaceCast(matrix.start, b.getPtrTy(globalSpace));
}

Value *DirectSide::offset(const Walk &walk, Value *index) {
  return frame.emission.offset(b, walk, index, frame.sizes);
}

Value *DirectSide::within(Value *index, Value *count, bool whole) {
  return whole ? index : minimum(b, index, b.CreateNSWSub(count, b.getInt64(1)));
}

void DirectSide::enter(Value *at) {
  first = at;
  rows.clear();
  if (!matrix.pieces.alongDepth)
    return;
  for (unsigned i = 0; i < across; ++i)
    rows.push_back(offset(matrix.acrossWalk, within(b.CreateNSWAdd(first, b.getInt64(i)),
                                                    matrix.acrossCount, matrix.wholeAcross)));
}

SmallVector<Values> DirectSide::read(Value *depth) {
  SmallVector<Values> block;
  if (matrix.pieces.alongDepth) {
    for (Value *row : rows)
      block.push_back(
          run(matrix.depthWalk, row, depth, deep, matrix.depthCount, matrix.wholeDepth));
    return block;
  }
  block.resize(across);
  for (unsigned i = 0; i < deep; ++i) {
    Value *at = b.CreateNSWAdd(depth, b.getInt64(i));
    Value *line = offset(matrix.depthWalk, within(at, matrix.depthCount, matrix.wholeDepth));
    Values values =
        run(matrix.acrossWalk, line, first, across, matrix.acrossCount, matrix.wholeAcross);
    for (auto [list, value] : zip(block, values))
      list.push_back(matrix.wholeDepth ? value
                                       : b.CreateSelect(b.CreateICmpSLT(at, matrix.depthCount),
                                                        value, ConstantFP::get(b.getFloatTy(), 0)));
  }
  return block;
}

Values DirectSide::run(const Walk &walk, Value *other, Value *begin, unsigned count, Value *end,
                       bool whole) {
  unsigned together = std::min(matrix.pieces.elements, count);
  auto inPieces = [&] {
    Values values;
    for (unsigned i = 0; i < count; i += together)
      append_range(values,
                   piece(b.CreateNSWAdd(other, offset(walk, b.CreateNSWAdd(begin, b.getInt64(i)))),
                         together));
    return values;
  };
  if (whole)
    return inPieces();
  Value *inside = b.CreateICmpSLE(b.CreateNSWAdd(begin, b.getInt64(count)), end, "inside");
  return choose(b, inside, inPieces, [&] {
    Values values;
    Value *zero = b.getInt64(0);
    for (unsigned i = 0; i < count; ++i) {
      Value *index = b.CreateNSWAdd(begin, b.getInt64(i));
      Value *inside = b.CreateICmpSLT(index, end);
      Value *at = offset(walk, b.CreateSelect(inside, index, zero));
      Value *value = piece(b.CreateNSWAdd(other, at), 1)[0];
      values.push_back(b.CreateSelect(inside, value, ConstantFP::get(b.getFloatTy(), 0)));
    }
    return values;
  });
}

/// Elements that lie side by side, at a multiple of all their bytes.
Values DirectSide::piece(Value *offset, unsigned count) {
  Value *from = b.CreateInBoundsGEP(matrix.element.memory, matrix.start, offset);
  if (count == 1)
    return {matrix.element.load(b, from)};
  bool narrow = matrix.element.narrow;
  unsigned words = narrow ? count / 2 : count, bytes = words * 4;
  Type *word = b.getInt32Ty();
  Type *all = words == 1 ? word : FixedVectorType::get(word, words);
  Value *loaded = b.CreateAlignedLoad(all, from, Align(bytes));
  Values values;
  for (unsigned i = 0; i < words; ++i) {
    Value *bits = words == 1 ? loaded : b.CreateExtractElement(loaded, uint64_t(i));
    if (narrow) { // the first of two is the lower half
      values.push_back(b.CreateBitCast(b.CreateShl(bits, 16), b.getFloatTy()));
      bits = b.CreateAnd(bits, 0xffff0000);
    }
    values.push_back(b.CreateBitCast(bits, b.getFloatTy()));
  }
  return values;
}

} // namespace weft::gpu
