// What parts of the keys left of a query becomes its result, in the order of the keys.
#include "codegen/gpu/attention/split/JoinParts.h"

#include "codegen/emit/Loops.h"
#include "codegen/emit/math/VectorMath.h"
#include "codegen/gpu/attention/SoftmaxResult.h"
#include "codegen/gpu/attention/split/SplitGrid.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"

using namespace llvm;

namespace weft::gpu {

namespace {

class JoinParts {
public:
  JoinParts(Frame frame, Value *scratch, kernel::FusedOp op, const AttentionForm &form,
            cuda::SplitAttentionAttr schedule)
      : b(frame.builder), form(form), schedule(schedule), scratch(scratch),
        grid(frame, form, schedule), team(b, threads(), threads()),
        buffers{frame, op, form, nullptr},
        values(b.getInt64(frame.emission.known(sizeOf(form.values)).value_or(0))) {}

  static unsigned threads() { return unsigned(cuda::SplitAttentionAttr::joinThreads); }

  void emit() {
    buffers.batch = b.CreateUDiv(team.block(), grid.rows);
    row = b.CreateURem(team.block(), grid.rows);
    Value *highest = through(number(-INFINITY), [&](Value *part, Value *most) {
      return math::maximum(b, most, left(part, highestAt()));
    });
    Value *hidden = b.CreateFCmpOEQ(highest, number(-INFINITY));
    Value *shift = b.CreateSelect(hidden, number(0), highest);
    auto sum = [&](Value *column) {
      return through(number(0), [&](Value *part, Value *before) -> Value * {
        Value *factor = math::exp(b, b.CreateFSub(left(part, highestAt()), shift));
        factor->setName("share");
        return b.CreateFAdd(before, b.CreateFMul(left(part, column), factor));
      });
    };
    SoftmaxResult result(b, highest, sum(totalAt()));
    loop(b, team.lane(), values, b.getInt64(threads()), [&](Value *column) {
      Value *value = result.of(b, sum(column));
      for (unsigned output : form.output)
        store(value, output, column);
    });
    when(b, team.isFirst(), [&] {
      for (unsigned lse : form.lse)
        store(result.logsumexp(b), lse, b.getInt64(0));
    });
  }

private:
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *highestAt() { return values; }
  Value *totalAt() { return b.CreateNSWAdd(values, b.getInt64(1)); }

  Value *through(Value *first, function_ref<Value *(Value *part, Value *before)> each) {
    return carryingLoop(
        b, b.getInt64(0), grid.parts, b.getInt64(1), {first},
        [&](Value *part, ArrayRef<Value *> carried) { return Values{each(part, carried[0])}; })[0];
  }

  /// What a part left there.
  Value *left(Value *part, Value *column) {
    Value *rows = b.getInt64(schedule.getRows());
    Value *queries =
        b.CreateNSWAdd(b.CreateNSWMul(buffers.batch, grid.rowBlocks), b.CreateUDiv(row, rows));
    Value *block = b.CreateNSWAdd(b.CreateNSWMul(queries, grid.parts), part);
    Value *at = grid.place(b, scratch, block, b.CreateURem(row, rows), schedule);
    return b.CreateLoad(b.getFloatTy(), b.CreateInBoundsGEP(b.getFloatTy(), at, column));
  }

  void store(Value *value, unsigned buffer, Value *column) {
    buffers.store(value, buffer, {form.rows, row}, {form.values, column});
  }

  IRBuilderBase &b;
  const AttentionForm &form;
  cuda::SplitAttentionAttr schedule;
  Value *scratch;
  SplitGrid grid;
  Team team;
  AttentionBuffers buffers;
  Value *values, *row = nullptr;
};

} // namespace

DeviceKernel emitJoinParts(kernel::FusedOp op, const AttentionForm &form,
                           cuda::SplitAttentionAttr schedule, StringRef name, Emissions emissions) {
  KernelShell shell(op, name, emissions, {.threads = JoinParts::threads()});
  JoinParts(shell.frame(), shell.scratch(), op, form, schedule).emit();
  return shell.finish(
      [&](Frame frame) {
        IRBuilderBase &b = frame.builder;
        Value *isWhole = b.CreateICmpEQ(SplitGrid(frame, form, schedule).parts, b.getInt64(1));
        Value *queries = b.CreateNSWMul(frame.extent(form.batch), frame.extent(form.rows));
        return b.CreateSelect(isWhole, b.getInt64(0), queries);
      },
      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
