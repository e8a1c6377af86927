// What the gradient of an attention by products of four warps takes.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Tiles.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"

using namespace mlir;

namespace weft::cuda {

FailureOr<Estimate> WgmmaAttentionGradAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  auto depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  double deep = double(wide(depth)), across = double(wide(values)), columns = double(getColumns());
  constexpr double bytes = 2, groups = 2, groupThreads = 128, multiplied = 16;
  double parts = form->narrowWeights ? 1 : 2;
  double queries = kernel.count(form->rows), keys = kernel.count(form->keys), blocks = 0;
  Estimate all;
  all.threads = threads();
  all.byGroups = true;
  // What a query's gradient and output give together, by a launch before: pairs of both are widened
  // and multiplied.
  constexpr double ofProduct = 3;
  double products = kernel.count(form->batch) * queries;
  all.instructions += products * across * ofProduct;
  all.floats += products * across;
  all.globalBytesMoved += products * 2 * double(values) * bytes;
  auto own = [&](double count, double others, kernel::MaskTile tile, bool ofQueries) {
    double tiles = kernel.count(form->batch) * tilesOf(count, rows());
    double met = kernel::maskShare(*form, kernel.sizes, tile);
    double passes = tiles * tilesOf(others, getColumns()) * met; // of a block
    double summed = ofQueries ? deep : deep + across;
    blocks += tiles;
    all.tensorFlops += 2 * passes * double(rows()) * columns * (deep + across + parts * summed);
    // Of a thread: a weight and its gradient, all their parts; places, the mask, waits.
    double scores = double(rows()) * columns / (groups * groupThreads);
    double multiplications =
        (deep + across) / multiplied + parts * columns / multiplied * (ofQueries ? 1 : 2);
    double hidden = form->mask ? 60 * 0.1 : 0; // blocks that the mask cuts are few
    double ofScore = 4 + 3 * parts;
    constexpr double ofPass = 150;
    all.instructions += passes * groups * groupThreads *
                        (scores * (ofScore + hidden) + 4 * multiplications + ofPass);
    all.floats += passes * groups * groupThreads * scores * (3 + 2 * (parts - 1));
    // Each group reads all of the others, and keys and values that it owns: queries are in
    // registers.
    double copied = columns * (deep + across) * bytes;
    double owned = ofQueries ? 0 : double(rows()) / groups;
    double each = (owned * (deep + across) + columns * (deep + across + parts * summed)) * bytes;
    all.sharedBytesMoved += passes * (copied + groups * each);
    // What is owned is copied, and the sides that are kept in registers are read once.
    all.sharedBytesMoved += tiles * double(rows()) * (ofQueries ? 2 : 1) * (deep + across) * bytes;
    all.globalBytesMoved += passes * columns * double(depth + values) * bytes;
    all.globalBytesMoved += tiles * double(rows()) * double(depth + values) * bytes;
    if (!ofQueries) {
      constexpr double constants = 2;
      all.sharedBytesMoved +=
          passes * groups * groupThreads * columns / 4 * constants * double(sizeof(float));
    }
    all.globalBytesMoved += tiles * double(rows()) * double(ofQueries ? depth : depth + values) *
                            double(kernel.elementBytes(kernel.op.getNumOperands()));
  };
  if (!form->dq.empty())
    own(queries, keys, {rows(), getColumns()}, true);
  if (!form->dk.empty() || !form->dv.empty())
    own(keys, queries, {getColumns(), rows()}, false);
  all.blocks = int64_t(blocks);
  all.sharedBytes = sharedBytes(depth, values);
  all.registers = 168; // all that there are, for whole warps
  return all;
}

} // namespace weft::cuda
