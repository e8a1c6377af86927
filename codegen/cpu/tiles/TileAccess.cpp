// A kernel's operand or result, read and written along the rows and columns of a tile.
#include "codegen/cpu/tiles/TileAccess.h"

#include "codegen/cpu/tiles/Halves.h"

#include "codegen/cpu/tiles/Prefetch.h"
#include "codegen/emit/Loops.h"
#include "ir/cpu/Tile.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace weft::cpu {

void fillOffsets(const Frame &frame, const Walk &walk, Value *first, Value *count, Value *table) {
  IRBuilderBase &builder = frame.builder;
  loop(builder, count, [&](Value *i) {
    Value *offset =
        frame.emission.offset(builder, walk, builder.CreateNSWAdd(first, i), frame.sizes);
    builder.CreateStore(offset, builder.CreateInBoundsGEP(builder.getInt64Ty(), table, i));
  });
}

TileAccess::TileAccess(Frame frame, kernel::LayoutAttr layout, model::NamedTensorType type,
                       unsigned buffer, const Axes &axes)
    : frame(frame), isSwitch(type.isBool()), element(frame.builder.getContext(), type, layout),
      buffer(buffer), batch(walkOver(frame.emission.dims, layout, axes.batch)),
      rows(walkOver(frame.emission.dims, layout, axes.rows)),
      columns(walkOver(frame.emission.dims, layout, axes.columns)) {}

int64_t TileAccess::tableBytes(int64_t maxRows, int64_t maxColumns) const {
  return ((rows.linear() ? 0 : maxRows) + (columns.linear() ? 0 : maxColumns)) *
         int64_t(sizeof(int64_t));
}

void TileAccess::enterTask(const TaskRange &range, Value *tables, int64_t maxRows) {
  IRBuilderBase &builder = frame.builder;
  Value *offset = frame.emission.offset(builder, batch, range.batch, frame.sizes);
  base = builder.CreateInBoundsGEP(element.memory, frame.buffer(buffer), offset);
  firstRow = range.firstRow;
  firstColumn = range.firstColumn;
  Value *free = tables;
  if (!rows.linear()) {
    rowTable = free;
    fillOffsets(frame, rows, range.firstRow, range.rows, rowTable);
    free = builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), free, maxRows);
  }
  if (!columns.linear()) {
    columnTable = free;
    fillOffsets(frame, columns, range.firstColumn, range.columns, columnTable);
  }
}

Value *TileAccess::hasWholeLines() const {
  IRBuilderBase &b = frame.builder;
  if (!element.memory->isFloatTy() || !rows.linear() || !columns.linear() ||
      !columns.contiguousBy(panelWidth))
    return b.getFalse();
  Value *stride = frame.emission.size(b, rows.stride(), frame.sizes);
  Value *bits = b.CreateOr(b.CreatePtrToInt(base, b.getInt64Ty()),
                           b.CreateNSWMul(stride, b.getInt64(sizeof(float))));
  return b.CreateIsNull(b.CreateAnd(bits, b.getInt64(cacheLine - 1)));
}

Value *TileAccess::row(Value *index) const {
  IRBuilderBase &builder = frame.builder;
  if (rows.invariant())
    return base;
  Value *offset;
  if (rowTable) {
    Value *slot = builder.CreateInBoundsGEP(builder.getInt64Ty(), rowTable,
                                            builder.CreateNSWSub(index, firstRow));
    offset = builder.CreateLoad(builder.getInt64Ty(), slot);
  } else {
    offset = frame.emission.offset(builder, rows, index, frame.sizes);
  }
  return builder.CreateInBoundsGEP(element.memory, base, offset);
}

Value *TileAccess::columnOffset(Value *column) const {
  IRBuilderBase &builder = frame.builder;
  if (!columnTable)
    return frame.emission.offset(builder, columns, column, frame.sizes);
  Value *slot = builder.CreateInBoundsGEP(builder.getInt64Ty(), columnTable,
                                          builder.CreateNSWSub(column, firstColumn));
  return builder.CreateLoad(builder.getInt64Ty(), slot);
}

Value *TileAccess::columnPointers(Value *row, Value *column, unsigned lanes) const {
  IRBuilderBase &builder = frame.builder;
  auto *vector = FixedVectorType::get(builder.getInt64Ty(), lanes);
  Value *offsets;
  if (columnTable) {
    Value *slot = builder.CreateInBoundsGEP(builder.getInt64Ty(), columnTable,
                                            builder.CreateNSWSub(column, firstColumn));
    offsets = builder.CreateAlignedLoad(vector, slot, Align(8));
  } else {
    Value *stride = frame.emission.size(builder, columns.stride(), frame.sizes);
    Value *index = builder.CreateAdd(builder.CreateVectorSplat(lanes, column),
                                     builder.CreateStepVector(vector));
    offsets = builder.CreateMul(index, builder.CreateVectorSplat(lanes, stride));
  }
  return builder.CreateInBoundsGEP(element.memory, row, offsets);
}

Value *TileAccess::toRegister(Value *value) const {
  if (!isSwitch)
    return value;
  return frame.builder.CreateICmpNE(value, Constant::getNullValue(value->getType()));
}

Value *TileAccess::loadShared(Value *row) const {
  return toRegister(element.load(frame.builder, row));
}

void TileAccess::storeShared(Value *value, Value *row) const {
  element.store(frame.builder, value, row);
}

static Value *allOf(IRBuilderBase &builder, unsigned lanes, Value *mask) {
  return mask ? mask : builder.CreateVectorSplat(lanes, builder.getTrue());
}

Value *TileAccess::load(Value *row, Value *column, unsigned lanes, Value *mask) const {
  IRBuilderBase &builder = frame.builder;
  if (!columns.contiguousBy(lanes))
    return toRegister(
        element.gather(builder, columnPointers(row, column, lanes), allOf(builder, lanes, mask)));
  Value *from = builder.CreateInBoundsGEP(element.memory, row, columnOffset(column));
  return toRegister(element.load(builder, from, lanes, mask));
}

void TileAccess::store(Value *value, Value *row, Value *column, unsigned lanes, Value *mask,
                       bool pastCaches) const {
  IRBuilderBase &builder = frame.builder;
  if (!value->getType()->isVectorTy())
    value = builder.CreateVectorSplat(lanes, value);
  if (isSwitch)
    value = builder.CreateZExt(value, FixedVectorType::get(element.memory, lanes));
  if (!columns.contiguousBy(lanes)) {
    element.scatter(builder, value, columnPointers(row, column, lanes),
                    allOf(builder, lanes, mask));
    return;
  }
  Value *to = builder.CreateInBoundsGEP(element.memory, row, columnOffset(column));
  if (rounds && lanes == panelWidth)
    return Stored(element.memory).store(builder, halvesOfProducts(builder, value), to, mask);
  if (mask || !pastCaches)
    return element.store(builder, value, to, mask);
  storePastCaches(builder, value, to);
}

void storePastCaches(IRBuilderBase &builder, Value *value, Value *to) {
  Align whole(value->getType()->getPrimitiveSizeInBits() / 8);
  StoreInst *store = builder.CreateAlignedStore(value, to, whole);
  auto *one = ConstantAsMetadata::get(builder.getInt32(1));
  store->setMetadata(LLVMContext::MD_nontemporal, MDNode::get(builder.getContext(), one));
}

void fenceNonTemporal(IRBuilderBase &builder) {
  builder.CreateIntrinsic(Intrinsic::x86_sse_sfence, {});
}

void TileAccess::prefetch(Value *row, Value *column, Access access) const {
  IRBuilderBase &builder = frame.builder;
  cpu::prefetch(builder, builder.CreateGEP(element.memory, row, columnOffset(column)), Cache::first,
                access);
}

void TileAccess::roundAsArithmetic() {
  rounds = element.narrow && frame.emission.pairProducts != PairProducts::none;
}

} // namespace weft::cpu
