// The operands and results of an attention, and of its gradient, in memory.
#include "codegen/gpu/attention/Buffers.h"

using namespace llvm;

namespace weft::gpu {

LayoutAttr AttentionBuffers::layout(unsigned buffer) const {
  return cast<LayoutAttr>(kernel::FusedOp(op).getLayoutsAttr()[buffer]);
}

Walk AttentionBuffers::walk(unsigned buffer, ArrayRef<DimAttr> dims) const {
  return walkOver(frame.emission.dims, layout(buffer), dims);
}

Stored AttentionBuffers::stored(unsigned buffer) const {
  kernel::FusedOp kernel = op;
  unsigned operands = kernel.getNumOperands();
  mlir::Value value = buffer < operands ? kernel.getOperand(buffer)
                                        : mlir::Value(kernel.getResult(buffer - operands));
  return {frame.builder.getContext(), model::typeOf(value), layout(buffer)};
}

Value *AttentionBuffers::start(unsigned buffer) const {
  IRBuilderBase &b = frame.builder;
  Value *offset = frame.emission.offset(b, walk(buffer, form.batch), batch, frame.sizes);
  return b.CreateInBoundsGEP(stored(buffer).memory, frame.buffer(buffer), offset);
}

StagedSide::Matrix AttentionBuffers::matrix(unsigned buffer, ArrayRef<DimAttr> across,
                                            ArrayRef<DimAttr> depth, bool wholeDepth) const {
  return {stored(buffer),       start(buffer),       walk(buffer, across),  walk(buffer, depth),
          frame.extent(across), frame.extent(depth), /*wholeAcross=*/false, wholeDepth};
}

Value *AttentionBuffers::place(unsigned buffer, Along row, Along column) const {
  IRBuilderBase &b = frame.builder;
  auto offset = [&](Along along) {
    return frame.emission.offset(b, walk(buffer, along.dims), along.index, frame.sizes);
  };
  Value *down = offset(row), *inside = b.CreateNSWAdd(down, offset(column));
  return b.CreateInBoundsGEP(stored(buffer).memory, start(buffer), inside);
}

Value *AttentionBuffers::load(unsigned buffer, Along row, Along column) const {
  return stored(buffer).load(frame.builder, place(buffer, row, column));
}

void AttentionBuffers::store(Value *value, unsigned buffer, Along row, Along column) const {
  stored(buffer).store(frame.builder, value, place(buffer, row, column));
}

} // namespace weft::gpu
