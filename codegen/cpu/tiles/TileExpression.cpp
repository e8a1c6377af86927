// The elementwise ops of a kernel's region, computed for the rows and columns of a tile.
#include "codegen/cpu/tiles/TileExpression.h"

#include "codegen/emit/Elementwise.h"
#include "codegen/emit/Loops.h"
#include "ir/cpu/PlacedContraction.h"
#include "ir/kernel/RowProgram.h"
#include "ir/reference/Random.h"

#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace weft::cpu {

TileExpression::TileExpression(Frame frame, kernel::FusedOp op, Axes axes,
                               ArrayRef<mlir::Value> wanted, ArrayRef<mlir::Value> given)
    : frame(frame), op(op), axes(std::move(axes)), given(given) {
  SetVector<mlir::Value> needed(wanted.begin(), wanted.end());
  SmallPtrSet<mlir::Operation *, 16> makers;
  for (size_t i = 0; i < needed.size(); ++i) {
    if (is_contained(given, needed[i]))
      continue;
    if (mlir::Operation *maker = needed[i].getDefiningOp()) {
      makers.insert(maker);
      needed.insert_range(maker->getOperands());
      continue;
    }
    unsigned number = cast<mlir::BlockArgument>(needed[i]).getArgNumber();
    auto type = cast<model::NamedTensorType>(needed[i].getType());
    if (auto layout = dyn_cast<kernel::LayoutAttr>(op.getLayoutsAttr()[number]))
      accesses.emplace_back(needed[i], TileAccess(frame, layout, type, number, this->axes));
  }
  for (mlir::Operation &inner : op.getBody().front())
    if (makers.contains(&inner))
      ops.push_back(&inner);
}

mlir::LogicalResult TileExpression::check() {
  for (mlir::Operation *inner : ops) {
    DimList places; // at which it looks
    if (auto index = dyn_cast<model::IndexOp>(inner))
      places = {index.getDimAttr()};
    else if (isa<model::RandomOp>(inner))
      places = DimList(model::dimsOf(inner->getResult(0)));
    else if (!isElementwise(inner))
      return op.emitOpError("cannot compute `") << inner->getName() << "` beside its products";
    for (DimAttr dim : places)
      if (!is_contained(axes.batch, dim) && !is_contained(axes.rows, dim) &&
          !is_contained(axes.columns, dim))
        return op.emitOpError("has no loop over `") << dim.getValue() << '`';
    for (mlir::Value operand : inner->getOperands())
      if (auto argument = dyn_cast<mlir::BlockArgument>(operand))
        if (!isa<kernel::LayoutAttr>(op.getLayoutsAttr()[argument.getArgNumber()]))
          return op.emitOpError("reads a packed operand elementwise");
  }
  return success();
}

int64_t TileExpression::tableBytes(int64_t maxRows, int64_t maxColumns) const {
  int64_t bytes = 0;
  for (const auto &[value, access] : accesses)
    bytes += access.tableBytes(maxRows, maxColumns);
  return bytes;
}

void TileExpression::enterTask(const TaskRange &range, Value *tables, int64_t maxRows,
                               int64_t maxColumns) {
  batch = range.batch;
  int64_t offset = 0;
  for (auto &[value, access] : accesses) {
    access.enterTask(
        range, frame.builder.CreateConstInBoundsGEP1_64(frame.builder.getInt8Ty(), tables, offset),
        maxRows);
    offset += access.tableBytes(maxRows, maxColumns);
  }
}

bool TileExpression::perRow(mlir::Value value) const {
  if (is_contained(given, value))
    return false;
  auto type = cast<model::NamedTensorType>(value.getType());
  return none_of(type.getDims(), [&](DimAttr dim) { return is_contained(axes.columns, dim); });
}

bool TileExpression::readsColumns() const {
  return any_of(accesses, [](const auto &each) { return !each.second.perRow(); });
}

void TileExpression::prefetch(Value *index, Value *first, Value *count, unsigned width) const {
  IRBuilderBase &b = frame.builder;
  for (const auto &[value, access] : accesses) {
    if (!access.hasRuns(width))
      continue;
    Value *start = access.row(index);
    auto ask = [&](Value *columns) { access.prefetch(start, b.CreateNSWAdd(first, columns)); };
    loop(b, count, [&](Value *i) { ask(b.CreateNSWMul(i, b.getInt64(width))); });
    // Rows need not begin with a line: then the last columns are in one more.
    ask(b.CreateNSWSub(b.CreateNSWMul(count, b.getInt64(width)), b.getInt64(1)));
  }
}

void TileExpression::enterRow(Value *index) {
  row = index;
  if (any_of(ops, IsaPred<model::RandomOp>))
    key = RandomKey::load(frame.builder, frame.buffers, op.getNumOperands() + op.getNumResults());
  for (auto &[value, access] : accesses) {
    Value *start = access.row(index);
    rowPointers[value] = start;
    if (access.perRow())
      known[value] = access.loadShared(start);
  }
  compute(/*perRow=*/true);
}

void TileExpression::enterColumns(Value *index, unsigned count, Value *on,
                                  ArrayRef<Value *> values) {
  column = index;
  lanes = count;
  mask = on;
  for (auto [value, number] : zip_equal(given, values))
    known[value] = number;
  for (auto &[value, access] : accesses)
    if (!access.perRow())
      known[value] = access.load(rowPointers[value], column, lanes, mask);
  compute(/*perRow=*/false);
}

void TileExpression::compute(bool ofRow) {
  ElementwiseEmitter emitter(frame.builder, frame.emission, frame.sizes);
  for (mlir::Operation *inner : ops) {
    mlir::Value result = inner->getResult(0);
    if (perRow(result) != ofRow)
      continue;
    if (auto index = dyn_cast<model::IndexOp>(inner)) {
      known[result] = position(index.getDimAttr());
    } else if (auto draw = dyn_cast<model::RandomOp>(inner)) {
      known[result] = random(draw);
    } else {
      Values operands;
      for (mlir::Value operand : inner->getOperands())
        operands.push_back(known.lookup(operand));
      known[result] = emitter.emit(inner, operands);
    }
  }
}

/// Random numbers of the row, or one for each lane.
Value *TileExpression::random(model::RandomOp draw) {
  IRBuilderBase &b = frame.builder;
  Value *index = key->first;
  DimList ofLanes;
  for (DimAttr dim : model::dimsOf(draw.getResult())) {
    uint64_t stride = reference::randomStride(std::string_view(dim.getValue()));
    if (is_contained(axes.columns, dim)) {
      ofLanes.push_back(dim);
      continue;
    }
    Value *at = b.CreateZExt(position(dim), b.getInt64Ty());
    index = b.CreateAdd(index, b.CreateMul(at, b.getInt64(stride)));
  }
  if (!ofLanes.empty())
    index = b.CreateVectorSplat(lanes, index);
  for (DimAttr dim : ofLanes) {
    Value *at = b.CreateZExt(position(dim), index->getType());
    uint64_t stride = reference::randomStride(std::string_view(dim.getValue()));
    index = b.CreateAdd(index, b.CreateMul(at, ConstantInt::get(index->getType(), stride)));
  }
  return randomUnit(b, *key, reference::randomPath(std::string_view(draw.getPath())), index,
                    b.getFloatTy());
}

/// The position along one dimension, i32: that of the row, or of each lane.
Value *TileExpression::position(DimAttr dim) {
  IRBuilderBase &builder = frame.builder;
  bool ofColumn = is_contained(axes.columns, dim);
  ArrayRef<DimAttr> axis = ofColumn                       ? axes.columns
                           : is_contained(axes.rows, dim) ? axes.rows
                                                          : axes.batch;
  Value *flat = ofColumn ? column : is_contained(axes.rows, dim) ? row : batch;
  flat = builder.CreateTrunc(flat, builder.getInt32Ty());
  if (ofColumn)
    flat = builder.CreateAdd(
        builder.CreateVectorSplat(lanes, flat),
        builder.CreateStepVector(FixedVectorType::get(builder.getInt32Ty(), lanes)));
  auto like = [&](Value *size) {
    size = builder.CreateTrunc(size, builder.getInt32Ty());
    return ofColumn ? builder.CreateVectorSplat(lanes, size) : size;
  };
  auto *at = find(axis, dim);
  ArrayRef<DimAttr> inner = axis.drop_front(at - axis.begin() + 1);
  if (!inner.empty())
    flat = builder.CreateUDiv(flat, like(frame.extent(inner)));
  if (at != axis.begin())
    flat = builder.CreateURem(flat, like(frame.extent({dim})));
  return flat;
}

} // namespace weft::cpu
