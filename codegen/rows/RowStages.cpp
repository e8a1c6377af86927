// The stages of a row.
#include "codegen/rows/RowStages.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::rows {

RowStages::RowStages(const RowProgram &program, Frame frame, Numbers numbers, LaneCounts lanes)
    : program(program), builder(frame.builder), lanes(lanes),
      context{program, frame.emission, numbers, lanes.vector, frame.sizes, frame.buffers},
      scopes(builder), evaluator(builder, scopes, context, bufferTensors(frame, program.op)),
      loops(builder, scopes, evaluator) {}

//===-- Lanes
//---------------------------------------------------------------------------------------===//

RowFrame RowStages::onLanes(RowFrame frame, Value *index, Value *slot) {
  Place place;
  place.base = index;
  if (lanes.vector > 1) {
    place.step = builder.getInt64(1);
    place.aligned = true;
  }
  place.level = scopes.innermost();
  place.loop = program.lanes.back();
  return onLanes(frame, evaluator.intern(place), slot);
}

RowFrame RowStages::onLanes(RowFrame frame, const Place *place, Value *slot) {
  for (DimAttr dim : ArrayRef(program.lanes).drop_back())
    frame = frame.with(dim, loops.start(dim));
  frame = frame.with(program.lanes.back(), place);
  if (!program.lanesOuter)
    return frame;
  Place cell;
  cell.base = slot;
  cell.step = place->step;
  return frame.with(RowCells::slotsOf(program.lanes.back().getContext()), evaluator.intern(cell));
}

void RowStages::allLanes(const RowFrame &frame, OnLanes body) {
  alongLanes(frame, builder.getInt64(0), evaluator.extent(ArrayRef(program.lanes)), body);
}

void RowStages::ifSo(Value *condition, function_ref<void()> body) {
  if (auto *known = dyn_cast<ConstantInt>(condition); known && known->isOne())
    return body();
  scopes.loop(builder.getInt64(0), builder.CreateZExt(condition, builder.getInt64Ty()),
              builder.getInt64(1), [&](Value *) { body(); });
}

//===-- Stages
//--------------------------------------------------------------------------------------===//

void RowStages::emitStages(bool withLanes, Frames frames) {
  evaluator.rowLevel = scopes.innermost();
  for (const RowStage &stage : program.stages)
    if (!program.lanesOuter || stage.lanes == withLanes)
      emitStage(stage, frames);
}

void RowStages::emitRow(const RowFrame &frame, Value *lane0, Value *lane1) {
  if (!program.lanesOuter)
    return emitStages(false, frame);
  // Results without the lanes: with the first of them. A loop, for it is a scope.
  if (any_of(program.stages, [](const RowStage &stage) { return !stage.lanes; })) {
    Value *zero = builder.getInt64(0), *first = builder.CreateICmpEQ(lane0, zero);
    scopes.loop(zero, builder.CreateZExt(first, builder.getInt64Ty()), builder.getInt64(1),
                [&](Value *) { emitStages(false, frame); });
  }
  alongLanes(frame, lane0, lane1, [&](Frames here) { emitStages(true, here); });
}

// A sum is long where more than the lanes of one row goes into it.
Reduction RowStages::reductionOf(mlir::Operation *op, const RowStage &stage) {
  bool everything = program.outer.empty() && stage.kept.empty();
  return Reduction(builder, op, context.numbers, !stage.over.empty() || everything);
}

void RowStages::emitStage(const RowStage &stage, Frames frames) {
  evaluator.pass = stage.pass;
  for (mlir::Operation *op : stage.spread)
    clear(op, frames);
  // What is only stored, and has no lanes, is computed by what stores it: it may do so in place.
  bool alone = !stage.lanes && stage.reductions.empty();
  ifSo(alone                      ? storesOnce()
       : stage.reductions.empty() ? storesLanes()
                                  : builder.getTrue(),
       [&] {
         loops.over(stage.kept, frames, [&](Frames kept) {
           if (stage.lanesKept)
             allLanes(kept.front(), [&](Frames here) { reduce(stage, here); });
           else
             reduce(stage, kept);
         });
       });
  if (!program.lanesOuter || !stage.lanes)
    settleCells();
}

// Each of `kept` is a reduction of its own where the lanes are not reduced.
void RowStages::reduce(const RowStage &stage, Frames kept) {
  bool apart = program.lanesOuter || stage.lanesKept;
  unsigned ofLane = lanes.sums ? lanes.sums : lanes.blocks;
  unsigned blocks = apart ? kept.size() : stage.lanes ? ofLane : 1;
  SmallVector<Accumulator> sums;
  for (mlir::Operation *op : stage.reductions) {
    sums.emplace_back(builder, reductionOf(op, stage), isa<model::ArgMaxOp>(op), blocks,
                      stage.lanes ? lanes.vector : 1);
    sums.back().start();
  }
  auto points = [&](Frames here) {
    for (unsigned block = 0; block < here.size(); block += lanes.stored)
      emitPoints(stage, block, here.drop_front(block).take_front(lanes.stored), sums);
  };
  overTerms(stage.over, kept, [&](Frames inside) {
    if (stage.lanes && !apart)
      allLanes(inside.front(), points);
    else
      points(inside);
  });
  for (auto [op, sum] : zip(stage.reductions, sums))
    for (auto [block, frame] : enumerate(kept)) {
      Value *value = apart ? ofLanes(sum, block) : stage.lanes ? total(sum) : sum.total();
      finish(op, value, frame);
    }
}

void RowStages::emitPoints(const RowStage &stage, unsigned block, Frames frames,
                           MutableArrayRef<Accumulator> sums) {
  for (const RowFrame &frame : frames)
    addUp(stage, block++, frame, sums);
  // All values before the first store: a result may be stored in place of an operand.
  for (const RowFrame &frame : frames)
    for (unsigned result : stage.stores)
      evaluator.value(program.yielded[result], frame);
  for (unsigned result : stage.stores) {
    Value *stores = isFirst(result, frames.front());
    if (!stage.lanes)
      stores = builder.CreateAnd(stores, storesOnce());
    when(builder, stores, [&] { evaluator.store(result, frames); });
  }
}

void RowStages::addUp(const RowStage &stage, unsigned block, const RowFrame &frame,
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
        reduction.term(evaluator.value(op->getOperand(0), frame), lanes.vector, frame.tail);
    Value *sum = evaluator.cells.partial(op->getResult(0), frame);
    evaluator.cells.store(op->getResult(0), reduction.combine(sum, term), frame);
  }
}

/// Whether this row is the one that stores a result without some outer dimensions.
Value *RowStages::isFirst(unsigned result, const RowFrame &frame) {
  Value *first = builder.getTrue();
  for (DimAttr dim : program.outerWithout(program.yielded[result])) {
    Value *here = builder.CreateICmpEQ(frame.find(dim)->base, builder.getInt64(0));
    first = builder.CreateAnd(first, here);
  }
  return first;
}

void RowStages::finish(mlir::Operation *op, Value *value, const RowFrame &frame) {
  mlir::Value result = op->getResult(0);
  if (!evaluator.cells.has(result))
    return evaluator.define(op, frame, value);
  Value *stores = program.hasLanes(result) ? builder.getTrue() : storesOnce();
  when(builder, stores, [&] { evaluator.cells.store(result, value, frame); });
}

void RowStages::clear(mlir::Operation *op, Frames frames) {
  DimList dims = program.inside(op->getResult(0));
  erase_if(dims, [&](DimAttr dim) { return is_contained(program.lanes, dim); });
  loops.over(dims, frames, [&](Frames inside) {
    allLanes(inside.front(), [&](Frames here) {
      for (const RowFrame &frame : here)
        evaluator.cells.store(op->getResult(0),
                              Reduction(builder, op, context.numbers, true).identity(lanes.vector),
                              frame);
    });
  });
}

} // namespace weft::rows
