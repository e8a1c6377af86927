// Elementwise ops, gathers and reductions as rows, whose lanes are threads.
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

/// Tasks are groups of as many rows as a block has teams, times blocks of lanes where these are
/// outer. All i64.
struct RowPartition {
  Value *rows, *laneCount, *laneBlock, *laneBlocks, *tasks, *blocks;

  RowPartition(Frame frame, const RowProgram &program, cuda::RowsAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    Value *one = builder.getInt64(1);
    rows = frame.extent(program.outer);
    laneCount = program.lanesOuter ? frame.extent(program.lanes) : one;
    laneBlock = builder.getInt64(schedule.lanesAtOnce());
    laneBlocks =
        program.lanesOuter ? maximum(builder, ceilDiv(builder, laneCount, laneBlock), one) : one;
    Value *teams = builder.getInt64(schedule.getThreads() / schedule.getTeam());
    tasks = builder.CreateNSWMul(ceilDiv(builder, rows, teams), laneBlocks);
    blocks = minimum(builder, tasks, builder.getInt64(schedule.getBlocks()));
  }
};

class RowKernel : RowStages {
public:
  RowKernel(const RowProgram &program, cuda::RowsAttr schedule, Numbers numbers, KernelShell &shell,
            ArrayRef<unsigned> alignments)
      : RowStages(program, shell.frame(), numbers, countsOf(schedule)),
        team(builder, schedule.getThreads(), schedule.getTeam()),
        part(shell.frame(), program, schedule), vector(schedule.getVector()) {
    placeCells(shell, schedule);
    const DimTable &dims = context.emission.dims;
    bool holds = cuda::holdsRows(program, dims, schedule.lanesAtOnce());
    cuda::RowPieces pieces = holds ? cuda::piecesFromStart(program, dims, alignments, vector)
                                   : cuda::piecesOf(program, dims, alignments, vector);
    for (auto [number, beside] : enumerate(pieces.beside))
      evaluator.comesTogether(number, beside, pieces.shiftedBy.has_value());
    shiftedBy = pieces.shiftedBy;
    if (holds)
      held = heldLanes(schedule, *dims.known(kernel::sizeOf(program.lanes)));
  }

  void emit() {
    scopes.loop(team.block(), part.tasks, team.blocks(), [&](Value *task) {
      bool oneRow = program.outer.empty();
      Value *group = oneRow ? builder.getInt64(0) : builder.CreateUDiv(task, part.laneBlocks);
      Value *block = oneRow ? task : builder.CreateURem(task, part.laneBlocks);
      Value *lane0 = builder.CreateNSWMul(block, part.laneBlock);
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
    return cellsOf(program, emission, schedule.lanesAtOnce(), numbers);
  }

private:
  // All lanes of a step are computed before the first is stored, so that a thread waits for
  // memory once.
  static LaneCounts countsOf(cuda::RowsAttr schedule) {
    constexpr unsigned mostSums = 4;
    auto count = unsigned(schedule.getVector() * schedule.getUnroll());
    return {1, count, count, std::min(count, mostSums)};
  }

  void placeCells(KernelShell &shell, cuda::RowsAttr schedule) {
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

  /// Of all lanes of a row, the places of a thread's, known throughout the kernel.
  SmallVector<RowFrame> heldLanes(cuda::RowsAttr schedule, int64_t count) {
    ThreadLanes lanes(builder, program.lanes.back(), 0);
    SmallVector<RowFrame> frames;
    int64_t wide = team.size() * vector;
    for (int64_t block = 0; block < schedule.getUnroll(); ++block) {
      Value *index =
          lanes.at(builder.CreateNSWMul(team.lane(), builder.getInt64(vector)), block * wide);
      bool all = (block + 1) * wide <= count;
      auto isThere = [&](int64_t number) -> Value * {
        Value *own = builder.CreateNSWAdd(index, builder.getInt64(number));
        return builder.CreateICmpSLT(own, builder.getInt64(count));
      };
      bool alike = all || count % vector == 0;
      Value *there = all ? nullptr : isThere(0);
      const Place *first = nullptr;
      for (int64_t number = 0; number < vector; ++number) {
        const Place *place =
            lanes.beside(evaluator, index, first, alike ? vector : 1, unsigned(number));
        if (!first)
          first = place;
        RowFrame frame = onLanes(RowFrame(), place, nullptr);
        frame.tail = alike || number == 0 ? there : isThere(number);
        frames.push_back(frame);
      }
    }
    return frames;
  }

  /// So many vectors of a thread, a team's apart, the first at `index`; or of single lanes.
  SmallVector<RowFrame> lanesAt(const RowFrame &frame, Value *index, int64_t count, int64_t each) {
    ThreadLanes lanes(builder, program.lanes.back(), scopes.innermost());
    int64_t wide = team.size() * each;
    SmallVector<RowFrame> frames;
    for (int64_t block = 0; block < count; ++block) {
      Value *from = lanes.at(index, block * wide);
      const Place *first = nullptr;
      for (int64_t number = 0; number < each; ++number) {
        const Place *place = lanes.beside(evaluator, from, first, each, unsigned(number));
        if (!first)
          first = place;
        frames.push_back(onLanes(frame, place, slot(block * wide + number)));
      }
    }
    return frames;
  }

  /// Of cells where lanes are outer; known in all loops. A thread has the same ones whether it goes
  /// through vectors or through single lanes: others have theirs at the same time.
  Value *slot(int64_t number) {
    if (!program.lanesOuter || !keeps)
      return builder.getInt64(0);
    Value *&known = slots[number];
    if (!known)
      scopes.at(0, [&] {
        Value *own = builder.CreateNSWMul(team.lane(), builder.getInt64(vector));
        return known = builder.CreateNSWAdd(own, builder.getInt64(number));
      });
    return known;
  }

  // A lane is always the same thread's: what it keeps of a lane, it reads itself. Vectors first,
  // some at a time, then one at a time, then what is left lane by lane, and before them what comes
  // before the first vector.
  void alongLanes(const RowFrame &frame, Value *low, Value *high, OnLanes body) override {
    if (!held.empty()) {
      SmallVector<RowFrame> all;
      for (const RowFrame &lane : held) {
        RowFrame here = frame;
        for (DimAttr dim : program.lanes)
          here = here.with(dim, lane.find(dim));
        here.tail = lane.tail;
        all.push_back(here);
      }
      return body(all);
    }
    Value *at = low;
    if (program.lanesOuter) {
      Value *isWhole = builder.CreateICmpEQ(builder.CreateNSWSub(high, low), part.laneBlock);
      ifSo(isWhole, [&] {
        Value *own = builder.CreateNSWMul(team.lane(), builder.getInt64(vector));
        body(lanesAt(frame, builder.CreateNSWAdd(low, own), lanes.blocks / vector, vector));
      });
      at = builder.CreateSelect(isWhole, high, low);
    }
    if (shiftedBy) {
      at = minimum(builder, firstVector(frame), high);
      run(frame, low, at, 1, 1, body);
    }
    SmallVector<int64_t, 2> counts;
    if (int64_t unroll = lanes.blocks / vector; unroll > 1 && !program.lanesOuter)
      counts.push_back(unroll);
    if (vector > 1)
      counts.push_back(1);
    for (int64_t count : counts) {
      Value *step = builder.getInt64(team.size() * vector * count);
      Value *whole = builder.CreateNSWSub(high, at);
      whole = builder.CreateNSWSub(whole, builder.CreateURem(whole, step));
      Value *end = builder.CreateNSWAdd(at, whole);
      run(frame, at, end, count, vector, body);
      at = end;
    }
    run(frame, at, high, 1, 1, body);
  }

  void run(const RowFrame &frame, Value *low, Value *high, int64_t count, int64_t each,
           OnLanes body) {
    Value *own = builder.CreateNSWMul(team.lane(), builder.getInt64(each));
    scopes.loop(builder.CreateNSWAdd(low, own), high, builder.getInt64(team.size() * each * count),
                [&](Value *index) { body(lanesAt(frame, index, count, each)); });
  }

  /// The first lane at which the row of a buffer is at a multiple of a vector's elements.
  Value *firstVector(const RowFrame &frame) {
    Value *before = evaluator.before(*shiftedBy, frame);
    return builder.CreateAnd(builder.CreateNeg(before), builder.getInt64(vector - 1));
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
  int64_t vector;
  std::optional<unsigned> shiftedBy;
  SmallVector<RowFrame>
      held; ///< places of lanes alone, where a thread has all of its own at a time
  std::map<int64_t, Value *> slots;
  bool keeps = false;
};

/// As many as a schedule deals rows out to, but of the threads so few that each may have 80
/// registers.
unsigned residentOf(int64_t blocks, int64_t threads, const cuda::Device &device) {
  constexpr int64_t most = 768;
  return unsigned(std::max<int64_t>(std::min(blocks / device.multiprocessors, most / threads), 1));
}

} // namespace

mlir::FailureOr<DeviceKernel> emitRows(kernel::FusedOp op, cuda::RowsAttr schedule, StringRef name,
                                       Emissions emissions, Numbers numbers,
                                       ArrayRef<unsigned> alignments) {
  mlir::FailureOr<ExpandedRows> expanded = cuda::expandedFor(op, emissions.device.dims);
  if (failed(expanded))
    return mlir::failure();
  const RowProgram &program = expanded->program;
  KernelShell shell(op, name, emissions,
                    {.threads = unsigned(schedule.getThreads()),
                     .resident = residentOf(schedule.getBlocks(), schedule.getThreads(),
                                            emissions.device.device)});
  RowKernel(program, schedule, numbers, shell, alignments).emit();
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
