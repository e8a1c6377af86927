// Which piece falls to which thread, and how much of it there is.
#include "codegen/gpu/contraction/RingSide.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Copy.h"

using namespace llvm;

namespace weft::gpu {

Side Side::matrix(Builder &builder, Value *data, Value *pitch, bool alongDepth,
                  unsigned pieceBytes) {
  Offset steps = [&builder, pitch](Value *index) { return builder.CreateMul(index, pitch); };
  Offset beside = [](Value *index) { return index; };
  return {data, alongDepth, pieceBytes, alongDepth ? steps : beside, alongDepth ? beside : steps};
}

RingSide::RingSide(Builder &builder, const Shape &shape, const Side &side, Value *begin,
                   Value *size, Value *depth)
    : builder(builder), shape(shape), side(side), begin(begin), size(size), depth(depth),
      tileRows(side.alongDepth ? shape.wide : shape.deep),
      rowBytes((side.alongDepth ? shape.deep : shape.wide) * shape.elementBytes) {
  if (elements() == 1 && shape.elementBytes == 2)
    return; // found again in each step, for they are many
  unsigned all = tileRows * pieces();
  for (unsigned first = 0; first < all; first += shape.threads) {
    Value *piece = builder.CreateAdd(threadOf(builder), builder.getInt32(first));
    parts.push_back(part(piece));
    if (first + shape.threads > all)
      parts.back().exists = builder.CreateICmpULT(piece, builder.getInt32(all));
  }
}

// Pieces that lie side by side fall to threads that do.
RingSide::Part RingSide::part(Value *piece) const {
  Part part;
  Value *row = builder.CreateUDiv(piece, builder.getInt32(pieces()));
  Value *byte = builder.CreateMul(builder.CreateURem(piece, builder.getInt32(pieces())),
                                  builder.getInt32(side.pieceBytes));
  SharedTile local =
      SharedTile::mixed(Constant::getNullValue(builder.getPtrTy(sharedSpace)), tileRows, rowBytes);
  Value *chunk = local.chunk(builder, row, builder.CreateLShr(byte, Log2_32(chunkBytes)));
  part.place = builder.CreateAdd(builder.CreatePtrToInt(chunk, builder.getInt32Ty()),
                                 builder.CreateAnd(byte, chunkBytes - 1));
  part.row = builder.CreateZExt(row, builder.getInt64Ty());
  part.inRow = builder.CreateZExt(builder.CreateLShr(byte, Log2_32(shape.elementBytes)),
                                  builder.getInt64Ty());
  Value *wide = builder.CreateAdd(begin, side.alongDepth ? part.row : part.inRow);
  if (!side.wholeAcross) {
    part.atMost = builder.CreateSub(size, wide);
    if (side.alongDepth) // all of the piece or nothing
      part.atMost = builder.CreateSelect(builder.CreateICmpSGT(part.atMost, builder.getInt64(0)),
                                         builder.getInt64(elements()), builder.getInt64(0));
    Value *exists = builder.CreateICmpSGT(part.atMost, builder.getInt64(0));
    wide = builder.CreateSelect(exists, wide, builder.getInt64(0));
  }
  part.across = side.across(wide);
  return part;
}

std::pair<Value *, Value *> RingSide::inside(const Part &part, Value *deep) const {
  Value *down = builder.CreateAdd(deep, side.alongDepth ? part.inRow : part.row);
  Value *count = part.atMost, *zero = builder.getInt64(0);
  auto atMost = [&](Value *most) { count = count ? emit::minimum(builder, count, most) : most; };
  if (!side.wholeDepth) {
    Value *left = builder.CreateSub(depth, down);
    if (!side.alongDepth)
      left = builder.CreateSelect(builder.CreateICmpSGT(left, zero), builder.getInt64(elements()),
                                  zero);
    atMost(left);
  }
  Value *offset = nullptr;
  if (!count)
    return {nullptr, builder.CreateAdd(part.across, side.depth(down))};
  // Nothing is read from outside; the address stays one that is there.
  Value *some = builder.CreateICmpSGT(count, zero);
  offset = builder.CreateAdd(part.across, side.depth(builder.CreateSelect(some, down, zero)));
  count = builder.CreateSelect(some, count, zero);
  return {emit::minimum(builder, count, builder.getInt64(elements())),
          builder.CreateSelect(some, offset, zero)};
}

void RingSide::fill(Value *stage, Value *deep) const {
  if (parts.empty())
    return move(stage, deep);
  for (const Part &part : parts)
    if (part.exists)
      emit::when(builder, part.exists, [&] { copy(part, stage, deep); });
    else
      copy(part, stage, deep);
}

void RingSide::copy(const Part &part, Value *stage, Value *deep) const {
  auto [count, elements] = inside(part, deep);
  unsigned shift = Log2_32(shape.elementBytes);
  Value *given = builder.getInt32(side.pieceBytes);
  if (count)
    given = builder.CreateShl(builder.CreateTrunc(count, builder.getInt32Ty()), shift);
  Value *from = offset(builder, side.data, builder.CreateShl(elements, shift));
  copyAsync(builder, offset(builder, stage, part.place), from, side.pieceBytes, given);
}

/// Element by element, some loads at a time. What is stored is seen behind the barrier that the
/// copies of other stages wait for too.
void RingSide::move(Value *stage, Value *deep) const {
  unsigned all = tileRows * pieces(), each = divideCeil(all, shape.threads);
  unsigned together = std::min(each, 8u); // powers of two, as the tile is
  auto some = [&](Value *pass) {
    SmallVector<std::pair<Value *, Value *>> loaded; // where to, and what
    for (unsigned i = 0; i < together; ++i) {
      Value *number = builder.CreateAdd(pass, builder.getInt32(i));
      Part one = part(builder.CreateAdd(
          threadOf(builder), builder.CreateMul(number, builder.getInt32(shape.threads))));
      auto [count, elements] = inside(one, deep);
      Value *from = offset(builder, side.data, builder.CreateShl(elements, 1));
      Value *value = builder.CreateAlignedLoad(builder.getInt16Ty(), from, Align(2));
      if (count)
        value = builder.CreateSelect(builder.CreateICmpSGT(count, builder.getInt64(0)), value,
                                     builder.getInt16(0));
      loaded.push_back({one.place, value});
    }
    for (auto [place, value] : loaded)
      builder.CreateAlignedStore(value, offset(builder, stage, place), Align(2));
  };
  if (all < shape.threads)
    return emit::when(builder, builder.CreateICmpULT(threadOf(builder), builder.getInt32(all)),
                      [&] { some(builder.getInt32(0)); });
  emit::loop(builder, builder.getInt32(0), builder.getInt32(each), builder.getInt32(together),
             some);
}

SharedTile RingSide::tile(Value *stage) const {
  return SharedTile::mixed(stage, tileRows, rowBytes);
}

} // namespace weft::gpu
