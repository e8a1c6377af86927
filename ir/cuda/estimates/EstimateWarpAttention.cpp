// What attention by matrix instructions of a warp takes.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Tiles.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"

using namespace mlir;

namespace weft::cuda {

namespace {
// Of a thread, by what was counted on the emulator.
constexpr double weighing = 5;    ///< of a score: scaled, compared, its weight
constexpr double ofTerm = 2;      ///< of a weight: each number of bf16 that it is multiplied as
constexpr double fragments = 0.5; ///< of a product: its share of ldmatrix, and the product
constexpr int64_t products = 16 * 8 * 16;

/// What all blocks do that go through tiles, summed up.
struct Passes {
  const kernel::AttentionForm &form;
  EstimateCase &kernel;
  int64_t rows, columns, warps; ///< of a block's scores

  double terms = form.narrowWeights ? 1 : 2; ///< of a weight

  /// Products of scores with `once` numbers, whose left side is in shared memory, and with `often`,
  /// which all terms of a left side in registers are multiplied by.
  void add(Estimate &all, double tiles, double others, kernel::MaskTile tile, double once,
           double often) {
    double deep = once + terms * often;
    double met = kernel::maskShare(form, kernel.sizes, tile);
    double passes = tiles * tilesOf(others, columns) * met;
    double scores = passes * double(rows * columns);
    all.tensorFlops += 2 * scores * deep;
    all.instructions += scores * deep / products * 32 * (1 + fragments);
    double hidden = form.mask ? 8 : 3;
    all.instructions += scores * (weighing + ofTerm * terms + hidden);
    all.floats += scores * 6;
    // Each warp reads all of the right sides, and of its rows the left one.
    constexpr double bytes = 2;
    all.sharedBytesMoved +=
        scores * bytes * ((once + often) * double(warps) / double(rows) + once / double(columns));
  }
};
} // namespace

FailureOr<Estimate> MmaAttentionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  int64_t depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  int64_t down = narrowColumns(depth), across = narrowColumns(values);
  Estimate all;
  double blocks = kernel.count(form->batch) * tilesOf(kernel.count(form->rows), getRows());
  double keys = kernel.count(form->keys);
  all.blocks = int64_t(blocks);
  all.threads = threads();
  Passes{*form, kernel, getRows(), getKeys(), getWarps()}.add(
      all, blocks, keys, {getRows(), getKeys()}, double(down), double(across));
  double met = kernel::maskShare(*form, kernel.sizes, {getRows(), getKeys()});
  double brought =
      blocks * tilesOf(keys, getKeys()) * met * double(getKeys() * (depth + values)) * 2;
  all.globalBytesMoved = brought + blocks * double(getRows() * (depth + values)) * 2;
  all.sharedBytesMoved += brought;
  all.sharedBytes = sharedBytes(depth, values);
  all.registers =
      std::min(floatsEach(depth, values) + getKeys() / 4 + 2 * usualRegisters, mostRegisters);
  return all;
}

FailureOr<Estimate> MmaAttentionGradAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  int64_t depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  int64_t down = narrowColumns(depth), across = narrowColumns(values);
  double queries = kernel.count(form->rows), keys = kernel.count(form->keys), blocks = 0;
  Estimate all;
  auto own = [&](double count, double others, kernel::MaskTile tile, int64_t summed) {
    double tiles = kernel.count(form->batch) * tilesOf(count, getRows());
    blocks += tiles;
    Passes{*form, kernel, getRows(), getColumns(), getWarps()}.add(
        all, tiles, others, tile, double(down + across), double(summed));
    double met = kernel::maskShare(*form, kernel.sizes, tile);
    double brought =
        tiles * tilesOf(others, getColumns()) * met * double(getColumns() * (depth + values)) * 2;
    all.globalBytesMoved += brought + tiles * double(getRows() * (depth + values)) * 2;
    all.sharedBytesMoved += brought;
  };
  if (!form->dq.empty())
    own(queries, keys, {getRows(), getColumns()}, down);
  if (!form->dk.empty() || !form->dv.empty())
    own(keys, queries, {getColumns(), getRows()}, down + across);
  all.blocks = int64_t(blocks);
  all.threads = threads();
  all.sharedBytes = sharedBytes(depth, values);
  all.registers =
      std::min(floatsEach(depth, values) + getColumns() / 2 + 2 * usualRegisters, mostRegisters);
  return all;
}

} // namespace weft::cuda
