// Gradients of gathers on a device: rows are added where an index says. A block owns a range of the
// positions that are scattered to and adds the rows whose index is in it, in their order: no atomic
// additions, and sums do not depend on the ranges. What they are added to, zeros or another value,
// is there first.
#include "codegen/emit/Loops.h"
#include "codegen/gpu/base/KernelShell.h"
#include "codegen/gpu/base/Team.h"
#include "codegen/gpu/instructions/Assembly.h"
#include "codegen/gpu/rows/Rows.h"
#include "codegen/gpu/rows/ThreadLanes.h"
#include "codegen/rows/ScatterLoops.h"
#include "ir/cuda/rows/RowPieces.h"

using namespace llvm;

namespace weft::gpu {

using namespace weft::rows;

namespace {

/// How many positions of the scattered dimension a block owns, and how many blocks that makes.
struct ScatterPartition {
  Value *extent, *perBlock, *blocks;

  ScatterPartition(Frame frame, const ScatterLoops &form, cuda::ScatterAttr schedule) {
    IRBuilderBase &builder = frame.builder;
    extent = frame.emission.extent(builder, form.dim, frame.sizes);
    perBlock = maximum(builder, ceilDiv(builder, extent, builder.getInt64(schedule.getBlocks())),
                       builder.getInt64(schedule.getPositions()));
    blocks = ceilDiv(builder, extent, perBlock);
  }
};

class ScatterKernel : OrderedKernel {
public:
  ScatterKernel(const ScatterLoops &form, cuda::ScatterAttr schedule, Frame frame,
                const cuda::RowPieces &pieces)
      : OrderedKernel(form.program, DimAttr(), frame, Numbers{false, narrowed}), form(form),
        part(frame, form, schedule), vector(schedule.getVector()),
        team(builder, schedule.getThreads(), schedule.getThreads()),
        indices(team.cells(builder.getInt32Ty(), team.size())),
        numbers(team.cells(builder.getInt32Ty(), team.size())) {
    for (auto [number, beside] : enumerate(pieces.beside))
      evaluator.comesTogether(number, beside, /*inOwnRow=*/false);
    buffers.back().beside = pieces.beside.back();
  }

  void emit() {
    // One range a block: a condition as a loop, for that is a scope.
    Value *end = builder.CreateNSWAdd(team.block(), builder.getInt64(1));
    scopes.loop(team.block(), end, builder.getInt64(1), [&](Value *block) {
      Value *low = builder.CreateNSWMul(block, part.perBlock);
      Value *high = minimum(builder, builder.CreateNSWAdd(low, part.perBlock), part.extent);
      fill(low, high);
      add(low, high);
    });
  }

private:
  using Body = function_ref<void(ArrayRef<RowFrame>)>;

  /// Each lane is always the same thread's, which sees what it has stored: vectors of them, then
  /// what is left. Without lanes one thread does it all.
  void alongLanes(const RowFrame &frame, Body body) {
    Value *end = form.lanes ? evaluator.extent(form.lanes) : builder.getInt64(1);
    Value *whole = builder.getInt64(0);
    if (form.lanes && vector > 1) {
      whole = builder.CreateAnd(end, builder.getInt64(-vector));
      scopes.loop(builder.CreateNSWMul(team.lane(), builder.getInt64(vector)), whole,
                  builder.getInt64(team.size() * vector), [&](Value *index) {
                    ThreadLanes lanes(builder, form.lanes, scopes.innermost());
                    SmallVector<RowFrame> frames;
                    const Place *first = nullptr;
                    for (int64_t number = 0; number < vector; ++number) {
                      const Place *place =
                          lanes.beside(evaluator, index, first, vector, unsigned(number));
                      if (!first)
                        first = place;
                      frames.push_back(frame.with(form.lanes, place));
                    }
                    body(frames);
                  });
    }
    scopes.loop(builder.CreateNSWAdd(whole, team.lane()), end, builder.getInt64(team.size()),
                [&](Value *index) {
                  body(form.lanes ? frame.with(form.lanes, loops.at(index, form.lanes)) : frame);
                });
  }

  void fill(Value *low, Value *high) {
    low = skipped(form, *this, low, high);
    DimList outer = form.kept;
    erase_if(outer, [&](DimAttr dim) { return dim == form.lanes; });
    scopes.loop(low, high, builder.getInt64(1), [&](Value *position) {
      loops.overOne(outer, RowFrame().with(form.dim, loops.at(position, form.dim)),
                    [&](const RowFrame &row) {
                      alongLanes(row, [&](ArrayRef<RowFrame> here) {
                        Values all;
                        for (const RowFrame &each : here)
                          all.push_back(startOf(form, *this, each));
                        evaluator.memory.storeAll(target(), all, here);
                      });
                    });
    });
  }

  Value *slot(Value *list, Value *number) {
    return builder.CreateInBoundsGEP(builder.getInt32Ty(), list, number);
  }

  /// The index that this thread looks at; -1 where there is none, which no range has.
  Value *indexAt(Value *mine, Value *count) {
    Value *found = stackSlot(builder, builder.getInt32Ty(), 1, 4);
    builder.CreateStore(builder.getInt32(-1), found);
    Value *one = builder.getInt64(1);
    scopes.loop(
        mine, minimum(builder, builder.CreateNSWAdd(mine, one), count), one, [&](Value *number) {
          builder.CreateStore(evaluator.value(form.at, loops.row(form.index, number)), found);
        });
    return builder.CreateLoad(builder.getInt32Ty(), found);
  }

  // As many indices as threads are looked at at a time, one by each; those in the range are listed
  // in their order, and their rows added by all. The next list is written behind a barrier of its
  // own rank, which no thread passes before all have read this one.
  void add(Value *low, Value *high) {
    Value *count = evaluator.extent(ArrayRef(form.index)), *zero = builder.getInt64(0),
          *one = builder.getInt64(1), *chunk = builder.getInt64(team.size());
    scopes.loop(zero, count, chunk, [&](Value *start) {
      Value *mine = builder.CreateNSWAdd(start, team.lane()), *index = indexAt(mine, count);
      Value *wide = builder.CreateSExt(index, builder.getInt64Ty());
      Value *inRange =
          builder.CreateAnd(builder.CreateICmpSGE(wide, low), builder.CreateICmpSLT(wide, high));
      // Most of them are in the range of other blocks.
      Value *some = builder.CreateZExt(team.any(inRange), builder.getInt64Ty());
      scopes.loop(zero, some, one, [&](Value *) { addListed(start, index, inRange); });
    });
  }

  void addListed(Value *start, Value *index, Value *inRange) {
    Team::Rank rank = team.rank(inRange);
    when(builder, inRange, [&] {
      builder.CreateStore(index, slot(indices, rank.before));
      builder.CreateStore(builder.CreateTrunc(team.lane(), builder.getInt32Ty()),
                          slot(numbers, rank.before));
    });
    team.barrier();
    Value *all = builder.CreateZExt(rank.all, builder.getInt64Ty());
    scopes.loop(builder.getInt64(0), all, builder.getInt64(1), [&](Value *listed) {
      auto read = [&](Value *list) {
        return builder.CreateZExt(builder.CreateLoad(builder.getInt32Ty(), slot(list, listed)),
                                  builder.getInt64Ty());
      };
      RowFrame row = loops.row(form.index, builder.CreateNSWAdd(start, read(numbers)));
      addRow(row, loops.at(read(indices), form.dim));
    });
  }

  void addRow(const RowFrame &row, const Place *position) {
    loops.overOne(form.further, row, [&](const RowFrame &inner) {
      alongLanes(inner, [&](ArrayRef<RowFrame> lanes) {
        SmallVector<RowFrame> there;
        Values sums;
        for (const RowFrame &here : lanes) {
          there.push_back(here.with(form.dim, position));
          Value *term = evaluator.value(form.input, here);
          Value *sum = evaluator.memory.load(target(), there.back());
          sums.push_back(target().element.loaded()->isFloatTy() ? builder.CreateFAdd(sum, term)
                                                                : builder.CreateAdd(sum, term));
        }
        evaluator.memory.storeAll(target(), sums, there);
      });
    });
  }

  const ScatterLoops &form;
  ScatterPartition part;
  int64_t vector;
  Team team;
  Value *indices, *numbers; ///< of what is in the range, and which it was of those looked at; i32
};

} // namespace

mlir::FailureOr<DeviceKernel> emitScatter(kernel::FusedOp op, cuda::ScatterAttr schedule,
                                          StringRef name, Emissions emissions,
                                          ArrayRef<unsigned> alignments) {
  mlir::FailureOr<ScatterForm> read = readScatter(op);
  if (failed(read))
    return mlir::failure();
  const DimTable &dims = emissions.device.dims;
  cuda::RowPieces pieces = cuda::piecesFromStart(cuda::alongScatter(*read, dims), dims, alignments,
                                                 schedule.getVector());
  ScatterLoops form(std::move(*read), emissions.device);
  KernelShell shell(op, name, emissions, {.threads = unsigned(schedule.getThreads())});
  ScatterKernel(form, schedule, shell.frame(), pieces).emit();
  return shell.finish([&](Frame frame) { return ScatterPartition(frame, form, schedule).blocks; },
                      [](Frame frame) { return frame.builder.getInt64(0); });
}

} // namespace weft::gpu
