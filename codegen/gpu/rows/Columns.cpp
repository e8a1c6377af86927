// Sums of which each lane has its own: a block has some lanes, and its threads share what is
// summed.
#include "codegen/gpu/rows/Rows.h"

#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"
#include "codegen/gpu/rows/ThreadLanes.h"
#include "codegen/rows/RowStages.h"
#include "ir/cuda/rows/RowPieces.h"

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
               KernelShell &shell, ArrayRef<unsigned> alignments)
      : RowStages(program, shell.frame(), numbers, countsOf(schedule)),
        team(builder, unsigned(schedule.getThreads()), unsigned(schedule.team())),
        part(shell.frame(), program, schedule) {
    cuda::RowPieces pieces =
        cuda::piecesFromStart(program, context.emission.dims, alignments, schedule.getVector());
    for (auto [number, beside] : enumerate(pieces.beside))
      evaluator.comesTogether(number, beside, /*inOwnRow=*/false);
  }

  void emit() {
    scopes.loop(team.block(), part.tasks, team.blocks(), [&](Value *task) {
      Value *row = builder.CreateUDiv(task, part.laneBlocks);
      Value *lane0 = builder.CreateNSWMul(builder.CreateURem(task, part.laneBlocks),
                                          builder.getInt64(lanesOfBlock()));
      emitRow(loops.row(program.outer, row), lane0, part.laneCount);
    });
  }

private:
  static LaneCounts countsOf(cuda::ColumnsAttr schedule) {
    auto vector = unsigned(schedule.getVector());
    return {1, vector, vector};
  }

  int64_t lanesOfBlock() const { return int64_t(team.size()) * lanes.blocks; }

  // All threads come to where they add up: those behind the last lanes look at these again, and
  // store nothing. There are whole vectors of lanes.
  void alongLanes(const RowFrame &frame, Value *low, Value *high, OnLanes body) override {
    int64_t vector = lanes.blocks;
    Value *own =
        builder.CreateNSWAdd(low, builder.CreateNSWMul(team.lane(), builder.getInt64(vector)));
    Value *last = builder.CreateNSWSub(high, builder.getInt64(vector));
    isThere = builder.CreateICmpSLT(own, high);
    Value *from = minimum(builder, own, last);
    ThreadLanes along(builder, program.lanes.back(), scopes.innermost());
    SmallVector<RowFrame> frames;
    const Place *first = nullptr;
    for (int64_t number = 0; number < vector; ++number) {
      const Place *place = along.beside(evaluator, from, first, vector, unsigned(number));
      if (!first)
        first = place;
      frames.push_back(onLanes(frame, place, builder.getInt64(0)));
    }
    body(frames);
  }

  // Several terms at a time, so that what is read of all of them is under way together; they are
  // still added one after the other.
  void overTerms(ArrayRef<DimAttr> dims, Frames frames, OnLanes body) override {
    loops.overShare(dims, frames, team.number(), builder.getInt64(team.teams()), body,
                    cuda::termsAtOnce(program, lanes.blocks));
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
                                          StringRef name, Emissions emissions, Numbers numbers,
                                          ArrayRef<unsigned> alignments) {
  mlir::FailureOr<ExpandedRows> expanded = cuda::expandedFor(op, emissions.device.dims);
  if (failed(expanded))
    return mlir::failure();
  const RowProgram &program = expanded->program;
  KernelShell shell(op, name, emissions, {.threads = unsigned(schedule.getThreads())});
  ColumnKernel(program, schedule, numbers, shell, alignments).emit();
  return shell.finish([&](Frame frame) { return ColumnPartition(frame, program, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
