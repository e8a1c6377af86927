// What rows take, and what is computed as such: threads along the lanes of a row.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Estimate.h"
#include "ir/cuda/rows/RowPieces.h"
#include "ir/kernel/InPlace.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/model/Traits.h"

#include "llvm/ADT/DenseSet.h"

#include <cmath>

using namespace mlir;

namespace weft::cuda {

namespace {

/// How a schedule deals rows out.
struct RowsShape {
  int64_t threads, team, vector, unroll, blocks;
  int64_t together = 1; ///< teams that share what is summed
  bool held = false;    ///< a thread has all of its lanes of a row at a time
  RowPieces pieces = {};

  int64_t each() const { return vector * unroll; } ///< lanes of a thread at a time
};

/// A power of a known number is a few products, and exp the device has itself.
double ofHeavy(Operation *op) {
  constexpr double products = 3, hyperbolic = 22;
  if (auto power = dyn_cast<model::PowOp>(op))
    return power.getRhs().getDefiningOp<model::ConstantOp>() ? products : function;
  if (isa<model::TanhOp>(op))
    return hyperbolic;
  return isa<model::ExpOp>(op) ? exponential : function;
}

/// The larger of two is found by comparisons, for a NaN is the largest.
double ofTerm(Operation *reduction) {
  constexpr double larger = 4, position = 8;
  return isa<model::SumOp>(reduction) ? 1 : isa<model::ArgMaxOp>(reduction) ? position : larger;
}

/// Follows what each stage computes from its roots to what is kept or read.
class RowsEstimate {
public:
  RowsEstimate(EstimateCase kernel, const kernel::RowProgram &program, RowsShape schedule)
      : kernel(kernel), program(program), schedule(schedule),
        rows(std::max(kernel.count(program.outer), 1.0)) {}

  Estimate all() {
    lanes = kernel.count(program.lanes);
    if (program.lanesOuter)
      laneBlocks = std::max(std::ceil(lanes / double(schedule.team * schedule.each())), 1.0);
    teams = double(schedule.threads / schedule.team / schedule.together);
    double tasks = std::ceil(rows / teams) * laneBlocks;
    result.blocks = int64_t(std::min(tasks, double(schedule.blocks)));
    result.tiles = int64_t(tasks);
    result.threads = schedule.threads;
    for (const kernel::RowStage &stage : program.stages)
      add(stage);
    // Where a row begins, each thread finds its place.
    constexpr double perTask = 40;
    result.instructions += tasks * double(schedule.threads) * perTask;
    // Each buffer's address, and what is read of each lane that is in flight.
    result.registers = rowRegisters + 2 * buffers() + schedule.each() * mostRead;
    // Threads that share sums have each in f64, and where its words of the warps lie.
    if (schedule.together > 1)
      result.registers += 4 * sums * schedule.vector;
    result.registers = std::min(result.registers, mostRegisters);
    return result;
  }

private:
  int64_t buffers() { return kernel.op.getNumOperands() + kernel.op.getNumResults(); }

  /// The loops of a stage in their order; the lanes are one.
  void enter(const kernel::RowStage &stage) {
    loops.assign(stage.kept.begin(), stage.kept.end());
    bool inside = stage.lanes && !program.lanesOuter;
    if (inside && stage.lanesKept)
      llvm::append_range(loops, program.lanes);
    llvm::append_range(loops, stage.over);
    if (inside && !stage.lanesKept)
      llvm::append_range(loops, program.lanes);
    pass = stage.pass;
  }

  /// How often a value is computed in the stage, by all threads: in the innermost loop that it
  /// hangs on, and by all threads of a team where it has no lanes.
  double times(Value value) {
    ArrayRef<model::DimAttr> has = model::dimsOf(value), within = loops;
    while (!within.empty() && !llvm::is_contained(has, within.back()))
      within = within.drop_back();
    bool runsLanes =
        program.hasLanes(value) || llvm::any_of(program.lanes, [&](model::DimAttr dim) {
          return llvm::is_contained(within, dim);
        });
    // What a thread has of its lanes alone it has for all rows.
    bool ofLanes = llvm::all_of(
        has, [&](model::DimAttr dim) { return llvm::is_contained(program.lanes, dim); });
    if (schedule.held && program.hasLanes(value) && ofLanes)
      return double(result.blocks) * teams * double(schedule.team * schedule.each());
    double each = program.lanesOuter ? (runsLanes ? lanes : laneBlocks * double(schedule.team))
                                     : (runsLanes ? 1 : double(schedule.team));
    // Threads of a row in registers run through lanes that there are not, too.
    if (schedule.held && program.hasLanes(value))
      each *= std::max(1.0, double(schedule.team * schedule.each()) / lanes);
    return rows * kernel.count(within) * each;
  }

  /// A shuffle, and both in one; f64 goes in two halves.
  static double exchangeOf(bool wide) { return wide ? 10 : 3; }

  /// What threads that share a sum add up to: a word for each lane and warp.
  void addShares(Operation *reduction) {
    double all = rows * laneBlocks * double(schedule.threads * schedule.vector);
    int64_t warps = schedule.threads / warpThreads;
    bool wide = isa<model::SumOp>(reduction) && model::typeOf(reduction->getOperand(0)).isFloat();
    double steps = std::log2(double(warpThreads / schedule.team)) * exchangeOf(wide);
    constexpr double each = 7; // a word of a warp: its place, reading, adding it, the loop
    result.instructions += all * (steps + each * double(warps));
    auto place = [&](int64_t bytes) {
      constexpr int64_t aligned = 16;
      for (int64_t each = 0; each < schedule.vector; ++each)
        result.sharedBytes = int64_t(llvm::alignTo(uint64_t(result.sharedBytes), aligned)) +
                             warps * schedule.team * bytes;
      result.sharedBytesMoved += all * double(warps * bytes);
    };
    place(wide ? 8 : 4);
    if (isa<model::ArgMaxOp>(reduction))
      place(4);
  }

  /// A word of each warp, for what a block adds up (codegen/gpu/base/Team).
  void addFold(const kernel::RowStage &stage, Operation *reduction) {
    double all = rows * kernel.count(stage.kept) * double(schedule.team);
    double steps = std::log2(double(std::min<int64_t>(schedule.team, warpThreads)));
    bool adds = isa<model::SumOp>(reduction) && model::typeOf(reduction->getOperand(0)).isFloat();
    bool isLong = !stage.over.empty() || (program.outer.empty() && stage.kept.empty());
    bool wide = adds && isLong;
    double exchange = exchangeOf(wide);
    result.instructions += all * steps * exchange;
    result.floats += adds ? all * steps : 0;
    if (schedule.team <= warpThreads)
      return;
    int64_t warps = schedule.team / warpThreads;
    // Each warp adds up what the warps have, in a butterfly; else each thread, one after the other.
    bool even = llvm::isPowerOf2_64(warps);
    double further = even ? std::log2(double(warps)) : double(warps);
    result.floats += adds ? all * further : 0;
    auto place = [&](int64_t bytes) {
      constexpr int64_t aligned = 16;
      result.sharedBytes =
          int64_t(llvm::alignTo(uint64_t(result.sharedBytes), aligned)) + warps * bytes;
      result.sharedBytesMoved += all * double((even ? 1 : warps) * bytes);
    };
    place(wide ? 8 : 4);
    if (isa<model::ArgMaxOp>(reduction))
      place(4);
    constexpr double around = 4; // a lane's place, reading, what the first lane has
    result.instructions += all * (even ? further * exchange + around : 2 * further);
  }

  /// Instructions of an element of a buffer, that lanes read or write: a piece has one place.
  double accessing(unsigned number, bool ofLanes, bool stores) {
    double piece = ofLanes ? double(schedule.pieces.beside[number]) : 1;
    double each = (addressing + 1) / piece;
    constexpr int64_t narrow = 2;
    if (kernel.elementBytes(number) != narrow)
      return each;
    return each + (stores ? piece > 1 ? 0.5 : 2 : 1); // both halves of a word are rounded at once
  }

  void add(const kernel::RowStage &stage) {
    if (!schedule.held) {
      seen.clear();
      reads = 0;
    }
    enter(stage);
    sums += int64_t(stage.reductions.size());
    for (Operation *reduction : llvm::concat<Operation *const>(stage.reductions, stage.spread)) {
      double terms = times(reduction->getOperand(0));
      result.instructions += terms * ofTerm(reduction);
      result.floats += terms;
      if (!program.lanesOuter && stage.lanes && !stage.lanesKept)
        addFold(stage, reduction);
      if (schedule.together > 1)
        addShares(reduction);
      for (Value operand : reduction->getOperands())
        visit(operand);
    }
    double most = 1;
    for (unsigned number : stage.stores) {
      Value stored = program.yielded[number];
      double count = times(stored);
      unsigned buffer = kernel.op.getNumOperands() + number;
      result.instructions += count * accessing(buffer, program.hasLanes(stored), true);
      result.globalBytesMoved += count * double(kernel.elementBytes(buffer));
      most = std::max(most, count);
      visit(stored);
    }
    for (Operation *reduction : stage.reductions)
      most = std::max(most, times(reduction->getOperand(0)));
    if (!schedule.held)
      result.instructions += most * looping / double(schedule.each());
    mostRead = std::max(mostRead, reads);
  }

  void visit(Value value) {
    if (!seen.insert(value).second)
      return;
    double count = times(value);
    Operation *op = value.getDefiningOp();
    if (!op) {
      ++reads;
      unsigned number = cast<BlockArgument>(value).getArgNumber();
      result.instructions += count * accessing(number, program.hasLanes(value), false);
      double bytes = double(kernel.elementBytes(number));
      constexpr double sector = 32; // what a warp reads of one place
      result.globalBytesMoved += program.hasLanes(value) || program.lanes.empty()
                                     ? count * bytes
                                     : count / warpThreads * sector;
      return;
    }
    if (kernel::isReduction(op))
      return; // it is there
    if (auto at = program.cached.find(value); at != program.cached.end()) {
      result.instructions += count * (addressing + 1); // written by the first, read by others
      result.globalBytesMoved += count * sizeof(float);
      if (at->second != pass)
        return;
    }
    bool moves = isa<model::Moving>(op), heavy = op->hasTrait<model::Heavy>();
    bool isFree = op->hasTrait<model::Free>() || op->hasTrait<model::View>();
    bool draws = isa<model::RandomOp>(op);
    double computing = heavy ? ofHeavy(op) : 1;
    double each = isFree ? 0 : draws ? drawing : moves ? addressing : computing;
    result.instructions += count * each;
    if (!isFree && !moves && !draws && model::typeOf(value).isFloat())
      result.floats += count * (heavy ? computing * ofThem : 1);
    for (Value operand : op->getOperands())
      visit(operand);
  }

  EstimateCase kernel;
  const kernel::RowProgram &program;
  RowsShape schedule;
  double rows, lanes = 1, laneBlocks = 1, teams = 1;
  Estimate result;
  llvm::DenseSet<Value> seen; ///< in this stage
  model::DimList loops;
  unsigned pass = 0;
  int64_t reads = 0, mostRead = 0, sums = 0;
};

/// A running sum is one thread's; of the largest, a team looks through all for each.
FailureOr<Estimate> scanEstimate(EstimateCase kernel, RowsAttr schedule) {
  FailureOr<kernel::ScanForm> form = kernel::readScan(kernel.op);
  if (failed(form))
    return failure();
  double rows = kernel.count(form->outer), length = kernel.count(form->dim), passes = 1;
  auto top = dyn_cast<model::TopOp>(form->op);
  if (top)
    passes = kernel.count(top.getKAttr());
  double each = double(schedule.getThreads() / (top ? schedule.getTeam() : 1));
  constexpr double ofElement = 14; // a place, reading, adding or comparing, storing
  Estimate all;
  all.blocks = int64_t(std::min(std::ceil(rows / each), double(schedule.getBlocks())));
  all.threads = schedule.getThreads();
  all.instructions = rows * length * passes * ofElement;
  all.floats = top ? 0 : rows * length;
  all.globalBytesMoved = rows * length * (passes + (top ? 0 : 1)) * sizeof(float);
  all.registers = usualRegisters + 8;
  return all;
}
} // namespace

FailureOr<Estimate> RowsAttr::estimate(EstimateCase kernel) const {
  if (kernel::isScan(kernel.op))
    return scanEstimate(kernel, *this);
  FailureOr<kernel::ExpandedRows> expanded = expandedFor(kernel.op, kernel.dims);
  if (failed(expanded))
    return failure();
  const kernel::RowProgram &program = expanded->program;
  RowsShape shape{getThreads(), getTeam(), getVector(), getUnroll(), getBlocks()};
  shape.held = holdsRows(program, kernel.dims, lanesAtOnce());
  shape.pieces = (shape.held ? piecesFromStart : piecesOf)(program, kernel.dims,
                                                           usualAlignments(kernel.op), getVector());
  return RowsEstimate(kernel, program, shape).all();
}

FailureOr<Estimate> ColumnsAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ExpandedRows> expanded = expandedFor(kernel.op, kernel.dims);
  if (failed(expanded))
    return failure();
  RowsShape shape{getThreads(), team(), getVector(), 1, getBlocks(), together()};
  shape.pieces =
      piecesFromStart(expanded->program, kernel.dims, usualAlignments(kernel.op), getVector());
  return RowsEstimate(kernel, expanded->program, shape).all();
}

FailureOr<Estimate> ScatterAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ScatterForm> form = kernel::readScatter(kernel.op);
  if (failed(form))
    return failure();
  double extent = kernel.count(form->dim), indices = kernel.count(form->index);
  double kept = kernel.count(form->kept), further = kernel.count(form->further);
  double perBlock = std::max(std::ceil(extent / double(getBlocks())), double(getPositions()));
  Estimate all;
  all.blocks = int64_t(std::ceil(extent / perBlock));
  all.threads = getThreads();
  double threads = double(getThreads()), blocks = double(all.blocks);
  int64_t warps = getThreads() / warpThreads;
  // Each thread looks at one index of as many as there are threads; where one of them is the
  // block's, as one in so many is if they are even, also at what the warps have.
  double chunks = std::ceil(indices / threads), looks = chunks * threads * blocks;
  double listed = std::min(chunks, std::ceil(indices / blocks)) * threads * blocks;
  constexpr double ofLook = 16, ofList = 30, ofWarp = 3, ofFound = 5;
  constexpr double reading = addressing + 1, clearing = reading + looping,
                   adding = 2 * reading + looping + 2;
  // Sums begin with zeros or with what is read; where they may lie over that, they do.
  std::optional<unsigned> onto = form->onto();
  double filled = onto && kernel::mayWriteInPlace(kernel.op, 0, *onto) ? 0 : extent * kept;
  bool isCopied = form->base && filled > 0;
  SmallVector<unsigned> beside = piecesFromStart(alongScatter(*form, kernel.dims), kernel.dims,
                                                 usualAlignments(kernel.op), getVector())
                                     .beside;
  double piece = beside.back();
  all.instructions =
      looks * ofLook + listed * (ofList + ofWarp * double(warps)) + indices * threads * ofFound +
      (filled * (clearing + (isCopied ? reading : 0)) + indices * further * (adding + piece)) /
          piece;
  all.floats = indices * further;
  constexpr int64_t word = 4;
  all.sharedBytes = (2 * getThreads() + warps) * word;
  all.sharedBytesMoved = (listed * double(warps) + indices * threads * 2) * double(word);
  // Sums are read, added to and stored where they lie.
  all.globalBytesMoved = blocks * indices * double(word) +
                         (filled * (isCopied ? 2 : 1) + 3 * indices * further) * sizeof(float);
  all.registers = usualRegisters + 8;
  return all;
}

} // namespace weft::cuda
