// Attention of few queries, whose keys are cut into parts: the schedule's numbers, and what it
// takes.
#include "ir/cuda/AttentionSchedules.h"
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Tiles.h"
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/work/MaskShare.h"

#include "llvm/ADT/bit.h"

using namespace mlir;

namespace weft::cuda {

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult SplitAttentionAttr::verify(EmitError emitError, int64_t rows, int64_t keys,
                                         int64_t threads, int64_t unroll, int64_t blocks) {
  constexpr int64_t most = 8;
  for (auto [name, number, limit] : {std::tuple("rows", rows, most),
                                     {"keys", keys, INT32_MAX},
                                     {"unroll", unroll, most},
                                     {"blocks", blocks, INT32_MAX}})
    if (number < 1 || number > limit)
      return emitError() << "`" << name << "` is " << number << ": 1 to " << limit;
  if (threads < warpThreads || threads > mostThreads || !llvm::isPowerOf2_64(uint64_t(threads)))
    return emitError() << "`threads` is " << threads << ": a power of two, " << warpThreads
                       << " to " << mostThreads;
  return success();
}

LogicalResult ByQueriesAttr::verify(EmitError emitError, int64_t queries, SplitAttentionAttr,
                                    kernel::ScheduleAttr many) {
  if (queries < 1)
    return emitError() << "`queries` is " << queries << ", below 1";
  if (!isa<AttentionAttr, MmaAttentionAttr, WgmmaAttentionAttr>(many))
    return emitError() << "`many` is " << many << ", no schedule of an attention of many queries";
  return success();
}

FailureOr<Estimate> ByQueriesAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  if (kernel.count(form->rows) <= double(getQueries()))
    return getFew().estimate(kernel);
  return cast<DeviceSchedule>(getMany()).estimate(kernel);
}

std::pair<int64_t, int64_t> SplitAttentionAttr::cut(int64_t queries, int64_t keys) const {
  auto divide = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  int64_t wanted = divide(getBlocks(), std::max<int64_t>(queries, 1));
  int64_t parts = std::max<int64_t>(std::min(wanted, divide(keys, getKeys())), 1);
  int64_t each = std::max<int64_t>(divide(keys, parts), 1);
  return {std::max<int64_t>(divide(keys, each), 1), each};
}

static constexpr int64_t piece = 16; // bytes that a lane reads at once

int64_t SplitAttentionAttr::lanes(int64_t columns, int64_t bytes) {
  uint64_t pieces = llvm::divideCeil(uint64_t(columns * bytes), uint64_t(piece));
  return int64_t(std::min<uint64_t>(llvm::bit_ceil(pieces), warpThreads));
}

/// Of a row that is read by so many lanes.
static int64_t columnsEach(int64_t columns, int64_t bytes, int64_t lanes) {
  int64_t elements = piece / bytes;
  return int64_t(llvm::divideCeil(uint64_t(columns), uint64_t(elements * lanes))) * elements;
}

namespace {
/// What a thread has of a key and its values.
struct Reading {
  int64_t lanes, depth, values;

  Reading(int64_t depth_, int64_t values_, int64_t bytes)
      : lanes(SplitAttentionAttr::lanes(std::max(depth_, values_), bytes)),
        depth(columnsEach(depth_, bytes, lanes)), values(columnsEach(values_, bytes, lanes)) {}
};
} // namespace

int64_t SplitAttentionAttr::floatsEach(int64_t depth, int64_t values, int64_t bytes) const {
  Reading each(depth, values, bytes);
  return getRows() * (each.depth + each.values + 2);
}

int64_t SplitAttentionAttr::sharedBytes(int64_t depth, int64_t values, int64_t bytes) const {
  Reading each(depth, values, bytes);
  int64_t warps = getThreads() / warpThreads;
  return warps * each.lanes * getRows() * (each.values + 2) * int64_t(sizeof(float));
}

FailureOr<Estimate> SplitAttentionAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  auto depth = int64_t(kernel.count(form->depth)), values = int64_t(kernel.count(form->values));
  auto keys = int64_t(kernel.count(form->keys)), rows = int64_t(kernel.count(form->rows));
  auto batch = int64_t(kernel.count(form->batch));
  int64_t bytes = kernel.elementBytes(form->k);
  Reading each(depth, values, bytes);
  int64_t queries = batch * int64_t(tilesOf(double(rows), getRows()));
  auto [parts, partKeys] = cut(queries, keys);
  Estimate all;
  all.blocks = queries * parts;
  all.threads = getThreads();
  all.sharedBytes = sharedBytes(depth, values, bytes);
  int64_t together = getThreads() / each.lanes;
  // Parts that the mask empties are skipped; those that it cuts are computed whole.
  double met = kernel::maskShare(*form, kernel.sizes, {getRows(), partKeys});
  double threads = double(all.blocks) * met * double(getThreads());
  double passes = threads * tilesOf(double(partKeys), together * getUnroll());
  auto queriesEach = double(getRows()), sums = double(each.values);
  double folds = double(llvm::Log2_64(uint64_t(each.lanes)));
  double hidden = form->mask ? 14 : 2;
  // Of a key: its place and that of its values, what they are widened to, products, a weight.
  double widening = bytes < int64_t(sizeof(float)) ? 1 : 0;
  double ofKey = 4 * addressing + widening * double(each.depth + each.values) +
                 queriesEach * (double(each.depth) + 2 * folds + hidden + 3 + function + sums);
  double ofPass = looping + queriesEach * (function + 4 + sums);
  // In the end groups of lanes are joined, then warps.
  double joins = double(llvm::Log2_64(uint64_t(warpThreads / each.lanes))) +
                 double(getThreads() / warpThreads);
  double ofEnd = joins * queriesEach * (2 * function + 4 + 5 * (sums + 2));
  all.instructions = passes * (double(getUnroll()) * ofKey + ofPass) + threads * ofEnd;
  all.floats =
      passes * double(getUnroll()) * queriesEach * (double(each.depth) + sums + function * ofThem) +
      threads * joins * queriesEach * 3 * sums;
  all.sharedBytesMoved = threads * queriesEach * (sums + 2) * double(sizeof(float)) *
                         (1 + double(getThreads() / warpThreads));
  if (parts > 1)
    all.left = double(all.blocks * getRows() * (values + 2)) * double(sizeof(float));
  // Of a pass that a part does not fill the last key is read again. Queries, and what is left, are
  // read and written one number at a time, each time the sectors in which a warp's lanes are.
  constexpr double sector = 32;
  double ofPasses =
      tilesOf(double(partKeys), together * getUnroll()) * double(together * getUnroll());
  double ofWarp = std::max(double(each.lanes * piece), sector);
  all.globalBytesMoved = double(all.blocks) * met * ofPasses * double((depth + values) * bytes) +
                         double(all.blocks * (getThreads() / warpThreads)) * queriesEach *
                             double(each.depth) * ofWarp +
                         (parts > 1 ? double(all.blocks) * queriesEach * sums * ofWarp : 0);
  constexpr double word = sizeof(float);
  all.registers = std::min(
      floatsEach(depth, values, bytes) +
          getUnroll() * (int64_t(double((each.depth + each.values) * bytes) / word) + getRows()) +
          usualRegisters,
      mostRegisters);

  if (parts == 1)
    return all;
  Estimate join;
  join.blocks = batch * rows;
  join.threads = joinThreads;
  double ofPart = 3 * addressing + looping + function + 2;
  double columns = tilesOf(double(values), joinThreads);
  join.instructions = double(join.blocks * joinThreads) * double(parts) * (2 + columns) * ofPart;
  join.floats =
      double(join.blocks * joinThreads) * double(parts) * (2 + columns) * function * ofThem;
  // Each warp reads the statistics of each part for itself, three times.
  join.globalBytesMoved =
      double(join.blocks * parts) *
      (double(joinThreads / warpThreads) * (2 + columns) * sector + double(values) * word);
  join.registers = rowRegisters + usualRegisters;
  all.then = std::make_shared<const Estimate>(join);
  return all;
}

std::string splitAttentionProblem(KernelCase kernel, const kernel::AttentionForm &form,
                                  SplitAttentionAttr schedule) {
  std::optional<int64_t> depth = kernel.dims.known(kernel::sizeOf(form.depth)),
                         values = kernel.dims.known(kernel::sizeOf(form.values));
  if (!depth || !values || std::min(*depth, *values) < 1)
    return "has a depth that is not known: its schedule is one of rows";
  if (!form.isPlain())
    return "has a cap, a bias or dropout: its schedule is `cuda.attention` or one of rows";
  int64_t bytes = kernel::storageIn(kernel.op.getLayoutsAttr()[form.k]) ? 2 : 4;
  constexpr int64_t mostFloats = 160;
  if (int64_t floats = schedule.floatsEach(*depth, *values, bytes); floats > mostFloats)
    return ("has " + Twine(floats) + " floats of queries and sums in each thread, and " +
            Twine(mostFloats) + " are the most")
        .str();
  if (int64_t shared = schedule.sharedBytes(*depth, *values, bytes); shared > mostShared)
    return ("shares " + Twine(shared) + " bytes in a block, and " + Twine(mostShared) +
            " are the most")
        .str();
  return "";
}

LogicalResult checkSplitAttention(KernelCase kernel, SplitAttentionAttr schedule) {
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(kernel.op);
  if (failed(form))
    return failure();
  std::string problem = splitAttentionProblem(kernel, *form, schedule);
  return problem.empty() ? success() : LogicalResult(kernel.op.emitOpError(problem));
}

int64_t queriesTogether(KernelCase kernel, const kernel::AttentionForm &form) {
  int64_t together = 1;
  for (model::DimAttr dim : form.rows)
    together *= std::max<int64_t>(kernel.dims.known(kernel::sizeOf(dim)).value_or(1), 1);
  return together;
}

SplitAttentionAttr splitAttentionFor(KernelCase kernel, const kernel::AttentionForm &form,
                                     const Device &device) {
  constexpr int64_t mostRows = 8, keys = 64, threads = 128, unroll = 4, blocksEach = 2;
  for (int64_t rows = std::min(queriesTogether(kernel, form), mostRows); rows > 0; rows /= 2) {
    auto schedule = SplitAttentionAttr::get(kernel.op.getContext(), rows, keys, threads, unroll,
                                            blocksEach * device.multiprocessors);
    if (splitAttentionProblem(kernel, form, schedule).empty())
      return schedule;
  }
  return {};
}

} // namespace weft::cuda
