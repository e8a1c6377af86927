// Rows of a bf16 matrix in shared memory, and the fragments that products take of them.
#include "codegen/gpu/attention/warp/StagedMatrix.h"

#include "codegen/gpu/contraction/Pieces.h"

using namespace llvm;

namespace weft::gpu {

StagedMatrix::StagedMatrix(const AttentionBuffers &buffers, unsigned buffer, const Shape &shape,
                           ArrayRef<unsigned> alignments)
    : buffers(buffers), b(buffers.frame.builder), shape(shape), side(sideOf(buffer, alignments)),
      ring(b, ringShape(), side, b.getInt64(0), buffers.frame.extent(shape.columns),
           buffers.frame.extent(shape.rows)) {}

Side StagedMatrix::sideOf(unsigned buffer, ArrayRef<unsigned> alignments) const {
  const Frame &frame = buffers.frame;
  unsigned bytes = bytesOf(Element::bfloat16);
  unsigned alignment = buffer < alignments.size() ? alignments[buffer] : bytes;
  Walk across = buffers.walk(buffer, shape.columns), down = buffers.walk(buffer, shape.rows);
  Pieces pieces =
      piecesOf(buffers.walk(buffer, buffers.form.batch), across, down, bytes, alignment);
  auto offsets = [this](const Walk &walk) -> Side::Offset {
    return [this, walk](Value *index) {
      return buffers.frame.emission.offset(b, walk, index, buffers.frame.sizes);
    };
  };
  auto divides = [&](ArrayRef<DimAttr> dims, unsigned by) {
    std::optional<int64_t> count = frame.emission.known(sizeOf(dims));
    return count && *count % by == 0;
  };
  return {b.CreateAddrSpaceCast(buffers.start(buffer), b.getPtrTy(globalSpace)),
          pieces.alongDepth,
          pieces.elements * bytes,
          offsets(across),
          offsets(down),
          divides(shape.columns, shape.tileColumns),
          divides(shape.rows, shape.tileRows)};
}

LeftFragment StagedMatrix::left(Value *place, Value *row, unsigned deep) const {
  return loadLeft(b, ring.tile(place), Element::bfloat16, side.alongDepth, row, deep);
}

std::array<RightFragment, 2> StagedMatrix::rowsAcross(Value *place, unsigned row,
                                                      unsigned deep) const {
  return loadRight(b, ring.tile(place), Element::bfloat16, side.alongDepth, b.getInt32(row), deep);
}

std::array<RightFragment, 2> StagedMatrix::columnsAcross(Value *place, unsigned column,
                                                         unsigned deep) const {
  return loadRight(b, ring.tile(place), Element::bfloat16, !side.alongDepth, b.getInt32(column),
                   deep);
}

} // namespace weft::gpu
