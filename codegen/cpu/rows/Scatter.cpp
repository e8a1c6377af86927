// Gradients of gathers: rows are added where an index says. Every task owns a range of the
// positions that are scattered to, reads all indices and adds the rows whose index is in its range,
// in their order; so no two tasks write the same element, and sums do not depend on the ranges.
// What they are added to, zeros or another value, is there first.
#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/rows/Rows.h"
#include "codegen/rows/ScatterLoops.h"

#include "codegen/emit/Loops.h"

using namespace llvm;

namespace weft::cpu {

using namespace weft::rows;

namespace {

/// How many positions of the scattered dimension a task owns, and how many tasks that makes.
struct ScatterPartition {
  Value *extent, *perTask, *tasks;

  ScatterPartition(Frame frame, const ScatterLoops &form, ScatterAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    extent = frame.emission.extent(builder, form.dim, frame.sizes);
    Value *one = builder.getInt64(1), *row = maximum(builder, frame.extent(form.kept), one);
    perTask = maximum(builder, ceilDiv(builder, extent, builder.getInt64(schedule.getTasks())),
                      ceilDiv(builder, builder.getInt64(schedule.getElements()), row));
    tasks = ceilDiv(builder, extent, perTask);
  }
};

/// Writes the body of the kernel's function.
class ScatterKernel : OrderedKernel {
public:
  ScatterKernel(const ScatterLoops &form, ScatterAttr schedule, Frame frame)
      : OrderedKernel(form.program, form.lanes, frame), form(form), part(frame, form, schedule) {}

  void emit(Value *begin, Value *end) {
    scopes.loop(begin, end, builder.getInt64(1), [&](Value *task) {
      Value *low = builder.CreateNSWMul(task, part.perTask);
      Value *high = minimum(builder, builder.CreateNSWAdd(low, part.perTask), part.extent);
      fill(low, high);
      add(low, high);
    });
  }

private:
  void fill(Value *low, Value *high) {
    low = skipped(form, *this, low, high);
    DimList outer = form.kept;
    erase_if(outer, [&](DimAttr dim) { return dim == form.lanes; });
    scopes.loop(low, high, builder.getInt64(1), [&](Value *position) {
      loops.overOne(outer, RowFrame().with(form.dim, loops.at(position, form.dim)),
                    [&](const RowFrame &row) {
                      loops.alongLanes(form.lanes, context.lanes, row, [&](const RowFrame &here) {
                        evaluator.memory.store(target(), startOf(form, *this, here), here);
                      });
                    });
    });
  }

  void add(Value *low, Value *high) {
    Value *zero = builder.getInt64(0), *one = builder.getInt64(1);
    loops.overOne(form.index, RowFrame(), [&](const RowFrame &frame) {
      Value *index = builder.CreateSExt(evaluator.value(form.at, frame), builder.getInt64Ty());
      Value *inRange =
          builder.CreateAnd(builder.CreateICmpSGE(index, low), builder.CreateICmpSLT(index, high));
      // A condition as a loop, for that is a scope.
      scopes.loop(zero, builder.CreateZExt(inRange, builder.getInt64Ty()), one, [&](Value *) {
        const Place *place = loops.at(index, form.dim);
        loops.overOne(form.further, frame, [&](const RowFrame &row) {
          loops.alongLanes(form.lanes, context.lanes, row,
                           [&](const RowFrame &here) { addTo(here.with(form.dim, place), here); });
        });
      });
    });
  }

  void addTo(const RowFrame &there, const RowFrame &here) {
    Value *term = evaluator.value(form.input, here);
    Value *sum = evaluator.memory.load(target(), there);
    if (sum->getType()->isVectorTy())
      term = ElementwiseEmitter::splat(builder, term, context.lanes);
    sum = target().element.loaded()->isFloatTy() ? builder.CreateFAdd(sum, term)
                                                 : builder.CreateAdd(sum, term);
    evaluator.memory.store(target(), sum, there);
  }

  const ScatterLoops &form;
  ScatterPartition part;
};

} // namespace

mlir::FailureOr<KernelFunctions> emitScatter(kernel::FusedOp op, ScatterAttr schedule,
                                             StringRef name, Emission &emission) {
  mlir::FailureOr<ScatterForm> read = readScatter(op);
  if (failed(read))
    return mlir::failure();
  ScatterLoops form(std::move(*read), emission);
  KernelShell shell(name, emission);
  ScatterKernel(form, schedule, shell.frame()).emit(shell.begin(), shell.end());
  return shell.finish([&](Frame frame) { return ScatterPartition(frame, form, schedule).tasks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::cpu
