// What products of few rows take: a right side that comes from memory once.
#include "ir/cuda/FewRows.h"
#include "ir/cuda/Tiles.h"
#include "ir/cuda/estimates/EstimateAdding.h"

using namespace mlir;

namespace weft::cuda {

FailureOr<Estimate> FewRowsAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ContractionForm> form = kernel::contractionInOrder(kernel.op);
  if (failed(form))
    return failure();
  constexpr double most = 16, sector = 32; // bytes that are read at once, and at least
  auto rows = double(getRows()), each = double(getThreadColumns()), deep = double(getThreadDepth());
  Estimate all;
  size_t sums = 1;
  int64_t left = 1;
  for (const kernel::Segment &segment : form->segments) {
    double tiles = kernel.count(form->batch) * tilesOf(kernel.count(form->rows), getRows()) *
                   tilesOf(kernel.count(segment.columns), getColumns());
    double threadCount = tiles * double(getThreads());
    all.blocks += int64_t(tiles);
    sums = std::max(sums, segment.sums.size());
    bool deepFirst =
        liesDeep({kernel.op, kernel.dims}, segment, segment.sums.front().terms.front());
    // Of a warp the threads that have the same columns, and warps that read the same of the left.
    double together = deepFirst ? double(std::min(this->deep(), warpThreads))
                                : double(std::max<int64_t>(1, warpThreads / across()));
    double again = deepFirst ? std::max(1.0, double(across()) * together / warpThreads)
                             : std::max(1.0, double(across()) / warpThreads);
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        auto bytesOf = [&](Value side) {
          return double(kernel.elementBytes(cast<BlockArgument>(side).getArgNumber()));
        };
        double bytes = bytesOf(term.right()), leftBytes = bytesOf(term.left());
        double depth = kernel.count(term.k);
        double steps = tilesOf(depth, this->deep() * getThreadDepth());
        double pieces = deep * each * bytes / most + rows * std::max(1.0, deep * leftBytes / most);
        double widened = (bytes < 4 ? deep * each : 0) + (leftBytes < 4 ? deep * rows : 0);
        double products = rows * each * deep;
        all.instructions +=
            threadCount * steps * (pieces * (1 + addressing) + widened + products + looping);
        all.floats += threadCount * steps * products;
        double line = deepFirst ? double(getColumns()) * bytes
                                : std::max(sector, double(getColumns()) * bytes);
        // Of a row of several pieces, each is read by itself: half of a sector for each thread.
        double halves = deep * leftBytes > most ? 2 : 1;
        all.globalBytesMoved += tiles * depth * (line + again * halves * rows * leftBytes);
        left = std::max<int64_t>(left, getRows() * getThreadDepth());
      }
    // Sums of a warp are added in a butterfly, those of warps in shared memory.
    auto many = double(segment.sums.size());
    double slices = double(this->deep()) / together,
           elements = tiles * double(getRows() * getColumns());
    all.instructions += threadCount * many * rows * each * (2 * std::log2(together) + 1);
    all.floats += threadCount * many * rows * each * std::log2(together);
    all.sharedBytesMoved += 2 * elements * many * slices * sizeof(float);
    all.instructions += elements * many * slices * 3;
    addResults(all, kernel, *form, segment, elements, DepthCut(kernel, *form, 1, 1));
  }
  all.threads = getThreads();
  all.sharedBytes = sharedBytes(int64_t(sums));
  all.registers =
      std::min(mostRegisters, getRows() * getThreadColumns() +
                                  getThreadDepth() * getThreadColumns() + left + usualRegisters);
  return all;
}

FailureOr<Estimate> ByRowsAttr::estimate(EstimateCase kernel) const {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return failure();
  if (kernel.count(form->rows) <= double(getRows()))
    return getFew().estimate(kernel);
  return cast<DeviceSchedule>(getMany()).estimate(kernel);
}

} // namespace weft::cuda
