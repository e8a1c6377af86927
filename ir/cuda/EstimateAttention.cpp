// What attention takes: tiles in shared memory, sums in registers.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Tiles.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft::cuda {

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

FailureOr<Estimate> MmaAttentionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  auto depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  double deep = double(wholeRow(depth)), wide = double(wholeRow(values));
  constexpr double product = 16, bytes = 2, warp = 32, terms = 2; // of a weight
  Estimate all;
  double blocks = kernel.count(form->batch) * tilesOf(kernel.count(form->rows), rows());
  all.blocks = int64_t(blocks);
  all.threads = threads();
  double keyBlocks = tilesOf(kernel.count(form->keys), getKeys());
  double met = kernel::maskShare(*form, kernel.sizes, {rows(), getKeys()});
  double keys = double(getKeys());
  double passes = blocks * keyBlocks * met; // of a block
  double each = passes * double(threads());
  all.tensorFlops = 2 * passes * double(rows()) * keys * (deep + terms * wide);
  // Of a warp: 16 keys by a step of the depth, and 16 values by a step of the keys, are one load
  // for two products, and two by two.
  double steps = keys / product * (deep + wide) / product;
  double products = keys / product * (deep / product * 2 + wide / product * 2 * terms);
  double scores = product * keys / warp; // of a thread
  double brought = keys * (deep + wide) * bytes / 16 / double(threads());
  double hidden = form->mask ? 60 * 0.1 : 0; // blocks that the mask cuts are few
  constexpr double ofScore = 10;             // its scale, the highest, a weight, both its parts
  all.instructions = each * (steps * (1 + addressing) + products + scores * (ofScore + hidden) +
                             wide / 2 + brought * staging + 60);
  all.floats = each * (scores * 5 + wide / 2);
  all.sharedBytesMoved = passes * double(getWarps()) * steps * product * product * bytes +
                         passes * keys * (deep + wide) * bytes;
  double read = passes * keys * double(depth + values) * bytes;
  all.globalBytesMoved =
      read + blocks * double(rows() * depth) * bytes +
      blocks * double(rows() * values) * double(kernel.elementBytes(kernel.op.getNumOperands()));
  all.sharedBytes = sharedBytes(depth, values);
  all.registers =
      std::min<int64_t>(int64_t(wide / 2 + deep / 4 + scores) + 8 + usualRegisters, mostRegisters);
  return all;
}

FailureOr<Estimate> WgmmaAttentionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  auto depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  double deep = double(wide(depth)), across = double(wide(values));
  constexpr double bytes = 2, groups = 2, groupThreads = 128, terms = 2; // of a weight
  Estimate all;
  double blocks = kernel.count(form->batch) * tilesOf(kernel.count(form->rows), rows());
  all.blocks = int64_t(blocks);
  all.threads = threads();
  all.byGroups = true;
  double keyBlocks = tilesOf(kernel.count(form->keys), getKeys());
  double met = kernel::maskShare(*form, kernel.sizes, {rows(), getKeys()});
  double keys = double(getKeys()), passes = blocks * keyBlocks * met; // of a block
  double each = passes * groups * groupThreads;
  all.tensorFlops = 2 * passes * double(rows()) * keys * (deep + terms * across);
  double scores = double(rows()) * keys / (groups * groupThreads); // of a thread
  double products = deep / 16 + terms * keys / 16;
  double hidden = form->mask ? 60 * 0.1 : 0; // blocks that the mask cuts are few
  constexpr double ofScore = 9, ofPass = 60; // a weight, both its parts; places, the mask
  all.instructions = each * (scores * (ofScore + hidden) + across / 2 + 4 * products + ofPass);
  all.floats = each * (scores * 5 + across / 2);
  // Keys and values are read by each group; queries, which lie there too, again with each block.
  double copied = keys * (deep + across) * bytes;
  all.sharedBytesMoved = passes * (copied + groups * keys * (deep + terms * across) * bytes +
                                   double(rows()) * deep * bytes);
  all.globalBytesMoved =
      passes * keys * double(depth + values) * bytes + blocks * double(rows() * depth) * bytes +
      blocks * double(rows() * values) * double(kernel.elementBytes(kernel.op.getNumOperands()));
  all.sharedBytes = sharedBytes(depth, values);
  all.registers = 168; // all that there are, for whole warps
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
