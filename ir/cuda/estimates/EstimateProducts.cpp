// What products take: tiles in shared memory, sums in registers.
#include "ir/cuda/Tiles.h"
#include "ir/cuda/estimates/EstimateAdding.h"

using namespace mlir;

namespace weft::cuda {

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
  DepthCut cut(kernel, *form, getSplits(), getDepth());
  size_t sums = 1;
  for (const kernel::Segment &segment : form->segments) {
    double columnTiles = tilesOf(kernel.count(segment.columns), getColumns());
    double tiles = kernel.count(form->batch) * rowTiles * columnTiles;
    all.blocks += int64_t(tiles * cut.parts);
    threadCount = tiles * double(threads());
    sums = std::max(sums, segment.sums.size());
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        double pieces = cut.steps(kernel.count(term.k));
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
    addResults(all, kernel, *form, segment, threadCount * double(perThread), cut);
  }
  all.threads = threads();
  all.sharedBytes = 2 * (sideBytes(getRows(), getDepth()) + sideBytes(getColumns(), getDepth()));
  // What is fetched waits in registers, beside where it is from.
  all.registers = perThread * int64_t(sums) + getThreadRows() + getThreadColumns() + 3 * staged +
                  usualRegisters;
  all.registers = std::min(all.registers, mostRegisters);
  addLaunchBehind(all, kernel, *form, cut);
  return all;
}

FailureOr<Estimate> MmaAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return failure();
  kernel::Factors factors = kernel::factorsOf(kernel.op, *form);
  bool tf32 = factors == kernel::Factors::tf32;
  constexpr int64_t product = 16, warp = 32; // rows of a product, twice its columns
  const int64_t productDepth = tf32 ? 8 : 16;
  const double bytes = double(kernel::bytesOf(factors));
  int64_t down = getRows() / getWarpsDown() / product,
          across = getColumns() / getWarpsAcross() / product; // of a warp
  // Of a step of one product's depth: fragments of both sides, products, their addresses.
  double each = double(down + across) * (1 + addressing) + double(down * across) * 2;
  if (tf32) // each register of a fragment is rounded, and may be a load of its own
    each += double(down + across) * 2 * 4;
  double copies = double((getRows() + getColumns()) * getDepth()) * bytes / (16.0 * threads());
  Estimate all;
  DepthCut cut(kernel, *form, getSplits(), getDepth());
  size_t sums = 1;
  for (const kernel::Segment &segment : form->segments) {
    double columnTiles = tilesOf(kernel.count(segment.columns), getColumns());
    double rowTiles = tilesOf(kernel.count(form->rows), getRows());
    double tiles = kernel.count(form->batch) * rowTiles * columnTiles;
    double threadCount = tiles * double(threads());
    all.blocks += int64_t(tiles * cut.parts);
    sums = std::max(sums, segment.sums.size());
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        double pieces = cut.steps(kernel.count(term.k));
        double steps = pieces * double(getDepth() / productDepth);
        all.instructions +=
            threadCount * (steps * each + pieces * (copies * staging + 2 * looping));
        (tf32 ? all.tf32Flops : all.tensorFlops) +=
            2.0 * tiles * double(getRows() * getColumns()) * pieces * double(getDepth());
        // A fragment is 16 rows of 32 bytes; what is copied is stored once.
        all.sharedBytesMoved +=
            threadCount / warp * steps * double(down + across) * product * productDepth * bytes +
            threadCount * pieces * copies * 16;
        double depth = kernel.count(term.k);
        all.globalBytesMoved +=
            depth * kernel.count(form->batch) * bytes *
            (kernel.count(form->rows) * columnTiles + kernel.count(segment.columns) * rowTiles);
      }
    // Sums go through shared memory to what is computed beside them, and stored.
    double elements = threadCount * double(sumsEach());
    all.sharedBytesMoved += cut.parts * elements * 2 * sizeof(float) * double(segment.sums.size());
    all.instructions += cut.parts * elements * addressing; // to shared memory and from it
    addResults(all, kernel, *form, segment, elements, cut);
  }
  all.threads = threads();
  all.sharedBytes = sharedBytes(kernel::bytesOf(factors));
  all.registers = sumsEach() * int64_t(sums) + 4 * down + 4 * across + usualRegisters;
  addLaunchBehind(all, kernel, *form, cut);
  return all;
}

/// Of blocks that go from tile to tile, whatever their number.
FailureOr<Estimate> WgmmaAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return failure();
  constexpr double bytes = 2;
  double consumers = double(getConsumers() * groupThreads);
  Estimate all;
  size_t sums = 1;
  // Blocks of a cluster have tiles one below the other, whether there are rows for them or not.
  double rowTiles =
      tilesOf(kernel.count(form->rows), getRows() * getCluster()) * double(getCluster());
  double allTiles = 0;
  DepthCut cut(kernel, *form, getSplits(), stageDepth);
  for (const kernel::Segment &segment : form->segments) {
    double columnTiles = tilesOf(kernel.count(segment.columns), getColumns());
    double tiles = kernel.count(form->batch) * rowTiles * columnTiles;
    allTiles += tiles * cut.parts;
    sums = std::max(sums, segment.sums.size());
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        double pieces = tiles * cut.steps(kernel.count(term.k));
        double tile = double(getRows() * getColumns()) * double(stageDepth);
        all.tensorFlops += 2 * pieces * tile;
        double left = double(getRows() * stageDepth) * bytes,
               right = double(getColumns() * stageDepth) * bytes;
        // Each product of 64 rows reads its own of the left side and all of the right one; what is
        // copied is stored once, and read once for all blocks of a cluster.
        all.sharedBytesMoved +=
            pieces * (left + right * double(getRows() / groupRows) + left + right);
        all.globalBytesMoved += pieces * (left + right / double(getCluster()));
        all.instructions += pieces * consumers * (double(getRows() / groupRows) * 12 + 40);
      }
    // Sums go through shared memory to what is computed beside them, and stored.
    double elements = tiles * double(getRows() * getColumns());
    all.sharedBytesMoved += cut.parts * elements * 2 * sizeof(float) * double(segment.sums.size());
    all.instructions += cut.parts * elements * addressing; // to shared memory and from it
    addResults(all, kernel, *form, segment, elements, cut);
  }
  all.tiles = int64_t(allTiles);
  all.blocks = std::min(all.tiles, blocksAtOnce());
  all.threads = threads();
  all.sharedBytes = sharedBytes(int64_t(sums));
  all.registers = registersAtStart();
  all.byGroups = true;
  addLaunchBehind(all, kernel, *form, cut);
  return all;
}

} // namespace weft::cuda
