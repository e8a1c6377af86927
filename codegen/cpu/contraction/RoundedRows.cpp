// Rows of floats into rows of whole numbers, of which 32 side by side share a scale
// (GroupedRow.h).
#include "codegen/cpu/contraction/RoundedRows.h"

#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/contraction/GroupRounding.h"
#include "codegen/cpu/tiles/MatrixView.h"
#include "codegen/emit/Loops.h"
#include "ir/cpu/Tile.h"
#include "ir/model/weights/GroupedRow.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::cpu {

namespace grouped = model::grouped;

/// Rows along the dimension in which the result's elements lie side by side.
static Axes axesOf(kernel::FusedOp op) {
  auto layout = cast<kernel::LayoutAttr>(op.getLayoutsAttr()[1]);
  Axes axes;
  for (model::DimAttr dim : model::typeOf(op.getResult(0)).getDims())
    (layout.stride(dim) == Size::number(1) ? axes.columns : axes.rows).push_back(dim);
  return axes;
}

namespace {

class RoundedRowsBuilder {
public:
  RoundedRowsBuilder(Frame frame, kernel::FusedOp op, PackAttr schedule, const Axes &axes)
      : frame(frame), b(frame.builder), axes(axes), taskRows(schedule.getRows()),
        source(frame, op, 0, axes), target(frame, op, 1, axes) {}

  Value *tasks() { return ceilDiv(b, frame.extent(axes.rows), b.getInt64(taskRows)); }

  /// `row` has room for a row of floats.
  void emitTask(Value *task, Value *row) {
    Value *columns = frame.extent(axes.columns);
    Value *first = b.CreateNSWMul(task, b.getInt64(taskRows));
    Value *count = minimum(b, b.getInt64(taskRows), b.CreateNSWSub(frame.extent(axes.rows), first));
    source.enter(b.getInt64(0));
    target.enter(b.getInt64(0));
    loop(b, count, [&](Value *i) {
      Value *number = b.CreateNSWAdd(first, i);
      source.read({number, b.getInt64(1), row, columns}, ConstantFP::get(b.getFloatTy(), 1));
      Value *to = target.row(number);
      loop(b, b.getInt64(0), columns, b.getInt64(grouped::length), [&](Value *column) {
        emitGroup(b.CreateInBoundsGEP(b.getFloatTy(), row, column),
                  target.element().at(b, to, column));
      });
    });
  }

private:
  void emitGroup(Value *from, Value *to) {
    auto *floats = FixedVectorType::get(b.getFloatTy(), panelWidth);
    auto *words = FixedVectorType::get(b.getInt32Ty(), panelWidth);
    Values parts;
    Value *most = Constant::getNullValue(words);
    for (int64_t i = 0; i < grouped::length; i += panelWidth) {
      Value *at = b.CreateConstInBoundsGEP1_64(b.getFloatTy(), from, i);
      parts.push_back(b.CreateAlignedLoad(floats, at, Align(4)));
      Value *magnitude = GroupRounding::magnitude(b, b.CreateBitCast(parts.back(), words));
      most = b.CreateBinaryIntrinsic(Intrinsic::umax, most, magnitude);
    }
    GroupRounding rounding(b, model::WeightFormat::int8, b.CreateIntMaxReduce(most));
    auto store = [&](Value *value, int64_t byte) {
      b.CreateAlignedStore(value, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), to, byte), Align(1));
    };
    auto *bytes = FixedVectorType::get(b.getInt8Ty(), panelWidth);
    for (auto [i, part] : enumerate(parts))
      store(b.CreateTrunc(rounding.numbers(part), bytes), int64_t(i) * panelWidth);
    store(rounding.scale(), grouped::scaleAt);
  }

  Frame frame;
  IRBuilderBase &b;
  const Axes &axes;
  int64_t taskRows;
  MatrixView source, target;
};

} // namespace

mlir::FailureOr<KernelFunctions> emitRoundedRows(kernel::FusedOp op, PackAttr schedule,
                                                 StringRef name, Emission &emission) {
  const Axes axes = axesOf(op);
  std::optional<int64_t> columns = emission.dims.known(kernel::sizeOf(axes.columns));
  if (!columns || *columns % grouped::length != 0)
    return op.emitOpError("cannot be built as a pack: its rows are not whole groups of ")
           << grouped::length;
  KernelShell shell(name, emission);
  RoundedRowsBuilder builder(shell.frame(), op, schedule, axes);
  shell.emitTasks([&](Value *task) { builder.emitTask(task, shell.scratch()); });
  return shell.finish(
      [&](Frame counting) { return RoundedRowsBuilder(counting, op, schedule, axes).tasks(); },
      [&](Frame counting) { return counting.builder.getInt64(*columns * int64_t(sizeof(float))); });
}

} // namespace weft::cpu
