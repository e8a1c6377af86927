// The right side of a contraction into panels: [batch][columns / 16][rows][16], padded with zeros;
// of bfloat16 [batch][columns / 16][rows / 2][16][2].
#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/contraction/Contraction.h"
#include "codegen/cpu/contraction/GroupedPack.h"
#include "codegen/cpu/contraction/PanelCopy.h"
#include "codegen/cpu/contraction/RoundedRows.h"
#include "codegen/emit/Loops.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/GroupedRows.h"
#include "ir/kernel/storage/PairedPanels.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::cpu {

namespace groups = model::groups;

namespace {

class PackBuilder {
public:
  PackBuilder(Frame frame, kernel::FusedOp op, PackAttr schedule, kernel::LayoutAttr source,
              kernel::PanelsAttr panels)
      : frame(frame), b(frame.builder), panels(panels), taskPanels(schedule.getPanels()),
        taskRows(schedule.getRows()),
        pastCaches(schedule.getNonTemporal() && kernel::isPaired(panels)),
        format(kernel::weightFormatOf(panels)),
        packed(format ? Stored(b.getInt8Ty()) : Stored(b.getContext(), typeOf(op), panels)),
        copy(frame, source, typeOf(op), /*buffer=*/0, panels) {}

  int64_t scratchBytes() const {
    return copy.tableBytes(taskRows, taskPanels * panelWidth) +
           (format ? groups::length * panelWidth * int64_t(sizeof(float)) : 0);
  }

  Value *tasks() {
    readSizes();
    return b.CreateNSWMul(frame.extent(panels.getBatch()), b.CreateNSWMul(panelBlocks, rowBlocks));
  }

  void emitTask(Value *task, Value *scratch) {
    readSizes();
    Value *rowBlock = b.CreateURem(task, rowBlocks);
    Value *panelBlock = b.CreateURem(b.CreateUDiv(task, rowBlocks), panelBlocks);
    Value *batch = b.CreateUDiv(b.CreateUDiv(task, rowBlocks), panelBlocks);
    firstRow = b.CreateNSWMul(rowBlock, b.getInt64(taskRows));
    rowCount = minimum(b, b.getInt64(taskRows), b.CreateNSWSub(rows, firstRow));
    Value *firstPanel = b.CreateNSWMul(panelBlock, b.getInt64(taskPanels));
    Value *panelCount = minimum(b, b.getInt64(taskPanels), b.CreateNSWSub(panelsOfAll, firstPanel));
    Value *firstColumn = b.CreateNSWMul(firstPanel, b.getInt64(panelWidth));
    Value *columnCount = minimum(b, b.CreateNSWSub(columns, firstColumn),
                                 b.CreateNSWMul(panelCount, b.getInt64(panelWidth)));
    const int64_t taskColumns = taskPanels * panelWidth;
    copy.enter({batch, firstRow, rowCount, firstColumn, columnCount}, scratch, taskRows,
               taskColumns);
    group = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch,
                                         copy.tableBytes(taskRows, taskColumns));
    Value *base = b.CreateNSWAdd(b.CreateNSWMul(batch, panelsOfAll), firstPanel);
    Value *target = frame.buffer(1);
    loop(b, panelCount, [&](Value *p) {
      Value *offset = b.CreateNSWMul(b.CreateNSWAdd(base, p), panelStride());
      Value *panel = b.CreateInBoundsGEP(packed.memory, target, offset);
      Value *column = b.CreateNSWAdd(firstColumn, b.CreateNSWMul(p, b.getInt64(panelWidth)));
      if (format)
        emitGroups(panel, column);
      else
        copy.emitRows({panel, b.getInt64(0), packed, pastCaches}, column, firstRow, rowCount);
    });
    if (pastCaches)
      fenceNonTemporal(b);
  }

private:
  static model::NamedTensorType typeOf(kernel::FusedOp op) {
    return model::typeOf(op.getResult(0));
  }

  void readSizes() {
    rows = frame.extent(panels.getRows());
    columns = frame.extent(panels.getColumns());
    panelsOfAll = ceilDiv(b, columns, b.getInt64(panelWidth));
    panelBlocks = ceilDiv(b, panelsOfAll, b.getInt64(taskPanels));
    rowBlocks = ceilDiv(b, rows, b.getInt64(taskRows));
  }

  /// Elements of a panel, of one in groups bytes.
  Value *panelStride() {
    return format ? b.CreateNSWMul(ceilDiv(b, rows, b.getInt64(groups::length)), groupBytes())
                  : b.CreateNSWMul(kernel::isPaired(panels) ? roundUp(b, rows, kernel::rowsOfPair)
                                                            : rows,
                                   b.getInt64(panelWidth));
  }
  Value *groupBytes() { return b.getInt64(groups::bytes(*format, panelWidth)); }

  /// Group by group, by way of a copy in scratch, whose rows that are not there are zeros. Tasks
  /// are whole groups.
  void emitGroups(Value *panel, Value *column) {
    Value *length = b.getInt64(groups::length);
    Value *before = b.CreateUDiv(firstRow, length);
    loop(b, ceilDiv(b, rowCount, length), [&](Value *g) {
      Value *begin = b.CreateNSWMul(g, length);
      Value *count = minimum(b, length, b.CreateNSWSub(rowCount, begin));
      Value *first = b.CreateNSWAdd(firstRow, begin);
      PanelCopy::Target scratch{group, first, Stored(b.getFloatTy())};
      copy.emitRows(scratch, column, first, count);
      loop(b, count, length, b.getInt64(1), [&](Value *row) {
        auto *vector = FixedVectorType::get(b.getFloatTy(), panelWidth);
        b.CreateAlignedStore(Constant::getNullValue(vector),
                             copy.place(scratch, b.CreateNSWAdd(first, row)), Align(4));
      });
      Value *number = b.CreateNSWAdd(before, g);
      packGroup(b, *format, group,
                b.CreateInBoundsGEP(b.getInt8Ty(), panel, b.CreateNSWMul(number, groupBytes())));
    });
  }

  Frame frame;
  IRBuilderBase &b;
  kernel::PanelsAttr panels;
  int64_t taskPanels, taskRows; // that one task packs at most
  bool pastCaches;
  std::optional<model::WeightFormat> format; // of panels whose weights share scales
  Stored packed;                             // elements of the panels, of those bytes
  PanelCopy copy;
  Value *rows = nullptr, *columns = nullptr, *panelsOfAll = nullptr, *panelBlocks = nullptr,
        *rowBlocks = nullptr;
  Value *firstRow = nullptr, *rowCount = nullptr;
  Value *group = nullptr; // the copy of one, in scratch
};

} // namespace

mlir::FailureOr<KernelFunctions> emitPack(kernel::FusedOp op, PackAttr schedule, StringRef name,
                                          Emission &emission) {
  auto refuse = [&](const Twine &why) {
    return op.emitOpError("cannot be built as a pack: ") << why;
  };
  mlir::Block &body = op.getBody().front();
  if (op.getNumOperands() != 1 || op.getNumResults() != 1 || body.getOperations().size() != 1)
    return refuse("it does more than yield its operand");
  if (kernel::isGroupedRows(op.getLayoutsAttr()[1]))
    return emitRoundedRows(op, schedule, name, emission);
  auto source = dyn_cast<kernel::LayoutAttr>(op.getLayoutsAttr()[0]);
  auto panels = dyn_cast<kernel::PanelsAttr>(op.getLayoutsAttr()[1]);
  if (!source || !panels || panels.getWidth() != panelWidth)
    return refuse("its operand is not strided, or its result not in panels of 16");
  if (!cast<model::NamedTensorType>(op.getResult(0).getType()).isFloat())
    return refuse("its elements are not floats");

  KernelShell shell(name, emission);
  PackBuilder builder(shell.frame(), op, schedule, source, panels);
  shell.emitTasks([&](Value *task) { builder.emitTask(task, shell.scratch()); });
  return shell.finish(
      [&](Frame counting) { return PackBuilder(counting, op, schedule, source, panels).tasks(); },
      [&](Frame counting) { return counting.builder.getInt64(builder.scratchBytes()); });
}

} // namespace weft::cpu
