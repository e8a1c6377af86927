// What attention by products of four warps takes.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Tiles.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"

using namespace mlir;

namespace weft::cuda {

FailureOr<Estimate> WgmmaAttentionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  auto depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  double deep = double(wide(depth)), across = double(wide(values));
  constexpr double bytes = 2, groups = 2, groupThreads = 128;
  double terms = form->narrowWeights ? 1 : 2; // of a weight
  Estimate all;
  double down = tilesOf(kernel.count(form->rows), rows());
  double blocks = kernel.count(form->batch) * down; // of queries
  all.tiles = all.blocks = int64_t(blocks);
  if (all.tiles > blocksAtOnce()) // which take pairs of them
    all.blocks = std::min(int64_t(kernel.count(form->batch) * tilesOf(down, 2)), blocksAtOnce());
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
  double ofScore = 5 + 2 * terms;            // a weight, all its parts
  constexpr double ofPass = 60;              // places, the mask
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

} // namespace weft::cuda
