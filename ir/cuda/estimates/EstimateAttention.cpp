// What attention takes: tiles in shared memory, sums in registers.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Tiles.h"
#include "ir/cuda/attention/GradientOwners.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft::cuda {

/// Whether the weights that count are drawn, not data.
static bool draws(EstimateCase kernel) {
  return !kernel.op.getBody().front().getOps<model::RandomOp>().empty();
}

/// Of each score whether its key exists, and what the mask says: of the block, or of it alone; and
/// whether its weight counts.
static double choosing(EstimateCase kernel, const kernel::AttentionForm &form, int64_t scores) {
  double hidden = form.mask ? 100 + 12 * double(scores) : 3 * double(scores);
  return hidden + (draws(kernel) ? drawing * double(scores) : 0);
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
  all.instructions = passes * (steps + exponentials * (function + addressing) + shuffles +
                               choosing(kernel, *form, scores) + brought * staging + double(sums));
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
                  usualRegisters + (draws(kernel) ? drawnRegisters : 0);
  all.registers = std::min(all.registers, mostRegisters);
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
  Estimate all;
  all.threads = threads();
  all.sharedBytes = sharedBytes(depth, values);
  double blocks = 0;
  // A block of queries adds up along the depth, one of keys along the values too, one of a bias as
  // many numbers as it has scores, or a row's.
  for (const GradientOwner &owner : gradientOwners(kernel.op, *form, kernel.dims)) {
    double down = tilesOf(kernel.count(owner.own()), getRows()),
           beside = tilesOf(kernel.count(owner.others()), getColumns());
    blocks += kernel.count(owner.form.shared) * (owner.ownsRows ? down : 1) *
              (owner.ownsColumns ? beside : 1);
    double tiles = kernel.count(owner.form.batch) * down;
    kernel::MaskTile tile = owner.ofQueries ? kernel::MaskTile{getRows(), getColumns()}
                                            : kernel::MaskTile{getColumns(), getRows()};
    double passes =
        tiles * double(threads()) * beside * kernel::maskShare(owner.form, kernel.sizes, tile);
    // Its own are brought once for all of the others, or for each of them.
    double owned = owner.ownsColumns ? passes / double(threads()) : tiles;
    bool alongDepth = !owner.form.dq.empty() || !owner.form.dk.empty();
    int64_t columns = (alongDepth ? each(depth) : 0) + (owner.form.dv.empty() ? 0 : each(values));
    int64_t sums = getThreadRows() * columns;
    double step = looping / double(getUnroll());
    double steps = double(depth + values) * (double(scores) + reads + step);
    if (columns > 0)
      steps += double(getColumns()) * (double(sums) + double(getThreadRows() + columns) + 2 * step);
    double brought = broughtByEach(getColumns() * (depth + values), threads());
    double own = broughtByEach(getRows() * (depth + values), threads());
    all.instructions +=
        passes * (steps + double(scores) * (function + addressing) +
                  choosing(kernel, *form, scores) + brought * staging + 2 * double(scores));
    all.floats += passes * (double((depth + values) * scores + getColumns() * sums) +
                            double(scores) * function * ofThem);
    all.sharedBytesMoved +=
        passes * sizeof(float) *
        (double(depth + values) * reads +
         (columns > 0 ? double(getColumns() * (getThreadRows() + columns)) : 0) + brought);
    if (owner.ownsColumns) { // else they are few beside the others
      all.instructions += owned * double(threads()) * own * staging;
      all.sharedBytesMoved += owned * double(threads()) * sizeof(float) * own;
    }
    all.globalBytesMoved +=
        passes / double(threads()) * double(getColumns() * (depth + values)) *
            double(kernel.elementBytes(form->k)) +
        owned * double(getRows() * (depth + values)) * double(kernel.elementBytes(form->q));
    // From one position to the next places of its own are kept too.
    int64_t kept =
        (owner.ofBias() ? scores : sums) + (owner.form.summed.empty() ? 0 : int64_t(own));
    all.registers =
        std::max(all.registers, kept + 3 * scores + 3 * int64_t(brought) + 3 * getThreadRows() +
                                    usualRegisters + (draws(kernel) ? drawnRegisters : 0));
  }
  all.blocks = int64_t(blocks);
  all.registers = std::min(all.registers, mostRegisters);
  return all;
}

} // namespace weft::cuda
