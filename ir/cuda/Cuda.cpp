// Printing and checking of schedules.
#include "ir/cuda/Cuda.h"
#include "ir/cuda/Schedules.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include <algorithm>

using namespace mlir;
using namespace weft;
using namespace weft::cuda;

#include "ir/cuda/CudaAttrInterface.cpp.inc"
#include "ir/cuda/CudaDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/cuda/CudaAttrdef.cpp.inc"

namespace {
/// `#rows = #cuda.rows<…>` before the module, so that its kernels stay readable.
struct Aliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &out) const override {
    if (&attribute.getDialect() != getDialect()) // the other's schedules have its own
      return AliasResult::NoAlias;
    out << llvm::TypeSwitch<Attribute, llvm::StringRef>(attribute)
               .Case<AttentionAttr, AttentionGradAttr, ByQueriesAttr, ByRowsAttr, ColumnsAttr,
                     ContractionAttr, FewRowsAttr, MmaAttr, MmaAttentionAttr, MmaAttentionGradAttr,
                     RowsAttr, ScatterAttr, SplitAttentionAttr, WgmmaAttentionAttr,
                     WgmmaAttentionGradAttr, WgmmaAttr>(
                   [](auto schedule) { return schedule.getMnemonic(); });
    return AliasResult::OverridableAlias;
  }
};

} // namespace

LogicalResult cuda::positive(EmitError emitError,
                             std::initializer_list<std::pair<llvm::StringRef, int64_t>> numbers) {
  for (auto [name, number] : numbers)
    if (number < 1)
      return emitError() << "`" << name << "` is " << number << ", below 1";
  return success();
}

static LogicalResult checkSplits(EmitError emitError, int64_t splits) {
  if (splits < 1 || splits > mostSplits)
    return emitError() << "`splits` is " << splits << ": a depth is cut into 1 to " << mostSplits
                       << " parts";
  return success();
}

LogicalResult cuda::checkThreads(EmitError emitError, int64_t threads) {
  if (threads < warpThreads || threads > mostThreads || threads % warpThreads != 0)
    return emitError() << "`threads` is " << threads << ": a block has whole warps of "
                       << warpThreads << ", at most " << mostThreads << " threads";
  return success();
}

void CudaDialect::initialize() {
  addInterfaces<Aliases>();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/cuda/CudaAttrdef.cpp.inc"
      >();
}

LogicalResult AttentionAttr::verify(EmitError emitError, int64_t rows, int64_t keys,
                                    int64_t threadRows, int64_t threadKeys, int64_t unroll) {
  if (failed(positive(emitError, {{"rows", rows},
                                  {"keys", keys},
                                  {"thread_rows", threadRows},
                                  {"thread_keys", threadKeys},
                                  {"unroll", unroll}})))
    return failure();
  if (rows % threadRows != 0 || keys % threadKeys != 0)
    return emitError() << rows << " queries by " << keys << " keys are not whole tiles of "
                       << threadRows << " x " << threadKeys << " of threads";
  if (int64_t across = keys / threadKeys; across > warpThreads || !llvm::isPowerOf2_64(across))
    return emitError() << across << " threads have the keys of a query, and a power of two of at "
                       << "most " << warpThreads << " find the highest score";
  return checkThreads(emitError, (rows / threadRows) * (keys / threadKeys));
}

int64_t AttentionAttr::sharedBytes(int64_t depth, int64_t values) const {
  auto whole = int64_t(llvm::alignTo(uint64_t(values), uint64_t(across())));
  return sideBytes(getRows(), depth) + sideBytes(getRows(), getKeys()) +
         std::max(sideBytes(getKeys(), depth), sideBytes(whole, getKeys()));
}

LogicalResult WgmmaAttentionAttr::verify(EmitError emitError, int64_t keys, int64_t stages) {
  if (keys != 64 && keys != 128)
    return emitError() << "`keys` is " << keys << ": 64 or 128";
  if (stages < 2)
    return emitError() << "`stages` is " << stages
                       << ": one is multiplied while others are on the way";
  return success();
}

int64_t WgmmaAttentionAttr::sharedBytes(int64_t depth, int64_t values) const {
  constexpr int64_t bytes = 2, barrier = 8;
  return (2 * rows() * wide(depth) + getStages() * getKeys() * (wide(depth) + wide(values))) *
             bytes +
         4 * (getStages() + 1) * barrier;
}

int64_t WgmmaAttentionAttr::blocksAtOnce() const {
  return devices().back().multiprocessors;
}

LogicalResult WgmmaAttentionGradAttr::verify(EmitError emitError, int64_t columns, int64_t stages) {
  if (columns != 64 && columns != 128)
    return emitError() << "`columns` is " << columns << ", neither 64 nor 128";
  if (stages < 2)
    return emitError() << "`stages` is " << stages
                       << ": one is multiplied while others are on the way";
  return success();
}

int64_t WgmmaAttentionGradAttr::sharedBytes(int64_t depth, int64_t values) const {
  constexpr int64_t bytes = 2, barrier = 8, word = 4;
  int64_t both = wide(depth) + wide(values), other = getStages() * getColumns();
  int64_t tiles = (rows() + other) * both;
  int64_t constants = 3 * std::max(rows(), other) + 2 * getStages();
  return tiles * bytes + constants * word + (3 * getStages() + 1) * barrier;
}

LogicalResult AttentionGradAttr::verify(EmitError emitError, int64_t rows, int64_t columns,
                                        int64_t threadRows, int64_t threadColumns, int64_t unroll) {
  if (failed(positive(emitError, {{"rows", rows},
                                  {"columns", columns},
                                  {"thread_rows", threadRows},
                                  {"thread_columns", threadColumns},
                                  {"unroll", unroll}})))
    return failure();
  if (rows % threadRows != 0 || columns % threadColumns != 0)
    return emitError() << rows << " by " << columns << " scores are not whole tiles of "
                       << threadRows << " x " << threadColumns << " of threads";
  int64_t threads = (rows / threadRows) * (columns / threadColumns);
  if (threads < std::max(rows, columns))
    return emitError() << threads << " threads look at " << std::max(rows, columns)
                       << " queries, and each has one at most";
  return checkThreads(emitError, threads);
}

int64_t AttentionGradAttr::sharedBytes(int64_t depth, int64_t values) const {
  auto whole = [&](int64_t count) {
    return int64_t(llvm::alignTo(uint64_t(count), uint64_t(across())));
  };
  int64_t sides =
      sideBytes(getRows(), depth + values) + sideBytes(getColumns(), whole(depth) + whole(values));
  int64_t scores = 2 * sideBytes(getRows(), getColumns());
  int64_t constants = 3 * std::max(getRows(), getColumns()) * int64_t(sizeof(float));
  return sides + scores + constants;
}

LogicalResult ContractionAttr::verify(EmitError emitError, int64_t rows, int64_t columns,
                                      int64_t depth, int64_t threadRows, int64_t threadColumns,
                                      int64_t unroll, int64_t splits) {
  if (failed(checkSplits(emitError, splits)) ||
      failed(positive(emitError, {{"rows", rows},
                                  {"columns", columns},
                                  {"depth", depth},
                                  {"thread_rows", threadRows},
                                  {"thread_columns", threadColumns},
                                  {"unroll", unroll}})))
    return failure();
  if (rows % threadRows != 0 || columns % threadColumns != 0)
    return emitError() << "a tile of " << rows << " x " << columns << " is not whole tiles of "
                       << threadRows << " x " << threadColumns << " of threads";
  int64_t shared = 2 * (sideBytes(rows, depth) + sideBytes(columns, depth));
  if (shared > mostShared)
    return emitError() << "two pieces of both sides are " << shared << " bytes, and a block shares "
                       << mostShared;
  return checkThreads(emitError, (rows / threadRows) * (columns / threadColumns));
}

LogicalResult MmaAttr::verify(EmitError emitError, int64_t rows, int64_t columns, int64_t depth,
                              int64_t warpsDown, int64_t warpsAcross, int64_t stages,
                              int64_t splits) {
  if (failed(checkSplits(emitError, splits)))
    return failure();
  std::pair<llvm::StringRef, int64_t> numbers[] = {{"rows", rows},
                                                   {"columns", columns},
                                                   {"depth", depth},
                                                   {"warps_down", warpsDown},
                                                   {"warps_across", warpsAcross}};
  for (auto [name, number] : numbers)
    if (number < 1 || !llvm::isPowerOf2_64(number))
      return emitError() << "`" << name << "` is " << number << ", no power of two";
  constexpr int64_t product = 16, most = 256; // rows, columns and depth that are multiplied at once
  if (rows / warpsDown < product || columns / warpsAcross < product || depth < product)
    return emitError() << "a warp has " << rows / warpsDown << " x " << columns / warpsAcross
                       << " of a tile, " << depth << " deep, and " << product << " of each are the "
                       << "least";
  if (std::max({rows, columns, depth}) > most)
    return emitError() << "a tile has at most " << most << " rows, columns and elements in depth";
  if (stages < 2)
    return emitError() << "`stages` is " << stages
                       << ": one is multiplied while others are on the way";
  if (int64_t shared = stages * (rows + columns) * depth * 2; shared > mostSharedAsked)
    return emitError() << "the stages are " << shared << " bytes, and a block shares at most "
                       << mostSharedAsked;
  return checkThreads(emitError, warpsDown * warpsAcross * warpThreads);
}

static int64_t wgmmaShared(int64_t rows, int64_t columns, int64_t consumers, int64_t stages,
                           int64_t sums) {
  // Of each warp 16 rows of 32 columns, in rows of 40 floats.
  int64_t outgoing = consumers * 4 * sums * 16 * 40 * int64_t(sizeof(float));
  auto barriers = int64_t(llvm::alignTo(uint64_t(2 * 8 * stages), 128));
  return stages * (rows + columns) * WgmmaAttr::stageDepth * 2 + barriers + outgoing;
}

LogicalResult WgmmaAttr::verify(EmitError emitError, int64_t rows, int64_t columns,
                                int64_t consumers, int64_t stages, int64_t cluster,
                                int64_t splits) {
  if (failed(checkSplits(emitError, splits)))
    return failure();
  if (consumers < 1 || consumers > 3)
    return emitError() << "`consumers` is " << consumers << ": one to three groups of warps";
  constexpr int64_t mostAcross = 256, inPieces = 32;
  int64_t each = groupRows * consumers;
  if (rows < 1 || rows % each != 0 || rows > mostAcross)
    return emitError() << "`rows` is " << rows << ": " << groupRows << " for each of " << consumers
                       << " consumers, or a multiple of that, at most " << mostAcross;
  if (columns < 1 || columns % inPieces != 0 || columns > mostAcross)
    return emitError() << "`columns` is " << columns << ", no multiple of " << inPieces
                       << " of at most " << mostAcross;
  if (stages < 2)
    return emitError() << "`stages` is " << stages
                       << ": one is multiplied while others are on the way";
  if (cluster != 1 && cluster != 2)
    return emitError() << "`cluster` is " << cluster << ": one or two blocks share what they read";
  int64_t floats = rows * columns / (consumers * groupThreads), most = consumers == 3 ? 96 : 160;
  if (floats > most)
    return emitError() << "a thread has " << floats << " sums, and " << most << " are the most of "
                       << consumers << (consumers == 1 ? " consumer" : " consumers");
  if (int64_t shared = wgmmaShared(rows, columns, consumers, stages, 1); shared > mostSharedAsked)
    return emitError() << "a block shares " << shared << " bytes, and at most " << mostSharedAsked
                       << " are there";
  return success();
}

int64_t WgmmaAttr::sharedBytes(int64_t sums) const {
  return wgmmaShared(getRows(), getColumns(), getConsumers(), getStages(), sums);
}

int64_t WgmmaAttr::blocksAtOnce() const {
  return devices().back().multiprocessors / getCluster() * getCluster();
}

/// Of attention by matrix instructions.
static LogicalResult verifyWarps(EmitError emitError, int64_t rows,
                                 std::pair<llvm::StringRef, int64_t> columns, int64_t warps,
                                 int64_t stages) {
  std::pair<llvm::StringRef, int64_t> numbers[] = {{"rows", rows}, columns, {"warps", warps}};
  for (auto [name, number] : numbers)
    if (number < 1 || !llvm::isPowerOf2_64(number))
      return emitError() << "`" << name << "` is " << number << ", no power of two";
  constexpr int64_t product = 16, most = 256; // rows, and what is summed, of one product
  if (rows / warps < product || columns.second < product)
    return emitError() << "a warp has " << rows / warps << " x " << columns.second
                       << " scores, and " << product << " of each are the least";
  if (std::max(rows, columns.second) > most)
    return emitError() << "a tile has at most " << most << " queries and keys";
  if (stages < 2)
    return emitError() << "`stages` is " << stages
                       << ": one is multiplied while others are on the way";
  return checkThreads(emitError, warps * warpThreads);
}

LogicalResult MmaAttentionAttr::verify(EmitError emitError, int64_t rows, int64_t keys,
                                       int64_t warps, int64_t stages) {
  return verifyWarps(emitError, rows, {"keys", keys}, warps, stages);
}

int64_t MmaAttentionAttr::sharedBytes(int64_t depth, int64_t values) const {
  int64_t down = narrowColumns(depth), across = narrowColumns(values);
  return 2 * (getRows() * down + getStages() * getKeys() * (down + across));
}

int64_t MmaAttentionAttr::floatsEach(int64_t, int64_t values) const {
  return getRows() * (narrowColumns(values) + getKeys()) / threads();
}

LogicalResult MmaAttentionGradAttr::verify(EmitError emitError, int64_t rows, int64_t columns,
                                           int64_t warps, int64_t stages) {
  if (warps * warpThreads < std::max(rows, columns))
    return emitError() << warps * warpThreads << " threads look at " << std::max(rows, columns)
                       << " queries, and each has one at most";
  return verifyWarps(emitError, rows, {"columns", columns}, warps, stages);
}

int64_t MmaAttentionGradAttr::sharedBytes(int64_t depth, int64_t values) const {
  int64_t both = narrowColumns(depth) + narrowColumns(values);
  int64_t constants = 3 * std::max(getRows(), getColumns()) * int64_t(sizeof(float));
  return 2 * both * (getRows() + getStages() * getColumns()) + constants;
}

int64_t MmaAttentionGradAttr::floatsEach(int64_t depth, int64_t values) const {
  return getRows() * (narrowColumns(depth) + narrowColumns(values) + 2 * getColumns()) / threads();
}
