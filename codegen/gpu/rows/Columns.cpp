// Sums of which each lane has its own: a block has some lanes, and its threads share what is
// summed.
#include "codegen/gpu/rows/Rows.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"
#include "codegen/rows/RowStages.h"
#include "ir/kernel/RowExpand.h"

using namespace llvm;

namespace weft::gpu {

using namespace weft::rows;

namespace {

/// Tasks are some lanes of one row. All i64.
struct ColumnPartition {
  Value *laneCount, *laneBlocks, *tasks, *blocks;

  ColumnPartition(Frame frame, const RowProgram &program, cuda::ColumnsAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    laneCount = frame.extent(program.lanes);
    laneBlocks = ceilDiv(builder, laneCount, builder.getInt64(schedule.getLanes()));
    tasks = builder.CreateNSWMul(frame.extent(program.outer), laneBlocks);
    blocks = minimum(builder, tasks, builder.getInt64(schedule.getBlocks()));
  }
};

class ColumnKernel : RowStages {
public:
  ColumnKernel(const RowProgram &program, cuda::ColumnsAttr schedule, Numbers numbers,
               KernelShell &shell)
      : RowStages(program, shell.frame(), numbers, {1, 1}),
        team(builder, unsigned(schedule.getThreads()), unsigned(schedule.getLanes())),
        part(shell.frame(), program, schedule) {}

  void emit() {
    scopes.loop(team.block(), part.tasks, team.blocks(), [&](Value *task) {
      Value *row = builder.CreateUDiv(task, part.laneBlocks);
      Value *lane0 = builder.CreateNSWMul(builder.CreateURem(task, part.laneBlocks),
                                          builder.getInt64(team.size()));
      emitRow(loops.row(program.outer, row), lane0, part.laneCount);
    });
  }

private:
  // All threads come to where they add up: those behind the last lane look at it again, and store
  // nothing.
  void alongLanes(const RowFrame &frame, Value *low, Value *high, OnLanes body) override {
    Value *own = builder.CreateNSWAdd(low, team.lane());
    Value *last = builder.CreateNSWSub(high, builder.getInt64(1));
    isThere = builder.CreateICmpSLT(own, high);
    body(onLanes(frame, minimum(builder, own, last), team.lane()));
  }

  void overTerms(ArrayRef<DimAttr> dims, Frames frames, OnLanes body) override {
    loops.overShare(dims, frames, team.number(), builder.getInt64(team.teams()), body);
  }

  Value *ofLanes(Accumulator &sum, unsigned block) override {
    auto pack = [](Accumulator::Sum each) {
      return each.position ? Team::Several{each.value, each.position} : Team::Several{each.value};
    };
    auto open = [](const Team::Several &each) {
      return Accumulator::Sum{each[0], each.size() > 1 ? each[1] : nullptr};
    };
    return sum.result(
        open(team.foldAlike(pack(sum.ofBlock(block)), [&](Team::Several a, Team::Several b) {
          return pack(sum.combine(open(a), open(b)));
        })));
  }

  Value *storesLanes() override {
    return builder.CreateAnd(isThere, builder.CreateICmpEQ(team.number(), builder.getInt64(0)));
  }

  Team team;
  ColumnPartition part;
  Value *isThere = nullptr; ///< i1: whether there is such a lane
};

} // namespace

mlir::FailureOr<DeviceKernel> emitColumns(kernel::FusedOp op, cuda::ColumnsAttr schedule,
                                          StringRef name, Emissions emissions, Numbers numbers) {
  mlir::FailureOr<ExpandedRows> expanded = expandRows(op, emissions.device.dims);
  if (failed(expanded))
    return mlir::failure();
  const RowProgram &program = expanded->program;
  KernelShell shell(op, name, emissions, {.threads = unsigned(schedule.getThreads())});
  ColumnKernel(program, schedule, numbers, shell).emit();
  return shell.finish([&](Frame frame) { return ColumnPartition(frame, program, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
