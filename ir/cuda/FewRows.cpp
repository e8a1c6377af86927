// Products of few rows: what a schedule may be, and which is chosen.
#include "ir/cuda/FewRows.h"

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

bool liesDeep(KernelCase kernel, const kernel::Segment &segment, const kernel::Term &term) {
  unsigned number = cast<BlockArgument>(term.right()).getArgNumber();
  auto layout = dyn_cast<kernel::LayoutAttr>(kernel.op.getLayoutsAttr()[number]);
  if (!layout)
    return false;
  return walkOver(kernel.dims, layout, term.k).contiguous() &&
         !walkOver(kernel.dims, layout, segment.columns).contiguous();
}

std::pair<FewRowsAttr, double> fewRowsFor(KernelCase kernel, const kernel::ContractionForm &form,
                                          const Device &device, int64_t unknownRows) {
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
  constexpr int64_t mostRows = 4, mostColumns = 64, usualColumns = 1024;
  constexpr int64_t longDepth = 32 << 10;
  auto rows = int64_t(llvm::bit_ceil(uint64_t(std::min(count(form.rows, mostRows), mostRows))));
  auto blocks = [&](int64_t columns, int64_t allRows) -> int64_t {
    int64_t all = 0;
    for (const kernel::Segment &each : form.segments)
      all += llvm::divideCeil(count(each.columns, usualColumns), columns);
    return all * count(form.batch, 1) * int64_t(llvm::divideCeil(count(form.rows, allRows), rows));
  };
  // Sectors of 32 bytes are read as a whole.
  int64_t columns = mostColumns, least = deepFirst ? threadColumns : 2 * piece;
  while (columns > least && blocks(columns, 1) < device.multiprocessors)
    columns /= 2;
  int64_t threads = 128;
  while (threads > warpThreads && threads / 2 >= columns &&
         threads / (columns / threadColumns) * threadDepth > count(term.k, longDepth))
    threads /= 2;
  // Clocks: of an element of the right side an addition for each row, and what brings it; of all of
  // them the time that memory takes.
  constexpr double around = 3, lanes = 128, bytesOfMemory = 1500, bytesOfCache = 4000;
  auto elements = double(columns) * double(count(term.k, longDepth));
  int64_t all = blocks(columns, unknownRows), once = blocks(columns, 1);
  double computing = double(llvm::divideCeil(all, device.multiprocessors)) * elements *
                     (double(rows) + around) / lanes;
  // What other rows read too is in the second cache by then.
  double bytes = elements * (narrow ? 2 : 4);
  double reading = std::max(double(once) / bytesOfMemory, double(all) / bytesOfCache) * bytes;
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
