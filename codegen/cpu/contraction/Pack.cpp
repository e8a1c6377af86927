// The right side of a contraction into panels: [batch][columns / 16][rows][16], padded with zeros;
// of bfloat16 [batch][columns / 16][rows / 2][16][2].
#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/contraction/Contraction.h"
#include "codegen/cpu/contraction/GroupedPack.h"
#include "codegen/cpu/tiles/MicroKernel.h"
#include "codegen/cpu/tiles/TileAccess.h"
#include "codegen/emit/Loops.h"
#include "codegen/emit/Transpose.h"
#include "ir/kernel/storage/GroupedPanels.h"
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
        taskRows(schedule.getRows()), format(kernel::weightFormatOf(panels)),
        paired(kernel::isPaired(panels)),
        packed(format ? Stored(b.getInt8Ty()) : Stored(b.getContext(), typeOf(op), panels)),
        direct(frame, source, typeOf(op), 0, axes(panels.getRows(), panels.getColumns())),
        across(frame, source, typeOf(op), 0, axes(panels.getColumns(), panels.getRows())),
        transposes(
            !walkOver(frame.emission.dims, source, panels.getColumns()).contiguousBy(panelWidth) &&
            walkOver(frame.emission.dims, source, panels.getRows())
                .contiguousBy(frame.emission.lanes)) {}

  int64_t scratchBytes() const {
    return alignTo(direct.tableBytes(taskRows, taskPanels * panelWidth), cacheLine) +
           alignTo(across.tableBytes(taskPanels * panelWidth, taskRows), cacheLine) +
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
    direct.enterTask({batch, firstRow, rowCount, firstColumn, columnCount}, scratch, taskRows);
    int64_t used = alignTo(direct.tableBytes(taskRows, taskPanels * panelWidth), cacheLine);
    if (transposes)
      across.enterTask({batch, firstColumn, columnCount, firstRow, rowCount},
                       b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), scratch, used),
                       taskPanels * panelWidth);
    group = b.CreateConstInBoundsGEP1_64(
        b.getInt8Ty(), scratch,
        used + alignTo(across.tableBytes(taskPanels * panelWidth, taskRows), cacheLine));
    Value *base = b.CreateNSWAdd(b.CreateNSWMul(batch, panelsOfAll), firstPanel);
    Value *target = frame.buffer(1);
    loop(b, panelCount, [&](Value *p) {
      Value *offset = b.CreateNSWMul(b.CreateNSWAdd(base, p), panelStride());
      Value *panel = b.CreateInBoundsGEP(packed.memory, target, offset);
      Value *column = b.CreateNSWAdd(firstColumn, b.CreateNSWMul(p, b.getInt64(panelWidth)));
      if (format)
        emitGroups(panel, column);
      else
        emitRows({panel, b.getInt64(0), packed}, column, firstRow, rowCount);
    });
  }

private:
  static model::NamedTensorType typeOf(kernel::FusedOp op) {
    return model::typeOf(op.getResult(0));
  }
  Axes axes(ArrayRef<DimAttr> down, ArrayRef<DimAttr> along) const {
    return {DimList(panels.getBatch()), DimList(down), DimList(along)};
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
                  : b.CreateNSWMul(paired ? roundUp(b, rows, kernel::rowsOfPair) : rows,
                                   b.getInt64(panelWidth));
  }
  Value *groupBytes() { return b.getInt64(groups::bytes(*format, panelWidth)); }

  /// Where rows of a panel are copied to: [row - first][16].
  struct Copy {
    Value *start, *first;
    Stored element;
  };

  /// Group by group, by way of a copy in scratch, whose rows that are not there are zeros. Tasks
  /// are whole groups.
  void emitGroups(Value *panel, Value *column) {
    Value *length = b.getInt64(groups::length);
    Value *before = b.CreateUDiv(firstRow, length);
    loop(b, ceilDiv(b, rowCount, length), [&](Value *g) {
      Value *begin = b.CreateNSWMul(g, length);
      Value *count = minimum(b, length, b.CreateNSWSub(rowCount, begin));
      Value *first = b.CreateNSWAdd(firstRow, begin);
      Copy copy{group, first, Stored(b.getFloatTy())};
      emitRows(copy, column, first, count);
      loop(b, count, length, b.getInt64(1), [&](Value *row) {
        auto *vector = FixedVectorType::get(b.getFloatTy(), panelWidth);
        b.CreateAlignedStore(Constant::getNullValue(vector),
                             place(copy, b.CreateNSWAdd(first, row)), Align(4));
      });
      Value *number = b.CreateNSWAdd(before, g);
      packGroup(b, *format, group,
                b.CreateInBoundsGEP(b.getInt8Ty(), panel, b.CreateNSWMul(number, groupBytes())));
    });
  }

  /// `count` rows of a panel that begins with `column`, from row `first` on.
  void emitRows(const Copy &copy, Value *column, Value *first, Value *count) {
    Value *rest = b.CreateNSWSub(columns, column);
    Value *full = b.CreateICmpSGE(rest, b.getInt64(panelWidth));
    Value *end = b.CreateNSWAdd(first, count);
    choose(
        b, full,
        [&] {
          Value *from = first;
          if (transposes) {
            int64_t side = frame.emission.lanes;
            from = b.CreateNSWAdd(first, b.CreateAnd(count, b.getInt64(-side)));
            loop(b, first, from, b.getInt64(side),
                 [&](Value *row) { emitBlock(copy, row, column); });
          }
          emitEach(copy, from, end, column, nullptr);
          return Values();
        },
        [&] {
          Value *mask = firstLanes(b, rest, panelWidth);
          emitEach(copy, first, end, column, mask);
          return Values();
        });
  }

  /// Of pairs, `row` is the first of one.
  Value *place(const Copy &copy, Value *row) {
    return b.CreateInBoundsGEP(
        copy.element.memory, copy.start,
        b.CreateNSWMul(b.CreateNSWSub(row, copy.first), b.getInt64(panelWidth)));
  }

  /// Rows `first` up to `end`; of pairs, `first` is the first of one.
  void emitEach(const Copy &copy, Value *first, Value *end, Value *column, Value *mask) {
    auto read = [&](Value *row) { return direct.load(direct.row(row), column, panelWidth, mask); };
    if (!paired) {
      loop(b, first, end, b.getInt64(1),
           [&](Value *row) { copy.element.store(b, read(row), place(copy, row)); });
      return;
    }
    Value *count = b.CreateNSWSub(end, first);
    Value *odd = b.CreateTrunc(count, b.getInt1Ty());
    Value *last = b.CreateNSWSub(end, b.CreateZExt(odd, b.getInt64Ty()));
    loop(b, first, last, b.getInt64(kernel::rowsOfPair), [&](Value *row) {
      storePair(read(row), read(b.CreateNSWAdd(row, b.getInt64(1))), place(copy, row));
    });
    when(b, odd, [&] { storePair(read(last), nullptr, place(copy, last)); });
  }

  /// Words of two rows; without an upper one its halves are zeros.
  void storePair(Value *lower, Value *upper, Value *to) {
    Value *words = b.CreateLShr(roundedToUpperHalf(b, lower), 16);
    if (upper) {
      Value *bits = roundedToUpperHalf(b, upper);
      words = b.CreateOr(words, b.CreateAnd(bits, ConstantInt::get(bits->getType(), 0xffff0000)));
    }
    b.CreateAlignedStore(words, to, Align(4));
  }

  /// As many rows of the panel as a register has lanes, from columns that are contiguous along
  /// them.
  void emitBlock(const Copy &copy, Value *row, Value *column) {
    unsigned side = frame.emission.lanes;
    for (unsigned from = 0; from < panelWidth; from += side) {
      Values along;
      for (unsigned i = 0; i < side; ++i)
        along.push_back(across.load(across.row(b.CreateNSWAdd(column, b.getInt64(from + i))), row,
                                    side, nullptr));
      Values down = transposed(b, along);
      int64_t step = paired ? kernel::rowsOfPair : 1;
      for (int64_t i = 0; i < int64_t(side); i += step) {
        Value *line = place(copy, b.CreateNSWAdd(row, b.getInt64(i)));
        Value *to = b.CreateConstInBoundsGEP1_64(copy.element.memory, line, from * step);
        if (paired)
          storePair(down[i], down[i + 1], to);
        else
          copy.element.store(b, down[i], to);
      }
    }
  }

  Frame frame;
  IRBuilderBase &b;
  kernel::PanelsAttr panels;
  int64_t taskPanels, taskRows;              // that one task packs at most
  std::optional<model::WeightFormat> format; // of panels whose weights share scales
  const bool paired;                         // rows of panels, in words
  Stored packed;                             // elements of the panels, of those bytes
  TileAccess direct, across; // the source with rows or columns of the panels as its rows
  bool transposes;
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
