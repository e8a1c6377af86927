// What a worker keeps of a row's values while it computes the row.
#include "codegen/rows/RowCells.h"

#include "codegen/emit/Loops.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace weft::rows {

Value *RowCell::bytes(Frame frame) const {
  IRBuilderBase &b = frame.builder;
  Value *each = b.getInt64(slots * int64_t(element->getScalarSizeInBits() / 8));
  return roundUp(b, b.CreateNSWMul(frame.extent(dims), each), cacheLine);
}

Value *bytesOf(ArrayRef<RowCell> cells, Frame frame) {
  Value *bytes = frame.builder.getInt64(0);
  for (const RowCell &cell : cells)
    bytes = frame.builder.CreateNSWAdd(bytes, cell.bytes(frame));
  return bytes;
}

SmallVector<RowCell> cellsOf(const RowProgram &program, const Emission &emission,
                             int64_t lanesAtATime, Numbers numbers) {
  SmallVector<RowCell> result;
  LLVMContext &context = emission.module.getContext();
  auto add = [&](mlir::Value value, bool adds) {
    Type *element = numbers.type(context, model::typeOf(value).getElement());
    if (adds && element->isFloatingPointTy() && isa<model::SumOp>(value.getDefiningOp()))
      element = Type::getDoubleTy(context);
    bool apart = program.lanesOuter && program.hasLanes(value);
    int64_t slots = apart ? lanesAtATime : 1;
    result.push_back({value, program.inside(value), element, slots});
  };
  for (const auto &[value, pass] : program.cached)
    add(value, false);
  for (const RowStage &stage : program.stages) {
    for (mlir::Operation *op : stage.reductions)
      if (program.inMemory(op))
        add(op->getResult(0), false);
    for (mlir::Operation *op : stage.spread)
      add(op->getResult(0), true);
  }
  return result;
}

DimAttr RowCells::slotsOf(mlir::MLIRContext *context) {
  return DimAttr::get(context, "#slot"); // no dimension can have this name
}

void RowCells::place(ArrayRef<RowCell> cells, Value *scratch, Frame frame) {
  Value *bytes = builder.getInt64(0);
  for (const RowCell &cell : cells) {
    MemoryTensor tensor;
    tensor.element = Stored(cell.element);
    tensor.address = builder.CreateGEP(builder.getInt8Ty(), scratch, bytes);
    Value *stride = builder.getInt64(cell.slots);
    for (DimAttr dim : reverse(cell.dims)) {
      tensor.strides.push_back({dim, stride});
      stride = builder.CreateNSWMul(stride, frame.extent(dim));
    }
    if (cell.slots > 1)
      tensor.strides.push_back({slotsOf(cell.value.getContext()), builder.getInt64(1)});
    tensors.insert({cell.value, tensor});
    bytes = builder.CreateNSWAdd(bytes, cell.bytes(frame));
  }
}

// A cell holds the value of the row and the lanes that are being computed: that of another row, or
// of other lanes, is overwritten already or not computed yet.
const MemoryTensor &RowCells::cellAt(mlir::Value value, const RowFrame &frame) const {
  auto found = tensors.find(value);
  if (found == tensors.end())
    reportFatalInternalError("a value of a rows kernel has no cells");
  DimList inside = program.inside(value);
  for (DimAttr dim : dimsOf(value)) {
    const Place *place = frame.find(dim);
    if (!is_contained(inside, dim) && (!place || place->loop != dim))
      reportFatalInternalError("what a row kept along `" + dim.getValue() +
                               "` is read at another position");
  }
  return found->second;
}

Value *RowCells::partial(mlir::Value value, const RowFrame &frame) {
  return memory.load(cellAt(value, frame), frame);
}

Value *RowCells::load(mlir::Value value, const RowFrame &frame, unsigned pass) {
  if (pass < program.pass.lookup(value))
    reportFatalInternalError("what a row keeps is read before it is known");
  return memory.load(cellAt(value, frame), frame);
}

void RowCells::store(mlir::Value value, Value *computed, const RowFrame &frame) {
  memory.store(cellAt(value, frame), computed, frame);
}

} // namespace weft::rows
