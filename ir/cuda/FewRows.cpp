// Products of few rows: what a schedule may be, what it takes, and which is chosen.
#include "ir/cuda/FewRows.h"

#include "ir/cuda/EstimateAdding.h"
#include "ir/cuda/Tiles.h"
#include "ir/kernel/Walk.h"

using namespace mlir;

namespace weft::cuda {

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

LogicalResult FewRowsAttr::verify(EmitError emitError, int64_t rows, int64_t columns,
                                  int64_t threads, int64_t threadColumns, int64_t threadDepth) {
  std::pair<llvm::StringRef, int64_t> numbers[] = {{"rows", rows},
                                                   {"columns", columns},
                                                   {"threads", threads},
                                                   {"thread_columns", threadColumns},
                                                   {"thread_depth", threadDepth}};
  for (auto [name, number] : numbers)
    if (number < 1 || !llvm::isPowerOf2_64(number))
      return emitError() << "`" << name << "` is " << number << ", no power of two";
  if (threads < warpThreads || threads > mostThreads)
    return emitError() << "`threads` is " << threads << ": a block has whole warps of "
                       << warpThreads << ", at most " << mostThreads << " threads";
  if (columns < threadColumns || columns > threads)
    return emitError() << "`columns` is " << columns << ": the " << threadColumns
                       << " of a thread at least, and one for each of " << threads << " at most";
  constexpr int64_t mostFloats = 64;
  if (rows * threadColumns > mostFloats || threadDepth * threadColumns > mostFloats ||
      threadDepth * rows > mostFloats)
    return emitError() << "a thread has " << rows << " x " << threadColumns << " sums, and reads "
                       << threadDepth << " deep of both sides; " << mostFloats
                       << " floats of each are the most";
  return success();
}

int64_t FewRowsAttr::sharedBytes(int64_t sums) const {
  return sums * (getThreads() / warpThreads) * getRows() * getColumns() * int64_t(sizeof(float));
}

LogicalResult ByRowsAttr::verify(EmitError emitError, int64_t rows, FewRowsAttr,
                                 kernel::ScheduleAttr many) {
  if (rows < 1)
    return emitError() << "`rows` is " << rows << ", below 1";
  if (!isa<ContractionAttr, MmaAttr, WgmmaAttr>(many))
    return emitError() << "`many` is " << many << ", no schedule of a product of many rows";
  return success();
}

/// Whether neighbours in memory of a right side lie along the depth.
static bool liesDeep(KernelCase kernel, const kernel::Segment &segment, const kernel::Term &term) {
  unsigned number = cast<BlockArgument>(term.right()).getArgNumber();
  auto layout = dyn_cast<kernel::LayoutAttr>(kernel.op.getLayoutsAttr()[number]);
  if (!layout)
    return false;
  return walkOver(kernel.dims, layout, term.k).contiguous() &&
         !walkOver(kernel.dims, layout, segment.columns).contiguous();
}

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
        all.globalBytesMoved += tiles * depth * (line + again * rows * leftBytes);
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

std::pair<FewRowsAttr, double> fewRowsFor(KernelCase kernel, const kernel::ContractionForm &form,
                                          const Device &device) {
  auto count = [&](ArrayRef<model::DimAttr> dims, int64_t unknown) {
    return std::max<int64_t>(1, kernel.dims.known(kernel::sizeOf(dims)).value_or(unknown));
  };
  const kernel::Segment &segment = form.segments.front();
  const kernel::Term &term = segment.sums.front().terms.front();
  unsigned right = cast<BlockArgument>(term.right()).getArgNumber();
  bool narrow = bool(kernel::storageIn(kernel.op.getLayoutsAttr()[right]));
  bool deepFirst = liesDeep(kernel, segment, term);
  // A piece of 16 bytes along what is contiguous, and some of them at a time.
  int64_t piece = narrow ? 8 : 4;
  int64_t threadColumns = deepFirst ? 4 : piece, threadDepth = deepFirst ? piece : 8;
  // More rows would take longer than their right side takes to come; few are likely to be one.
  constexpr int64_t mostRows = 4, mostColumns = 64, usualDepth = 1024;
  auto rows = int64_t(llvm::bit_ceil(uint64_t(std::min(count(form.rows, mostRows), mostRows))));
  auto blocks = [&](int64_t columns) {
    int64_t all = 0;
    for (const kernel::Segment &each : form.segments)
      all += llvm::divideCeil(count(each.columns, usualDepth), columns);
    return all * count(form.batch, 1) * llvm::divideCeil(count(form.rows, 1), rows);
  };
  // Sectors of 32 bytes are read as a whole.
  int64_t columns = mostColumns, least = deepFirst ? threadColumns : 2 * piece;
  while (columns > least && blocks(columns) < device.multiprocessors)
    columns /= 2;
  int64_t threads = 128;
  while (threads > warpThreads && threads / 2 >= columns &&
         threads / (columns / threadColumns) * threadDepth > count(term.k, usualDepth))
    threads /= 2;
  // Clocks: of an element of the right side an addition for each row, and what brings it; of all of
  // them the time that memory takes.
  constexpr double around = 3, lanes = 128, bytesOfMemory = 1500;
  auto elements = double(columns) * double(count(term.k, usualDepth));
  auto waves = double(llvm::divideCeil(blocks(columns), device.multiprocessors));
  double computing = waves * elements * (double(rows) + around) / lanes;
  double reading = double(blocks(columns)) * elements * (narrow ? 2 : 4) / bytesOfMemory;
  auto schedule =
      FewRowsAttr::get(kernel.op.getContext(), rows, columns, threads, threadColumns, threadDepth);
  return {schedule, std::max(computing, reading)};
}

std::string fewRowsProblem(const kernel::ContractionForm &form, FewRowsAttr schedule) {
  int64_t sums = 1;
  for (const kernel::Segment &segment : form.segments)
    sums = std::max<int64_t>(sums, segment.sums.size());
  if (int64_t shared = schedule.sharedBytes(sums); shared > mostShared)
    return ("shares " + Twine(shared) + " bytes in a block, and " + Twine(mostShared) +
            " are the most")
        .str();
  return "";
}

} // namespace weft::cuda
