// Kernels of one cumsum (a running sum) or top (the positions of the k largest): the positions
// along a dimension one after the other.
#include "codegen/cpu/rows/RowScan.h"

#include "codegen/cpu/base/KernelShell.h"
#include "codegen/emit/Loops.h"
#include "codegen/rows/Scans.h"
#include "ir/kernel/OrderedForm.h"

using namespace llvm;

namespace weft::cpu {

using namespace weft::rows;

namespace {

/// `outer` is without the lanes.
struct ScanLoops : ScanForm {
  DimAttr lanes; // that many scans side by side, or none

  ScanLoops(ScanForm form, const Emission &emission) : ScanForm(std::move(form)) {
    if (isa<model::CumSumOp>(op))
      lanes = besideEachOther(program.op, outer, emission);
    erase(outer, lanes);
  }
};

struct ScanPartition {
  Value *rows, *perTask, *tasks;

  ScanPartition(Frame frame, const ScanLoops &form, RowsAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    DimList inner{form.dim};
    if (form.lanes)
      inner.push_back(form.lanes);
    rows = frame.extent(form.outer);
    Value *row = maximum(builder, frame.extent(inner), builder.getInt64(1));
    perTask = ceilDiv(builder, builder.getInt64(schedule.getElements()), row);
    tasks = ceilDiv(builder, rows, perTask);
  }
};

class ScanKernel : OrderedKernel {
public:
  ScanKernel(const ScanLoops &form, RowsAttr schedule, Frame frame)
      : OrderedKernel(form.program, form.lanes, frame), form(form), part(frame, form, schedule) {}

  void emit(Value *begin, Value *end) {
    Value *one = builder.getInt64(1);
    scopes.loop(begin, end, one, [&](Value *task) {
      Value *first = builder.CreateNSWMul(task, part.perTask);
      Value *last = minimum(builder, builder.CreateNSWAdd(first, part.perTask), part.rows);
      scopes.loop(first, last, one, [&](Value *row) {
        RowFrame frame = loops.row(form.outer, row);
        if (auto sum = dyn_cast<model::CumSumOp>(form.op))
          loops.alongLanes(form.lanes, context.lanes, frame,
                           [&](const RowFrame &here) { runningSum(*this, sum, here); });
        else
          largest(cast<model::TopOp>(form.op), frame);
      });
    });
  }

private:
  // Each pass finds the largest rank below the last one; ranks differ.
  void largest(model::TopOp op, const RowFrame &frame) {
    Type *word = builder.getInt64Ty();
    Value *last = stackSlot(builder, word, 1, cacheLine),
          *best = stackSlot(builder, word, 1, cacheLine);
    builder.CreateStore(builder.getInt64(INT64_MAX), last);
    Value *zero = builder.getInt64(0), *one = builder.getInt64(1);
    scopes.loop(zero, evaluator.extent(op.getKAttr()), one, [&](Value *number) {
      const Place *place = loops.at(number, op.getKAttr());
      builder.CreateStore(builder.getInt64(INT64_MIN), best);
      Value *below = builder.CreateLoad(word, last);
      scopes.loop(zero, evaluator.extent(form.dim), one, [&](Value *index) {
        RowFrame here = frame.with(form.dim, loops.at(index, form.dim));
        Value *value = evaluator.value(op.getInput(), here);
        keepLarger(builder, rankOf(builder, value, index), below, best);
      });
      Value *found = builder.CreateLoad(word, best);
      builder.CreateStore(found, last);
      evaluator.memory.store(target(), positionOf(builder, found),
                             frame.with(op.getKAttr(), place));
    });
  }

  const ScanLoops &form;
  ScanPartition part;
};

} // namespace

mlir::FailureOr<KernelFunctions> emitScan(kernel::FusedOp op, RowsAttr schedule, StringRef name,
                                          Emission &emission) {
  mlir::FailureOr<ScanForm> read = readScan(op);
  if (failed(read))
    return mlir::failure();
  ScanLoops form(std::move(*read), emission);
  KernelShell shell(name, emission);
  ScanKernel(form, schedule, shell.frame()).emit(shell.begin(), shell.end());
  return shell.finish([&](Frame frame) { return ScanPartition(frame, form, schedule).tasks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::cpu
