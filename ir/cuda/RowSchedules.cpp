// How rows, columns and scatters are cut on a GPU.
#include "ir/cuda/Schedules.h"

#include "ir/cuda/rows/RowPieces.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/Walk.h"

#include "llvm/ADT/bit.h"

using namespace mlir;
using weft::kernel::RowProgram;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

/// Lanes that a thread has side by side.
static LogicalResult checkVector(EmitError emitError, int64_t vector) {
  constexpr int64_t most = 16; // bytes of 16 that are read at once
  if (vector < 1 || vector > most || !llvm::isPowerOf2_64(vector))
    return emitError() << "`vector` is " << vector << ": a power of two of at most " << most;
  return success();
}

LogicalResult RowsAttr::verify(EmitError emitError, int64_t threads, int64_t team, int64_t vector,
                               int64_t unroll, int64_t blocks) {
  if (failed(checkThreads(emitError, threads)) || failed(checkVector(emitError, vector)) ||
      failed(positive(emitError, {{"team", team}, {"unroll", unroll}, {"blocks", blocks}})))
    return failure();
  constexpr int64_t most = 64; // each of which the code has a copy for
  if (vector * unroll > most)
    return emitError() << "a thread has " << vector * unroll << " lanes at a time, and " << most
                       << " are the most";
  if (team != threads && (team > warpThreads || !llvm::isPowerOf2_64(team)))
    return emitError() << "`team` is " << team
                       << ": all threads of a block, or a power of two of at most " << warpThreads;
  return success();
}

LogicalResult ColumnsAttr::verify(EmitError emitError, int64_t threads, int64_t lanes,
                                  int64_t vector, int64_t blocks) {
  if (failed(checkThreads(emitError, threads)) || failed(checkVector(emitError, vector)) ||
      failed(positive(emitError, {{"lanes", lanes}, {"blocks", blocks}})))
    return failure();
  if (lanes > warpThreads * vector || lanes < vector || !llvm::isPowerOf2_64(lanes))
    return emitError() << "`lanes` is " << lanes << ": a power of two of at most " << warpThreads
                       << " times `vector`, and at least that";
  return success();
}

LogicalResult ScatterAttr::verify(EmitError emitError, int64_t threads, int64_t positions,
                                  int64_t vector, int64_t blocks) {
  return failure(failed(checkThreads(emitError, threads)) ||
                 failed(checkVector(emitError, vector)) ||
                 failed(positive(emitError, {{"positions", positions}, {"blocks", blocks}})));
}

//===-- What a program asks for
//---------------------------------------------------------------------------------------===//

/// Whether threads of a row need each other: they add up, or read what others keep.
static bool cooperates(const RowProgram &program) {
  return llvm::any_of(program.stages, [&](const kernel::RowStage &stage) {
    return !stage.lanes || (!program.lanesOuter && !stage.reductions.empty()) ||
           !stage.spread.empty();
  });
}

/// Whether all that the program does is sums that are lanes, each for itself, and what is made of
/// them: threads may share what is summed.
static bool sumsColumns(const RowProgram &program) {
  bool sums = false;
  for (const kernel::RowStage &stage : program.stages) {
    sums |= !stage.reductions.empty();
    if (!stage.lanes || stage.lanesKept || !stage.spread.empty() || !stage.kept.empty() ||
        (!stage.reductions.empty() && (!stage.stores.empty() || stage.over.empty())))
      return false;
  }
  return program.lanesOuter && sums && program.cached.empty();
}

static int64_t sumsOf(const RowProgram &program) {
  int64_t sums = 0;
  for (const kernel::RowStage &stage : program.stages)
    sums += int64_t(stage.reductions.size());
  return sums;
}

/// Of a block, for what its threads add up to.
static int64_t sharedByColumns(const RowProgram &program, ColumnsAttr schedule) {
  constexpr int64_t widest = 16; // a sum in f64, or a value and its position
  return sumsOf(program) * schedule.getThreads() / warpThreads * schedule.getLanes() * widest;
}

/// Operands of which each lane has its own element.
static int64_t readsOf(const RowProgram &program) {
  return std::max<int64_t>(llvm::count_if(program.op->getOperands(),
                                          [&](Value operand) { return program.hasLanes(operand); }),
                           1);
}

/// Of the operands of which each lane has its own element, in a row of so many.
static int64_t rowBytes(const RowProgram &program, int64_t lanes) {
  kernel::FusedOp op = program.op;
  int64_t bytes = 0;
  for (auto [operand, layout] : llvm::zip(op.getBody().getArguments(), op.getLayoutsAttr()))
    if (program.hasLanes(operand))
      bytes += model::bytesOf(kernel::storageOf(model::typeOf(operand), layout), lanes);
  return bytes;
}

/// Blocks of `threads` that a multiprocessor holds, each thread with so many lanes at a time.
static int64_t resident(const RowProgram &program, int64_t threads, int64_t lanes) {
  kernel::FusedOp op = program.op;
  constexpr int64_t all = 65536, most = usualThreads * blocksEach;
  int64_t each = rowRegisters + 2 * int64_t(op.getLayoutsAttr().size()) + lanes * readsOf(program);
  return std::clamp<int64_t>(all / threads / each, 1, most / threads);
}

/// The fewest lanes side by side with which as much as possible is read at once, of buffers that
/// lie as most of programs do.
static int64_t vectorOf(const RowProgram &program, const kernel::DimTable &dims, bool fromStart) {
  SmallVector<unsigned> alignments = usualAlignments(program.op);
  int64_t best = 1;
  unsigned most = 0;
  for (int64_t vector : {1, 2, 4, 8}) {
    unsigned all =
        (fromStart ? piecesFromStart : piecesOf)(program, dims, alignments, vector).all();
    if (all > most) {
      best = vector;
      most = all;
    }
  }
  return best;
}

//===-- Choices
//---------------------------------------------------------------------------------------===//

/// Where there are too few columns for a thread each.
static ScheduleAttr columnsFor(const RowProgram &program, KernelCase kernel, const Device &device) {
  auto known = [&](ArrayRef<model::DimAttr> dims) {
    return kernel.dims.known(kernel::sizeOf(dims));
  };
  std::optional<int64_t> columns = known(program.lanes), rows = known(program.outer);
  constexpr int64_t many = 64;
  bool isLong = llvm::any_of(program.stages, [&](const kernel::RowStage &stage) {
    return known(stage.over).value_or(many) >= many;
  });
  if (!sumsColumns(program) || !isLong || !columns || !rows ||
      *columns * *rows > device.multiprocessors * usualThreads)
    return {};
  // A warp reads whole sectors of 32 bytes, and no more than is needed for all to have work.
  bool narrow = llvm::any_of(kernel.op.getLayoutsAttr(),
                             [](Attribute layout) { return bool(kernel::storageIn(layout)); });
  int64_t lanes = warpThreads, least = narrow ? 16 : 8;
  while (lanes > least &&
         int64_t(llvm::divideCeil(*columns, lanes)) * *rows < device.multiprocessors)
    lanes /= 2;
  // A thread has few sums: each has two registers.
  constexpr int64_t mostEach = 8;
  int64_t vector = vectorOf(program, kernel.dims, /*fromStart=*/true);
  while (vector > 1 && (*columns % vector != 0 || vector * sumsOf(program) > mostEach))
    vector /= 2;
  // Of several sums a thread has more registers than there are for a block of 1024.
  int64_t threads = sumsOf(program) * vector > 1 ? mostThreads / 2 : mostThreads;
  auto schedule = ColumnsAttr::get(kernel.op.getContext(), threads, lanes, vector,
                                   device.multiprocessors * blocksEach);
  return sharedByColumns(program, schedule) > mostShared ? ScheduleAttr() : schedule;
}

/// Rows of a known length that a thread has all of its lanes of at a time: as many as a warp can
/// have, which needs no barrier to add up, else a block.
static ScheduleAttr heldRowsFor(const RowProgram &program, KernelCase kernel,
                                const Device &device) {
  std::optional<int64_t> lanes = kernel.dims.known(kernel::sizeOf(program.lanes));
  if (!lanes || program.lanesOuter || sumsOf(program) == 0)
    return {};
  constexpr int64_t mostEach = 32, mostHeld = 112; // registers
  int64_t widest = vectorOf(program, kernel.dims, /*fromStart=*/true);
  // A block of no more threads than have whole vectors: so more rows are under way on a
  // multiprocessor, each at another point between reading, adding up and writing.
  int64_t few =
      llvm::alignTo(llvm::divideCeil(uint64_t(*lanes), uint64_t(widest)), uint64_t(warpThreads));
  for (int64_t team : {warpThreads, std::min(few, usualThreads)}) {
    int64_t vector = widest, threads = team > warpThreads ? team : usualThreads;
    while (vector > 1 && team * vector / 2 >= *lanes)
      vector /= 2;
    int64_t unroll = int64_t(llvm::divideCeil(*lanes, team * vector)), each = vector * unroll;
    if (each > mostEach || each * readsOf(program) > mostHeld ||
        !holdsRows(program, kernel.dims, team * each))
      continue;
    return RowsAttr::get(kernel.op.getContext(), threads, team, vector, unroll,
                         device.multiprocessors * resident(program, threads, each));
  }
  return {};
}

FailureOr<ScheduleAttr> rowsFor(KernelCase kernel, const Device &device) {
  FailureOr<kernel::ExpandedRows> expanded = expandedFor(kernel.op, kernel.dims);
  if (failed(expanded))
    return failure();
  const RowProgram &program = expanded->program;
  MLIRContext *context = kernel.op.getContext();
  if (ScheduleAttr columns = columnsFor(program, kernel, device))
    return columns;
  if (ScheduleAttr held = heldRowsFor(program, kernel, device))
    return held;
  // Where nobody knows how many lanes there are, they are many.
  constexpr int64_t unknown = usualThreads * 4, veryMany = 1 << 14;
  int64_t count =
      std::max<int64_t>(kernel.dims.known(kernel::sizeOf(program.lanes)).value_or(unknown), 1);
  if (program.lanes.empty())
    return ScheduleAttr(RowsAttr::get(context, warpThreads, warpThreads, 1, 1,
                                      device.multiprocessors * blocksEach));
  int64_t vector = vectorOf(program, kernel.dims, /*fromStart=*/false);
  int64_t threads = usualThreads, team = usualThreads, most = blocksEach;
  if (!program.lanesOuter && count >= veryMany) {
    // A row is read again from the second cache: so few rows at a time that they fit there.
    constexpr int64_t secondCache = 40 << 20; // of an A100; an H100's has 50 MB
    most = 2 * device.multiprocessors * rowBytes(program, count) <= secondCache ? 2 : 1;
    threads = team = mostThreads / most;
  } else if (count < unknown) // a warp needs no barrier to add up
    team = std::min<int64_t>(warpThreads,
                             llvm::bit_ceil(llvm::divideCeil(uint64_t(count), uint64_t(vector))));
  if (program.lanesOuter && count >= usualThreads)
    team = usualThreads;
  if (cooperates(program))
    team = std::max(team, warpThreads);
  bool isKnown = kernel.dims.known(kernel::sizeOf(program.lanes)).has_value();
  while (isKnown && vector > 1 && team * vector / 2 >= count)
    vector /= 2;
  // To cover the time that memory takes a thread has several lanes in flight.
  int64_t inFlight = (program.heavy ? 16 : 32) / readsOf(program);
  int64_t vectors = std::max<int64_t>(std::min<int64_t>(inFlight / vector, 4), 1);
  int64_t unroll =
      std::clamp<int64_t>(count / (team * vector), 1, int64_t(llvm::bit_floor(uint64_t(vectors))));
  int64_t each = std::min(resident(program, threads, vector * unroll), most);
  return ScheduleAttr(
      RowsAttr::get(context, threads, team, vector, unroll, device.multiprocessors * each));
}

FailureOr<ScheduleAttr> scatterFor(KernelCase kernel, const Device &device) {
  FailureOr<kernel::ScatterForm> form = kernel::readScatter(kernel.op);
  if (failed(form))
    return failure();
  RowProgram program = alongScatter(*form, kernel.dims);
  return ScheduleAttr(ScatterAttr::get(kernel.op.getContext(), usualThreads, 1,
                                       vectorOf(program, kernel.dims, /*fromStart=*/true),
                                       device.multiprocessors * blocksEach));
}

//===-- What is legal
//---------------------------------------------------------------------------------------===//

static LogicalResult checkColumns(KernelCase kernel, ColumnsAttr schedule) {
  FailureOr<kernel::ExpandedRows> expanded = expandedFor(kernel.op, kernel.dims);
  if (failed(expanded))
    return failure();
  const RowProgram &program = expanded->program;
  if (kernel::isScan(kernel.op) || !sumsColumns(program))
    return kernel.op.emitOpError("does more than sums of which each lane has its own: its schedule "
                                 "is one of `cuda.rows`");
  if (int64_t shared = sharedByColumns(program, schedule); shared > mostShared)
    return kernel.op.emitOpError("shares ")
           << shared << " bytes in a block, and " << mostShared << " are the most";
  int64_t vector = schedule.getVector();
  std::optional<int64_t> columns = kernel.dims.known(kernel::sizeOf(program.lanes));
  if (vector > 1 && (!columns || *columns % vector != 0))
    return kernel.op.emitOpError("has columns that are not known to be a multiple of `vector`, ")
           << vector;
  return success();
}

LogicalResult checkRows(KernelCase kernel, ScheduleAttr schedule) {
  if (auto columns = dyn_cast<ColumnsAttr>(schedule))
    return checkColumns(kernel, columns);
  auto rows = dyn_cast<RowsAttr>(schedule);
  if (!rows)
    return success();
  bool isScan = kernel::isScan(kernel.op);
  if (isScan && rows.getVector() > 1)
    return kernel.op.emitOpError("goes from one element to the next, and `vector` is ")
           << rows.getVector() << ": it is 1";
  if (rows.getTeam() >= warpThreads)
    return success();
  bool together = isScan;
  if (!together) {
    FailureOr<kernel::ExpandedRows> expanded = expandedFor(kernel.op, kernel.dims);
    if (failed(expanded))
      return failure();
    together = cooperates(expanded->program);
  }
  if (together)
    return kernel.op.emitOpError("has threads that need each other in teams of ")
           << rows.getTeam() << ": `team` is at least " << warpThreads;
  return success();
}

} // namespace weft::cuda
