// How queries and parts of their keys are dealt out to blocks.
#include "codegen/gpu/attention/split/SplitGrid.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::gpu {

SplitGrid::SplitGrid(Frame frame, const AttentionForm &form, cuda::SplitAttentionAttr schedule)
    : rows(frame.extent(form.rows)), keys(frame.extent(form.keys)) {
  IRBuilderBase &b = frame.builder;
  Value *one = b.getInt64(1);
  rowBlocks = ceilDiv(b, rows, b.getInt64(schedule.getRows()));
  Value *queries = b.CreateNSWMul(frame.extent(form.batch), rowBlocks);
  Value *wanted = ceilDiv(b, b.getInt64(schedule.getBlocks()), maximum(b, queries, one));
  Value *most = ceilDiv(b, keys, b.getInt64(schedule.getKeys()));
  each = maximum(b, ceilDiv(b, keys, maximum(b, minimum(b, wanted, most), one)), one);
  parts = maximum(b, ceilDiv(b, keys, each), one); // none is empty, but of no keys
  parts->setName("parts");
  blocks = b.CreateNSWMul(queries, parts);
  constexpr int64_t statistics = 2;
  floats = frame.emission.known(sizeOf(form.values)).value_or(0) + statistics;
}

Value *SplitGrid::scratchBytes(IRBuilderBase &b, cuda::SplitAttentionAttr schedule) const {
  Value *isWhole = b.CreateICmpEQ(parts, b.getInt64(1)); // written at once
  Value *ofBlock = b.getInt64(schedule.getRows() * floats * int64_t(sizeof(float)));
  return b.CreateSelect(isWhole, b.getInt64(0), b.CreateNSWMul(blocks, ofBlock));
}

Value *SplitGrid::place(IRBuilderBase &b, Value *scratch, Value *block, Value *query,
                        cuda::SplitAttentionAttr schedule) const {
  Value *number = b.CreateNSWAdd(b.CreateNSWMul(block, b.getInt64(schedule.getRows())), query);
  return b.CreateInBoundsGEP(b.getFloatTy(), scratch, b.CreateNSWMul(number, b.getInt64(floats)));
}

} // namespace weft::gpu
