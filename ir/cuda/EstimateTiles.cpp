// What products and attention take: tiles in shared memory, sums in registers.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Estimate.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/work/MaskShare.h"
#include "ir/model/Traits.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace weft::cuda {

static double tilesOf(double count, int64_t tile) {
  return std::ceil(count / double(tile));
}

/// Of elements that a block brings to shared memory, those of the thread with most.
static double broughtByEach(int64_t elements, int64_t threads) {
  return double(llvm::divideCeil(elements, threads));
}

/// To bring an element of a side to shared memory: its place, whether there is one, reading it,
/// widening it, storing it.
static constexpr double staging = 16;

/// Of an element, what is computed beside its products.
struct Beside {
  double instructions = 0, floats = 0;
};

static Beside besideProducts(kernel::FusedOp op, const kernel::Segment &segment) {
  Beside result;
  llvm::DenseSet<Operation *> seen;
  SmallVector<Value> rest;
  Operation *yield = op.getBody().front().getTerminator();
  for (unsigned number : segment.results)
    rest.push_back(yield->getOperand(number));
  while (!rest.empty()) {
    Operation *each = rest.pop_back_val().getDefiningOp();
    if (!each || isa<model::ContractOp>(each) || !seen.insert(each).second)
      continue;
    llvm::append_range(rest, each->getOperands());
    if (each->hasTrait<model::Free>() || each->hasTrait<model::View>())
      continue;
    bool heavy = each->hasTrait<model::Heavy>();
    result.instructions += heavy ? function : 1;
    if (model::typeOf(each->getResult(0)).isFloat())
      result.floats += heavy ? function * ofThem : 1;
  }
  return result;
}

FailureOr<Estimate> ContractionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return failure();
  int64_t perThread = getThreadRows() * getThreadColumns();
  auto staged = int64_t(broughtByEach(getRows() * getDepth(), threads()) +
                        broughtByEach(getColumns() * getDepth(), threads()));
  double rowTiles = tilesOf(kernel.count(form->rows), getRows());
  Estimate all;
  double threadCount = 0;
  size_t sums = 1;
  for (const kernel::Segment &segment : form->segments) {
    double columnTiles = tilesOf(kernel.count(segment.columns), getColumns());
    double tiles = kernel.count(form->batch) * rowTiles * columnTiles;
    all.blocks += int64_t(tiles);
    threadCount = tiles * double(threads());
    sums = std::max(sums, segment.sums.size());
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        double pieces = tilesOf(kernel.count(term.k), getDepth());
        double steps = pieces * double(getDepth());
        double reads = double(getThreadRows() + getThreadColumns());
        all.floats += threadCount * steps * double(perThread);
        all.instructions +=
            threadCount * (steps * (double(perThread) + reads + looping / double(getUnroll())) +
                           pieces * (double(staged) * staging + looping));
        all.sharedBytesMoved += threadCount * sizeof(float) * (steps * reads + pieces * staged);
        double depth = kernel.count(term.k);
        auto bytes = [&](Value side) {
          return double(kernel.elementBytes(cast<BlockArgument>(side).getArgNumber()));
        };
        all.globalBytesMoved += depth * kernel.count(form->batch) *
                                (kernel.count(form->rows) * columnTiles * bytes(term.left()) +
                                 kernel.count(segment.columns) * rowTiles * bytes(term.right()));
      }
    // What is computed of each sum beside it, and stored.
    Beside beside = besideProducts(kernel.op, segment);
    all.instructions +=
        threadCount * double(perThread) * (beside.instructions + 2 * addressing + looping);
    all.floats += threadCount * double(perThread) * beside.floats;
    double elements =
        kernel.count(form->batch) * kernel.count(form->rows) * kernel.count(segment.columns);
    for (unsigned result : segment.results)
      all.globalBytesMoved +=
          elements * double(kernel.elementBytes(kernel.op.getNumOperands() + result));
  }
  all.threads = threads();
  all.sharedBytes = 2 * (sideBytes(getRows(), getDepth()) + sideBytes(getColumns(), getDepth()));
  // What is fetched waits in registers, beside where it is from.
  all.registers = perThread * int64_t(sums) + getThreadRows() + getThreadColumns() + 3 * staged +
                  usualRegisters;
  all.registers = std::min(all.registers, mostRegisters);
  return all;
}

FailureOr<Estimate> MmaAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return failure();
  constexpr int64_t product = 16, warp = 32; // rows and depth of a product, twice its columns
  constexpr double bytes = 2;
  int64_t down = getRows() / getWarpsDown() / product,
          across = getColumns() / getWarpsAcross() / product; // of a warp
  // Of a step of one product's depth: fragments of both sides, products, their addresses.
  double each = double(down + across) * (1 + addressing) + double(down * across) * 2;
  double copies = double((getRows() + getColumns()) * getDepth()) * bytes / (16.0 * threads());
  Estimate all;
  size_t sums = 1;
  for (const kernel::Segment &segment : form->segments) {
    double columnTiles = tilesOf(kernel.count(segment.columns), getColumns());
    double rowTiles = tilesOf(kernel.count(form->rows), getRows());
    double tiles = kernel.count(form->batch) * rowTiles * columnTiles;
    double threadCount = tiles * double(threads());
    all.blocks += int64_t(tiles);
    sums = std::max(sums, segment.sums.size());
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        double pieces = tilesOf(kernel.count(term.k), getDepth());
        double steps = pieces * double(getDepth() / product);
        all.instructions +=
            threadCount * (steps * each + pieces * (copies * staging + 2 * looping));
        all.tensorFlops +=
            2.0 * tiles * double(getRows() * getColumns()) * pieces * double(getDepth());
        // A fragment is 16 rows of 32 bytes; what is copied is stored once.
        all.sharedBytesMoved +=
            threadCount / warp * steps * double(down + across) * product * product * bytes +
            threadCount * pieces * copies * 16;
        double depth = kernel.count(term.k);
        all.globalBytesMoved +=
            depth * kernel.count(form->batch) * bytes *
            (kernel.count(form->rows) * columnTiles + kernel.count(segment.columns) * rowTiles);
      }
    // Sums go through shared memory to what is computed beside them, and stored.
    Beside beside = besideProducts(kernel.op, segment);
    double elements = threadCount * double(sumsEach());
    all.sharedBytesMoved += elements * 2 * sizeof(float) * double(segment.sums.size());
    all.instructions += elements * (beside.instructions + 3 * addressing + looping);
    all.floats += elements * beside.floats;
    for (unsigned result : segment.results)
      all.globalBytesMoved += kernel.count(form->batch) * kernel.count(form->rows) *
                              kernel.count(segment.columns) *
                              double(kernel.elementBytes(kernel.op.getNumOperands() + result));
  }
  all.threads = threads();
  all.sharedBytes = sharedBytes();
  all.registers = sumsEach() * int64_t(sums) + 4 * down + 4 * across + usualRegisters;
  return all;
}

FailureOr<Estimate> AttentionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  int64_t depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  int64_t valuesEach = int64_t(llvm::divideCeil(values, across()));
  int64_t scores = getThreadRows() * getThreadKeys(), sums = getThreadRows() * valuesEach;
  Estimate all;
  double blocks = kernel.count(form->batch) * tilesOf(kernel.count(form->rows), getRows());
  all.blocks = int64_t(blocks);
  all.threads = threads();
  double threadCount = blocks * double(threads());
  // Blocks of keys that the mask empties are skipped; those that it cuts are computed whole.
  double keyBlocks = tilesOf(kernel.count(form->keys), getKeys());
  double met = kernel::maskShare(*form, kernel.sizes, {getRows(), getKeys()});
  double passes = threadCount * keyBlocks * met;
  double scoreReads = double(getThreadRows() + getThreadKeys());
  double valueReads = double(getThreadRows() + valuesEach);
  double steps = double(depth) * (double(scores) + scoreReads + looping / double(getUnroll())) +
                 double(getKeys()) * (double(sums) + valueReads + looping / double(getUnroll()));
  double exponentials = double(scores + getThreadRows());
  double shuffles = 4 * double(llvm::Log2_64(uint64_t(across()))) * double(getThreadRows());
  double brought =
      broughtByEach(getKeys() * depth, threads()) + broughtByEach(getKeys() * values, threads());
  // Of each score whether its key exists, and what the mask says: of the block, or of it alone.
  double hidden = form->mask ? 100 + 12 * double(scores) : 3 * double(scores);
  all.instructions = passes * (steps + exponentials * (function + addressing) + shuffles + hidden +
                               brought * staging + double(sums));
  all.floats = passes * (double(depth * scores + getKeys() * sums) +
                         exponentials * function * ofThem + double(sums));
  all.sharedBytesMoved =
      passes * sizeof(float) *
      (double(depth) * scoreReads + double(getKeys()) * valueReads + brought + double(scores));
  auto bytes = [&](unsigned buffer) { return double(kernel.elementBytes(buffer)); };
  all.globalBytesMoved = blocks * keyBlocks * met * double(getKeys()) *
                             (double(depth) * bytes(form->k) + double(values) * bytes(form->v)) +
                         blocks * double(getRows()) * double(depth + values) * bytes(form->q);
  all.sharedBytes = sharedBytes(depth, values);
  all.registers = sums + scores + 2 * getThreadRows() + std::max(getThreadKeys(), valuesEach) +
                  getThreadRows() +
                  3 * int64_t(broughtByEach(getKeys() * std::max(depth, values), threads())) +
                  usualRegisters;
  return all;
}

FailureOr<Estimate> AttentionGradAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  int64_t depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  auto each = [&](int64_t count) { return int64_t(llvm::divideCeil(count, across())); };
  int64_t scores = getThreadRows() * getThreadColumns();
  double reads = double(getThreadRows() + getThreadColumns());
  double queries = kernel.count(form->rows), keys = kernel.count(form->keys);
  Estimate all;
  all.threads = threads();
  all.sharedBytes = sharedBytes(depth, values);
  double blocks = 0;
  // A block of queries adds up along the depth, one of keys along the values too.
  auto own = [&](double count, double others, kernel::MaskTile tile, bool alongValues) {
    double tiles = kernel.count(form->batch) * tilesOf(count, getRows());
    blocks += tiles;
    double passes = tiles * double(threads()) * tilesOf(others, getColumns()) *
                    kernel::maskShare(*form, kernel.sizes, tile);
    int64_t columns = each(depth) + (alongValues ? each(values) : 0);
    int64_t sums = getThreadRows() * columns;
    double step = looping / double(getUnroll());
    double steps =
        double(depth + values) * (double(scores) + reads + step) +
        double(getColumns()) * (double(sums) + double(getThreadRows() + columns) + 2 * step);
    double brought = broughtByEach(getColumns() * (depth + values), threads());
    double hidden = form->mask ? 100 + 12 * double(scores) : 3 * double(scores);
    all.instructions += passes * (steps + double(scores) * (function + addressing) + hidden +
                                  brought * staging + 2 * double(scores));
    all.floats += passes * (double((depth + values) * scores + getColumns() * sums) +
                            double(scores) * function * ofThem);
    all.sharedBytesMoved += passes * sizeof(float) *
                            (double(depth + values) * reads +
                             double(getColumns() * (getThreadRows() + columns)) + brought);
    all.globalBytesMoved +=
        passes / double(threads()) * double(getColumns() * (depth + values)) *
            double(kernel.elementBytes(form->k)) +
        tiles * double(getRows() * (depth + values)) * double(kernel.elementBytes(form->q));
    all.registers = std::max(all.registers, sums + 3 * scores + 3 * int64_t(brought) +
                                                3 * getThreadRows() + usualRegisters);
  };
  if (!form->dq.empty())
    own(queries, keys, {getRows(), getColumns()}, false);
  if (!form->dk.empty() || !form->dv.empty())
    own(keys, queries, {getColumns(), getRows()}, true);
  all.blocks = int64_t(blocks);
  all.registers = std::min(all.registers, mostRegisters);
  return all;
}

} // namespace weft::cuda
