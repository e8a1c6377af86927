// Elementwise ops, gathers and reductions as loops over rows.
#include "codegen/cpu/rows/Rows.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/RowExpand.h"

#include "codegen/cpu/rows/RowFunctions.h"
#include "codegen/cpu/rows/RowNest.h"
#include "codegen/cpu/rows/RowReduction.h"
#include "codegen/cpu/rows/RowScan.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

namespace {

/// Writes the body of a kernel's function: tasks, rows, and the stages inside a row.
class RowKernel {
public:
  RowKernel(const RowProgram &program, RowsAttr schedule, Numbers numbers, KernelShell &shell)
      : program(program), schedule(schedule), shell(shell), builder(shell.frame().builder),
        context{program,
                shell.frame().emission,
                numbers,
                numbers.wide ? 1 : shell.frame().emission.lanes,
                shell.frame().sizes,
                shell.frame().buffers},
        scopes(builder),
        evaluator(builder, scopes, context, bufferTensors(shell.frame(), program.op)),
        loops(builder, scopes, evaluator) {}

  void emit() {
    evaluator.cells.place(
        cellsOf(program, schedule, context.emission, context.lanes, context.numbers),
        shell.scratch(), shell.frame());
    RowPartition part = partition(shell.frame(), program, schedule, context.numbers);
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
  //===-- Lanes
  //-------------------------------------------------------------------------------------===//

  /// The lanes at `index`: the last dimension runs through all of them, for they are contiguous.
  /// Of the vectors that are computed at a time it is number `block`.
  RowFrame onLanes(RowFrame frame, Value *index, unsigned block) {
    for (DimAttr dim : ArrayRef(program.lanes).drop_back())
      frame = frame.with(dim, loops.at(builder.getInt64(0), dim));
    Place place;
    place.base = index;
    if (context.lanes > 1) {
      place.step = builder.getInt64(1);
      place.aligned = true;
    }
    place.level = scopes.innermost();
    place.loop = program.lanes.back();
    frame = frame.with(program.lanes.back(), evaluator.intern(place));
    if (!program.lanesOuter)
      return frame;
    Place slot;
    slot.base = builder.getInt64(block * context.lanes);
    slot.step = place.step;
    return frame.with(RowCells::slotsOf(program.lanes.back().getContext()), evaluator.intern(slot));
  }

  /// Runs `body` on all lanes from `low` to `high`: several vectors at a time, then one at a time
  /// under a mask.
  void alongLanes(const RowFrame &frame, Value *low, Value *high,
                  function_ref<void(ArrayRef<RowFrame>)> body) {
    int64_t wide = context.lanes, blocks = schedule.getUnroll();
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
              onLanes(frame, builder.CreateNSWAdd(index, builder.getInt64(b * wide)), b));
        body(frames);
      });
    }
    if (known && *known % (wide * blocks) == 0)
      return;
    scopes.loop(middle, high, builder.getInt64(wide), [&](Value *index) {
      RowFrame last = onLanes(frame, index, 0);
      if (wide > 1) {
        Value *left = builder.CreateTrunc(builder.CreateNSWSub(high, index), builder.getInt32Ty());
        SmallVector<uint32_t> numbers = to_vector(seq<uint32_t>(0, wide));
        Value *number = ConstantDataVector::get(builder.getContext(), numbers);
        last.tail = builder.CreateICmpSLT(number, builder.CreateVectorSplat(wide, left));
      }
      body(last);
    });
  }

  //===-- Stages
  //------------------------------------------------------------------------------------===//

  void emitRow(const RowFrame &frame, Value *lane0, Value *lane1) {
    auto all = [&](bool lanes) {
      return [this, lanes](ArrayRef<RowFrame> frames) {
        evaluator.rowLevel = scopes.innermost();
        for (const RowStage &stage : program.stages)
          if (!program.lanesOuter || stage.lanes == lanes)
            emitStage(stage, frames);
      };
    };
    if (!program.lanesOuter)
      return all(false)(frame);
    // Results without the lanes: by the task that has the first of them. A loop, for it is a scope.
    if (any_of(program.stages, [](const RowStage &stage) { return !stage.lanes; })) {
      Value *zero = builder.getInt64(0), *first = builder.CreateICmpEQ(lane0, zero);
      scopes.loop(zero, builder.CreateZExt(first, builder.getInt64Ty()), builder.getInt64(1),
                  [&](Value *) { all(false)(frame); });
    }
    alongLanes(frame, lane0, lane1, all(true));
  }

  /// All lanes of a row, inside of which nothing else runs along them.
  void allLanes(const RowFrame &frame, function_ref<void(ArrayRef<RowFrame>)> body) {
    Value *count = builder.getInt64(1);
    for (DimAttr dim : program.lanes)
      count = builder.CreateNSWMul(count, evaluator.extent(dim));
    alongLanes(frame, builder.getInt64(0), count, body);
  }

  // A sum is long where more than the lanes of one row goes into it.
  Reduction reductionOf(mlir::Operation *op, const RowStage &stage) {
    bool everything = program.outer.empty() && stage.kept.empty();
    return Reduction(builder, op, context.numbers, !stage.over.empty() || everything);
  }

  void emitStage(const RowStage &stage, ArrayRef<RowFrame> frames) {
    evaluator.pass = stage.pass;
    for (mlir::Operation *op : stage.spread)
      clear(op, frames);
    loops.over(stage.kept, frames, [&](ArrayRef<RowFrame> kept) {
      if (stage.lanesKept)
        allLanes(kept.front(), [&](ArrayRef<RowFrame> here) { reduce(stage, here); });
      else
        reduce(stage, kept);
    });
  }

  /// Each of `kept` is a reduction of its own where the lanes are not reduced.
  void reduce(const RowStage &stage, ArrayRef<RowFrame> kept) {
    bool apart = program.lanesOuter || stage.lanesKept;
    unsigned blocks = apart ? kept.size() : stage.lanes ? schedule.getUnroll() : 1;
    SmallVector<Accumulator> sums;
    for (mlir::Operation *op : stage.reductions) {
      sums.emplace_back(builder, reductionOf(op, stage), isa<model::ArgMaxOp>(op), blocks,
                        stage.lanes ? context.lanes : 1);
      sums.back().start();
    }
    auto points = [&](ArrayRef<RowFrame> here) {
      for (auto [block, frame] : enumerate(here))
        emitPoint(stage, block, frame, sums);
    };
    loops.over(stage.over, kept, [&](ArrayRef<RowFrame> inside) {
      if (stage.lanes && !apart)
        allLanes(inside.front(), points);
      else
        points(inside);
    });
    for (auto [op, sum] : zip(stage.reductions, sums))
      for (auto [block, frame] : enumerate(kept))
        finish(op, apart ? sum.block(block) : sum.total(), frame);
  }

  void emitPoint(const RowStage &stage, unsigned block, const RowFrame &frame,
                 MutableArrayRef<Accumulator> sums) {
    for (auto [op, sum] : zip(stage.reductions, sums)) {
      Value *position = nullptr;
      if (auto argmax = dyn_cast<model::ArgMaxOp>(op))
        position = evaluator.position(*frame.find(argmax.getOver().front()));
      sum.add(block, evaluator.value(op->getOperand(0), frame), position, frame.tail);
    }
    for (mlir::Operation *op : stage.spread) {
      Reduction reduction(builder, op, context.numbers, true);
      Value *term =
          reduction.term(evaluator.value(op->getOperand(0), frame), context.lanes, frame.tail);
      Value *sum = evaluator.cells.partial(op->getResult(0), frame);
      evaluator.cells.store(op->getResult(0), reduction.combine(sum, term), frame);
    }
    // All values before the first store: a result may be stored in place of an operand.
    for (unsigned result : stage.stores)
      evaluator.value(program.yielded[result], frame);
    for (unsigned result : stage.stores)
      when(builder, isFirst(result, frame), [&] { evaluator.store(result, frame); });
  }

  /// Whether this row is the one that stores a result without some outer dimensions.
  Value *isFirst(unsigned result, const RowFrame &frame) {
    Value *first = builder.getTrue();
    for (DimAttr dim : program.outerWithout(program.yielded[result])) {
      Value *here = builder.CreateICmpEQ(frame.find(dim)->base, builder.getInt64(0));
      first = builder.CreateAnd(first, here);
    }
    return first;
  }

  void finish(mlir::Operation *op, Value *value, const RowFrame &frame) {
    if (evaluator.cells.has(op->getResult(0)))
      evaluator.cells.store(op->getResult(0), value, frame);
    else
      evaluator.define(op, frame, value);
  }

  void clear(mlir::Operation *op, ArrayRef<RowFrame> frames) {
    DimList dims = program.inside(op->getResult(0));
    erase_if(dims, [&](DimAttr dim) { return is_contained(program.lanes, dim); });
    loops.over(dims, frames, [&](ArrayRef<RowFrame> inside) {
      allLanes(inside.front(), [&](ArrayRef<RowFrame> here) {
        for (const RowFrame &frame : here)
          evaluator.cells.store(
              op->getResult(0),
              Reduction(builder, op, context.numbers, true).identity(context.lanes), frame);
      });
    });
  }

  const RowProgram &program;
  RowsAttr schedule;
  KernelShell &shell;
  IRBuilderBase &builder;
  RowContext context;
  Scopes scopes;
  RowEvaluator evaluator;
  RowNest loops;
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
    Value *bytes = frame.builder.getInt64(0);
    unsigned wide = numbers.wide ? 1 : emission.lanes;
    for (const RowCell &cell : cellsOf(program, schedule, emission, wide, numbers))
      bytes = frame.builder.CreateNSWAdd(bytes, cell.bytes(frame));
    return bytes;
  };
  return shell.finish(
      [&](Frame frame) { return partition(frame, program, schedule, numbers).tasks; }, scratch);
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
