// Elementwise ops, gathers and reductions as rows, whose lanes are threads.
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

/// Tasks are groups of as many rows as a block has teams, times blocks of lanes where these are
/// outer. All i64.
struct RowPartition {
  Value *rows, *laneCount, *laneBlock, *laneBlocks, *tasks, *blocks;

  RowPartition(Frame frame, const RowProgram &program, cuda::RowsAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    Value *one = builder.getInt64(1);
    rows = frame.extent(program.outer);
    laneCount = program.lanesOuter ? frame.extent(program.lanes) : one;
    laneBlock = builder.getInt64(schedule.getTeam() * schedule.getUnroll());
    laneBlocks =
        program.lanesOuter ? maximum(builder, ceilDiv(builder, laneCount, laneBlock), one) : one;
    Value *teams = builder.getInt64(schedule.getThreads() / schedule.getTeam());
    tasks = builder.CreateNSWMul(ceilDiv(builder, rows, teams), laneBlocks);
    blocks = minimum(builder, tasks, builder.getInt64(schedule.getBlocks()));
  }
};

class RowKernel : RowStages {
public:
  RowKernel(const RowProgram &program, cuda::RowsAttr schedule, Numbers numbers, KernelShell &shell)
      : RowStages(program, shell.frame(), numbers, {1, unsigned(schedule.getUnroll())}),
        team(builder, schedule.getThreads(), schedule.getTeam()),
        part(shell.frame(), program, schedule) {
    placeCells(shell, schedule);
  }

  void emit() {
    scopes.loop(team.block(), part.tasks, team.blocks(), [&](Value *task) {
      Value *group = builder.CreateUDiv(task, part.laneBlocks);
      Value *lane0 =
          builder.CreateNSWMul(builder.CreateURem(task, part.laneBlocks), part.laneBlock);
      Value *lane1 = minimum(builder, builder.CreateNSWAdd(lane0, part.laneBlock), part.laneCount);
      Value *row = builder.CreateNSWAdd(builder.CreateNSWMul(group, builder.getInt64(team.teams())),
                                        team.number());
      // One row a team, or none: a condition as a loop, for that is a scope.
      Value *end = minimum(builder, builder.CreateNSWAdd(row, builder.getInt64(1)), part.rows);
      scopes.loop(row, end, builder.getInt64(1),
                  [&](Value *at) { emitRow(loops.row(program.outer, at), lane0, lane1); });
    });
  }

  /// What one team keeps.
  static SmallVector<RowCell> cells(const RowProgram &program, const Emission &emission,
                                    cuda::RowsAttr schedule, Numbers numbers) {
    return cellsOf(program, emission, schedule.getTeam() * schedule.getUnroll(), numbers);
  }

private:
  void placeCells(KernelShell &shell, cuda::RowsAttr schedule) {
    for (int64_t block = 0; block < lanes.blocks; ++block)
      slots.push_back(
          builder.CreateNSWAdd(team.lane(), builder.getInt64(block * int64_t(team.size()))));
    SmallVector<RowCell> all = cells(program, context.emission, schedule, context.numbers);
    keeps = !all.empty();
    if (!keeps)
      return;
    Value *place = builder.CreateNSWAdd(
        builder.CreateNSWMul(team.block(), builder.getInt64(team.teams())), team.number());
    Value *bytes = builder.CreateNSWMul(place, bytesOf(all, shell.frame()));
    evaluator.cells.place(all, builder.CreateGEP(builder.getInt8Ty(), shell.scratch(), bytes),
                          shell.frame());
  }

  // Lane i is always the thread's whose number is i modulo the team's size: what it keeps of a
  // lane, it reads itself.
  void alongLanes(const RowFrame &frame, Value *low, Value *high, OnLanes body) override {
    int64_t wide = team.size(), blocks = lanes.blocks;
    auto at = [&](Value *index, int64_t block) {
      return onLanes(frame, builder.CreateNSWAdd(index, builder.getInt64(block * wide)),
                     slots[block]);
    };
    Value *step = builder.getInt64(wide * blocks), *count = builder.CreateNSWSub(high, low);
    count = builder.CreateNSWSub(count, builder.CreateURem(count, step));
    Value *middle = builder.CreateNSWAdd(low, count);
    auto from = [&](Value *start) { return builder.CreateNSWAdd(start, team.lane()); };
    scopes.loop(from(low), middle, step, [&](Value *index) {
      SmallVector<RowFrame> frames;
      for (int64_t block = 0; block < blocks; ++block)
        frames.push_back(at(index, block));
      body(frames);
    });
    scopes.loop(from(middle), high, builder.getInt64(wide),
                [&](Value *index) { body(at(index, 0)); });
  }

  Value *total(Accumulator &sum) override {
    auto pack = [](Accumulator::Sum each) {
      return each.position ? Team::Several{each.value, each.position} : Team::Several{each.value};
    };
    auto open = [](const Team::Several &each) {
      return Accumulator::Sum{each[0], each.size() > 1 ? each[1] : nullptr};
    };
    return sum.result(open(team.fold(pack(sum.together()), [&](Team::Several a, Team::Several b) {
      return pack(sum.combine(open(a), open(b)));
    })));
  }

  Value *storesOnce() override { return team.isFirst(); }

  void settleCells() override {
    if (keeps)
      team.barrier();
  }

  Team team;
  RowPartition part;
  SmallVector<Value *> slots; ///< of cells where lanes are outer; known in all loops
  bool keeps = false;
};

} // namespace

mlir::FailureOr<DeviceKernel> emitRows(kernel::FusedOp op, cuda::RowsAttr schedule, StringRef name,
                                       Emissions emissions, Numbers numbers) {
  mlir::FailureOr<ExpandedRows> expanded = expandRows(op, emissions.device.dims);
  if (failed(expanded))
    return mlir::failure();
  const RowProgram &program = expanded->program;
  KernelShell shell(op, name, emissions, {.threads = unsigned(schedule.getThreads())});
  RowKernel(program, schedule, numbers, shell).emit();
  auto blocks = [&](Frame frame) { return RowPartition(frame, program, schedule).blocks; };
  auto scratch = [&](Frame frame) {
    Value *teams = frame.builder.CreateNSWMul(
        blocks(frame), frame.builder.getInt64(schedule.getThreads() / schedule.getTeam()));
    Value *bytes = bytesOf(RowKernel::cells(program, frame.emission, schedule, numbers), frame);
    return frame.builder.CreateNSWMul(teams, bytes);
  };
  return shell.finish(blocks, scratch);
}

} // namespace weft::gpu
