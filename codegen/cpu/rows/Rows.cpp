// Elementwise ops, gathers and reductions as loops over rows, whose lanes are vectors.
#include "codegen/cpu/rows/Rows.h"

#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/rows/RowFunctions.h"
#include "codegen/cpu/rows/RowScan.h"
#include "codegen/emit/Loops.h"
#include "codegen/rows/RowStages.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"

using namespace llvm;

namespace weft::cpu {

using namespace weft::rows;

namespace {

/// Writes the body of a kernel's function: tasks, rows, and the stages inside a row.
class RowKernel : RowStages {
public:
  RowKernel(const RowProgram &program, RowsAttr schedule, Numbers numbers, KernelShell &shell)
      : RowStages(program, shell.frame(), numbers,
                  {shell.frame().emission.lanes, unsigned(schedule.getUnroll())}),
        schedule(schedule), shell(shell) {}

  void emit() {
    evaluator.cells.place(
        cellsOf(program, context.emission, lanes.vector * lanes.blocks, context.numbers),
        shell.scratch(), shell.frame());
    RowPartition part = partition(shell.frame(), program, schedule);
    Value *one = builder.getInt64(1);
    scopes.loop(shell.begin(), shell.end(), one, [&](Value *task) {
      Value *group = builder.CreateUDiv(task, part.laneBlocks);
      Value *row0 = builder.CreateNSWMul(group, part.rowsPerTask);
      Value *row1 = minimum(builder, builder.CreateNSWAdd(row0, part.rowsPerTask), part.rows);
      Value *lane0 =
          builder.CreateNSWMul(builder.CreateURem(task, part.laneBlocks), part.laneBlock);
      Value *lane1 = minimum(builder, builder.CreateNSWAdd(lane0, part.laneBlock), part.laneCount);
      scopes.loop(row0, row1, one,
                  [&](Value *row) { emitRow(loops.row(program.outer, row), lane0, lane1); });
    });
  }

private:
  RowFrame vector(const RowFrame &frame, Value *index, unsigned block) {
    return onLanes(frame, index, builder.getInt64(block * lanes.vector));
  }

  /// Several vectors at a time, then one at a time under a mask.
  void alongLanes(const RowFrame &frame, Value *low, Value *high, OnLanes body) override {
    int64_t wide = lanes.vector, blocks = lanes.blocks;
    std::optional<int64_t> known = laneCount(program, context.emission);
    Value *middle = low;
    if (!known || *known >= wide * blocks) {
      Value *step = builder.getInt64(wide * blocks);
      Value *count = builder.CreateNSWSub(high, low);
      count = builder.CreateNSWSub(count, builder.CreateURem(count, step));
      middle = builder.CreateNSWAdd(low, count);
      scopes.loop(low, middle, step, [&](Value *index) {
        SmallVector<RowFrame> frames;
        for (int64_t b = 0; b < blocks; ++b)
          frames.push_back(
              vector(frame, builder.CreateNSWAdd(index, builder.getInt64(b * wide)), b));
        body(frames);
      });
    }
    if (known && *known % (wide * blocks) == 0)
      return;
    scopes.loop(middle, high, builder.getInt64(wide), [&](Value *index) {
      RowFrame last = vector(frame, index, 0);
      if (wide > 1) {
        Value *left = builder.CreateTrunc(builder.CreateNSWSub(high, index), builder.getInt32Ty());
        SmallVector<uint32_t> numbers = to_vector(seq<uint32_t>(0, wide));
        Value *number = ConstantDataVector::get(builder.getContext(), numbers);
        last.tail = builder.CreateICmpSLT(number, builder.CreateVectorSplat(wide, left));
      }
      body(last);
    });
  }

  RowsAttr schedule;
  KernelShell &shell;
};

} // namespace

static mlir::FailureOr<KernelFunctions> emitRowsIn(kernel::FusedOp op, RowsAttr schedule,
                                                   StringRef name, Emission &emission,
                                                   Numbers numbers) {
  if (isScan(op))
    return emitScan(op, schedule, name, emission);
  mlir::FailureOr<ExpandedRows> expanded = expandRows(op, emission.dims);
  if (failed(expanded))
    return mlir::failure();
  const RowProgram &program = expanded->program;
  KernelShell shell(name, emission);
  RowKernel(program, schedule, numbers, shell).emit();
  auto scratch = [&](Frame frame) {
    int64_t lanes = emission.lanes * schedule.getUnroll();
    return rows::bytesOf(cellsOf(program, emission, lanes, numbers), frame);
  };
  return shell.finish(
      [&](Frame frame) { return partition(frame, program, schedule).tasks; }, scratch);
}

mlir::FailureOr<KernelFunctions> emitRows(kernel::FusedOp op, RowsAttr schedule, StringRef name,
                                          Emission &emission) {
  return emitRowsIn(op, schedule, name, emission, Numbers());
}

mlir::FailureOr<KernelFunctions> emitTable(kernel::FusedOp op, RowsAttr schedule, StringRef name,
                                           Emission &emission) {
  return emitRowsIn(op, schedule, name, emission, Numbers{/*wide=*/true});
}

} // namespace weft::cpu
