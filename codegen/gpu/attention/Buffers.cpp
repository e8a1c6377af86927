// The operands and results of an attention, and of its gradient, in memory.
#include "codegen/gpu/attention/Buffers.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/instructions/Mma.h"

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

bool AttentionBuffers::hasPairs(unsigned buffer, ArrayRef<DimAttr> rows, ArrayRef<DimAttr> columns,
                                ArrayRef<unsigned> alignments) const {
  constexpr unsigned pair = 2;
  Stored element = stored(buffer);
  if (!element.loaded()->isFloatTy() || !walk(buffer, columns).contiguousBy(pair) ||
      !isMultiple(sizeOf(columns), pair) || buffer >= alignments.size() ||
      alignments[buffer] % (pair * element.align().value()) != 0)
    return false;
  return all_of(
      std::initializer_list<ArrayRef<DimAttr>>{rows, form.batch}, [&](ArrayRef<DimAttr> dims) {
        return all_of(walk(buffer, dims).groups,
                      [](const Walk::Group &group) { return isMultiple(group.stride, pair); });
      });
}

void AttentionBuffers::storePair(Value *first, Value *second, unsigned buffer, Along row,
                                 Along column, ArrayRef<unsigned> alignments) const {
  IRBuilderBase &b = frame.builder;
  auto exists = [&](Value *index) { return b.CreateICmpSLT(index, frame.extent(column.dims)); };
  if (!hasPairs(buffer, row.dims, column.dims, alignments)) {
    when(b, exists(column.index), [&] { store(first, buffer, row, column); });
    Value *next = b.CreateNSWAdd(column.index, b.getInt64(1));
    when(b, exists(next), [&] { store(second, buffer, row, {column.dims, next}); });
    return;
  }
  when(b, exists(column.index), [&] {
    Stored element = stored(buffer);
    Value *both = PoisonValue::get(FixedVectorType::get(b.getFloatTy(), 2));
    if (element.narrow)
      both = packed(b, Element::bfloat16, first, second);
    else
      both = b.CreateInsertElement(b.CreateInsertElement(both, first, uint64_t(0)), second, 1);
    b.CreateAlignedStore(both, place(buffer, row, column), Align(2 * element.align().value()));
  });
}

} // namespace weft::gpu
