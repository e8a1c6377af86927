// Kernels of one cumsum (a running sum) or top (the positions of the k largest): the positions
// along a dimension one after the other.
#include "codegen/cpu/rows/RowScan.h"

#include "codegen/cpu/base/KernelShell.h"
#include "codegen/cpu/rows/RowNest.h"
#include "codegen/emit/Loops.h"
#include "ir/kernel/OrderedForm.h"

using namespace llvm;

namespace weft::cpu {

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
                           [&](const RowFrame &here) { runningSum(sum, here); });
        else
          largest(cast<model::TopOp>(form.op), frame);
      });
    });
  }

private:
  /// A stack slot, for a value that is carried from one pass of a loop to the next.
  Value *slot(Type *type, Value *initial) {
    Value *place = stackSlot(builder, type, 1, cacheLine);
    builder.CreateStore(initial, place);
    return place;
  }

  // Floats are summed in f64: the sum is long.
  void runningSum(model::CumSumOp op, const RowFrame &frame) {
    Type *stored = target().element.loaded();
    bool isFloat = stored->isFloatTy();
    Type *type = isFloat ? builder.getDoubleTy() : stored;
    if (form.lanes) {
      type = FixedVectorType::get(type, context.lanes);
      stored = FixedVectorType::get(stored, context.lanes);
    }
    Value *sum = slot(type, Constant::getNullValue(type)), *count = evaluator.extent(form.dim);
    Value *zero = builder.getInt64(0), *one = builder.getInt64(1);
    scopes.loop(zero, count, one, [&](Value *index) {
      if (op.getReverse())
        index = builder.CreateNSWSub(builder.CreateNSWSub(count, one), index);
      RowFrame here = frame.with(form.dim, loops.at(index, form.dim));
      Value *value = evaluator.value(op.getInput(), here);
      if (form.lanes)
        value = ElementwiseEmitter::splat(builder, value, context.lanes);
      Value *before = builder.CreateLoad(type, sum);
      Value *now = isFloat ? builder.CreateFAdd(before, builder.CreateFPCast(value, type))
                           : builder.CreateAdd(before, value);
      builder.CreateStore(now, sum);
      evaluator.memory.store(target(), isFloat ? builder.CreateFPCast(now, stored) : now, here);
    });
  }

  /// A number that is the larger the earlier `value` at `position` comes among the largest: in the
  /// high half the order of the value (NaN above all, -0 like 0), in the low half INT32_MAX -
  /// position, so that of equal values the first is the larger.
  Value *rank(Value *value, Value *position) {
    if (value->getType()->isFloatTy()) {
      Type *whole = builder.getInt32Ty();
      Value *number = builder.CreateFAdd(value, ConstantFP::get(value->getType(), 0));
      Value *bits = builder.CreateBitCast(number, whole);
      Value *low = builder.CreateAnd(builder.CreateAShr(bits, 31), builder.getInt32(0x7fffffff));
      value = builder.CreateSelect(builder.CreateFCmpUNO(number, number),
                                   builder.getInt32(0x7fffffff), builder.CreateXor(bits, low));
    }
    Value *order = builder.CreateShl(builder.CreateSExt(value, builder.getInt64Ty()), 32);
    return builder.CreateOr(order, builder.CreateSub(builder.getInt64(INT32_MAX), position));
  }

  // Each pass finds the largest rank below the last one; ranks differ.
  void largest(model::TopOp op, const RowFrame &frame) {
    Type *word = builder.getInt64Ty();
    Value *last = slot(word, builder.getInt64(INT64_MAX)), *best = slot(word, builder.getInt64(0));
    Value *zero = builder.getInt64(0), *one = builder.getInt64(1);
    scopes.loop(zero, evaluator.extent(op.getKAttr()), one, [&](Value *number) {
      const Place *place = loops.at(number, op.getKAttr());
      builder.CreateStore(builder.getInt64(INT64_MIN), best);
      Value *below = builder.CreateLoad(word, last);
      scopes.loop(zero, evaluator.extent(form.dim), one, [&](Value *index) {
        Value *value =
            evaluator.value(op.getInput(), frame.with(form.dim, loops.at(index, form.dim)));
        Value *here = rank(value, index), *most = builder.CreateLoad(word, best);
        Value *better = builder.CreateAnd(builder.CreateICmpSLT(here, below),
                                          builder.CreateICmpSGT(here, most));
        builder.CreateStore(builder.CreateSelect(better, here, most), best);
      });
      Value *found = builder.CreateLoad(word, best);
      builder.CreateStore(found, last);
      Value *position = builder.CreateSub(builder.getInt32(INT32_MAX),
                                          builder.CreateTrunc(found, builder.getInt32Ty()));
      evaluator.memory.store(target(), position, frame.with(op.getKAttr(), place));
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
