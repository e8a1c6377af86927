// Kernels of one cumsum or top on a device. Sums run along a dimension in one thread, side by side
// with others; of the largest, a warp looks for one after the other.
#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"
#include "codegen/gpu/rows/Rows.h"
#include "codegen/rows/Scans.h"
#include "ir/kernel/OrderedForm.h"

using namespace llvm;

namespace weft::gpu {

using namespace weft::rows;

namespace {

/// Rows are dealt out to threads, or to teams of them.
struct ScanPartition {
  Value *rows, *blocks;

  ScanPartition(Frame frame, const ScanForm &form, cuda::RowsAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    rows = frame.extent(form.outer);
    bool sums = isa<model::CumSumOp>(form.op);
    int64_t each = schedule.getThreads() / (sums ? 1 : schedule.getTeam());
    blocks = minimum(builder, ceilDiv(builder, rows, builder.getInt64(each)),
                     builder.getInt64(schedule.getBlocks()));
  }
};

class ScanKernel : OrderedKernel {
public:
  ScanKernel(const ScanForm &form, cuda::RowsAttr schedule, Frame frame)
      : OrderedKernel(form.program, DimAttr(), frame), form(form), part(frame, form, schedule),
        schedule(schedule) {}

  void emit() {
    auto top = dyn_cast<model::TopOp>(form.op);
    Team team(builder, schedule.getThreads(), top ? schedule.getTeam() : 1);
    Value *teams = builder.getInt64(team.teams());
    Value *first = builder.CreateNSWAdd(builder.CreateNSWMul(team.block(), teams), team.number());
    Value *step = builder.CreateNSWMul(team.blocks(), teams);
    scopes.loop(first, part.rows, step, [&](Value *row) {
      RowFrame frame = loops.row(form.outer, row);
      if (top)
        largest(top, frame, team);
      else
        runningSum(*this, cast<model::CumSumOp>(form.op), frame);
    });
  }

private:
  // Each pass finds the largest rank below the last one; ranks differ.
  void largest(model::TopOp op, const RowFrame &frame, Team &team) {
    Type *word = builder.getInt64Ty();
    Value *last = stackSlot(builder, word, 1, cacheLine),
          *best = stackSlot(builder, word, 1, cacheLine);
    builder.CreateStore(builder.getInt64(INT64_MAX), last);
    Value *zero = builder.getInt64(0), *one = builder.getInt64(1);
    scopes.loop(zero, evaluator.extent(op.getKAttr()), one, [&](Value *number) {
      const Place *place = loops.at(number, op.getKAttr());
      builder.CreateStore(builder.getInt64(INT64_MIN), best);
      Value *below = builder.CreateLoad(word, last);
      scopes.loop(team.lane(), evaluator.extent(form.dim), builder.getInt64(team.size()),
                  [&](Value *index) {
                    RowFrame here = frame.with(form.dim, loops.at(index, form.dim));
                    Value *value = evaluator.value(op.getInput(), here);
                    keepLarger(builder, rankOf(builder, value, index), below, best);
                  });
      Value *found = team.fold({builder.CreateLoad(word, best)}, [&](auto a, auto b) {
        return Team::Several{maximum(builder, a[0], b[0])};
      })[0];
      builder.CreateStore(found, last);
      when(builder, team.isFirst(), [&] {
        evaluator.memory.store(target(), positionOf(builder, found),
                               frame.with(op.getKAttr(), place));
      });
    });
  }

  const ScanForm &form;
  ScanPartition part;
  cuda::RowsAttr schedule;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitScan(kernel::FusedOp op, cuda::RowsAttr schedule, StringRef name,
                                       Emissions emissions) {
  mlir::FailureOr<ScanForm> form = readScan(op);
  if (failed(form))
    return mlir::failure();
  KernelShell shell(op, name, emissions, {.threads = unsigned(schedule.getThreads())});
  ScanKernel(*form, schedule, shell.frame()).emit();
  return shell.finish([&](Frame frame) { return ScanPartition(frame, *form, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
