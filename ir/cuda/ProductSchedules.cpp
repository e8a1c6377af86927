// How products are cut on a GPU.
#include "ir/cuda/ProductSchedules.h"

#include "ir/cuda/TensorSide.h"

#include <tuple>

using namespace mlir;
using weft::kernel::ScheduleAttr;

namespace weft::cuda {

static int64_t mostSums(const kernel::ContractionForm &form) {
  int64_t most = 1;
  for (const kernel::Segment &segment : form.segments)
    most = std::max<int64_t>(most, segment.sums.size());
  return most;
}

/// Floats of sums that a thread may have in registers, beside two sides of a product.
static constexpr int64_t mostFloats = 128;

namespace {
/// What a product is like, as far as it is known before a run.
class Products {
public:
  Products(KernelCase kernel, const kernel::ContractionForm &form, const Device &device)
      : kernel(kernel), form(form), device(device), sums(mostSums(form)),
        factors(kernel::factorsOf(kernel.op, form)), context(kernel.op.getContext()) {}

  /// A cost of all tiles of this size, to be compared: they are multiplied at a rate, 1 of them at
  /// the most that there is, once for each tile that a multiprocessor gets; `deep` at a time. Those
  /// of `cluster` multiprocessors lie one below the other.
  double time(int64_t rows, int64_t columns, int64_t deep, double rate, int64_t cluster = 1) const {
    int64_t across = 0;
    for (const kernel::Segment &segment : form.segments)
      across += llvm::divideCeil(count(segment.columns, columns), columns);
    int64_t all =
        llvm::divideCeil(count(form.rows, manyRows * device.multiprocessors), rows * cluster) *
        across * count(form.batch, 1);
    const kernel::Term &term = form.segments.front().sums.front().terms.front();
    constexpr int64_t usualDepth = 1024;
    auto depth = int64_t(llvm::alignTo(uint64_t(count(term.k, usualDepth)), uint64_t(deep)));
    return double(llvm::divideCeil(std::max<int64_t>(all, 1), device.multiprocessors / cluster)) *
           double(rows * columns) * double(depth) / rate;
  }

  KernelCase kernel;
  const kernel::ContractionForm &form;
  const Device &device;
  int64_t sums;
  kernel::Factors factors;
  MLIRContext *context;

private:
  static constexpr int64_t manyRows = 1024;
  int64_t count(ArrayRef<model::DimAttr> dims, int64_t unknown) const {
    return kernel.dims.known(kernel::sizeOf(dims)).value_or(unknown);
  }
};
} // namespace

/// Of a few tiles the one that all products take least time with: only warps with large parts reach
/// the rate that there is.
static std::pair<MmaAttr, double> mmaFor(const Products &products) {
  struct Tile {
    int64_t rows, columns, depth, down, across, stages;
    double rate; // of the most that there is
  };
  static constexpr Tile tiles[] = {{128, 128, 32, 2, 4, 3, 1},   {128, 64, 32, 2, 2, 4, 0.85},
                                   {64, 128, 32, 2, 2, 4, 0.85}, {64, 64, 32, 2, 2, 4, 0.7},
                                   {32, 64, 64, 1, 4, 4, 0.45},  {16, 64, 64, 1, 4, 4, 0.25}};
  const Tile *best = nullptr;
  double least = 0;
  for (const Tile &tile : tiles) {
    if (tile.rows * tile.columns / (tile.down * tile.across * warpThreads) * products.sums >
        mostFloats)
      continue;
    double time = products.time(tile.rows, tile.columns, tile.depth, tile.rate);
    if (!best || time < least)
      std::tie(best, least) = std::pair(&tile, time);
  }
  if (!best)
    return {};
  // Of what is twice as large, a stage is half as deep.
  int64_t depth =
      best->depth * kernel::bytesOf(kernel::Factors::bf16) / kernel::bytesOf(products.factors);
  return {MmaAttr::get(products.context, best->rows, best->columns, depth, best->down, best->across,
                       best->stages),
          least};
}

/// Why a schedule cannot be one of products by four warps, or "".
static std::string wgmmaProblem(KernelCase kernel, WgmmaAttr schedule, const Device &device) {
  if (!device.exact)
    return ("is for sm_90a alone, not for " + device.name).str();
  FailureOr<kernel::ContractionForm> form = kernel::contractionInOrder(kernel.op);
  if (failed(form))
    return "is no contraction";
  int64_t sums = mostSums(*form);
  if (schedule.sumsEach() * sums > mostFloats)
    return ("has " + Twine(schedule.sumsEach() * sums) + " sums in each thread, and " +
            Twine(mostFloats) + " are the most")
        .str();
  if (schedule.sharedBytes(sums) > device.mostShared)
    return ("shares " + Twine(schedule.sharedBytes(sums)) + " bytes in a block, and " +
            Twine(device.mostShared) + " are the most")
        .str();
  std::string why;
  unsigned terms = 0;
  for (const kernel::Segment &segment : form->segments)
    for (const kernel::Sum &sum : segment.sums)
      for (const kernel::Term &term : sum.terms) {
        auto left = tensorSideOf(kernel, term.left(), form->batch, form->rows, term.k, why);
        auto right = tensorSideOf(kernel, term.right(), form->batch, segment.columns, term.k, why);
        if (!left || !right)
          return "copies tiles of tensors, and " + why;
        int64_t part = schedule.getColumns() / schedule.getCluster();
        if (!right->alongDepth && part % WgmmaAttr::stageDepth != 0)
          return ("has " + Twine(part) +
                  " columns that a block copies, and the right side, which "
                  "lies along them, is copied " +
                  Twine(WgmmaAttr::stageDepth) + " at a time")
              .str();
        ++terms;
      }
  constexpr unsigned mostTerms = 8; // parameters of a kernel are few
  if (terms > mostTerms)
    return ("adds " + Twine(terms) + " products, and " + Twine(mostTerms) + " are the most").str();
  return "";
}

/// The same, by four warps at a time: the larger a tile, the less of shared memory is read.
static std::pair<WgmmaAttr, double> wgmmaFor(const Products &products) {
  struct Tile {
    int64_t rows, columns, consumers, stages, cluster;
    double rate;
  };
  // Of a step's clocks those that matrix instructions take: shared memory or, where nothing is
  // shared in a cluster, the second cache may take longer.
  static constexpr Tile tiles[] = {{128, 256, 2, 4, 2, 1},    {128, 256, 2, 4, 1, 0.78},
                                   {128, 192, 2, 5, 2, 0.94}, {128, 192, 2, 5, 1, 0.7},
                                   {128, 128, 2, 6, 2, 0.8},  {128, 128, 2, 6, 1, 0.58},
                                   {64, 256, 1, 4, 1, 0.5},   {128, 64, 2, 6, 1, 0.4},
                                   {64, 128, 1, 6, 1, 0.4},   {64, 64, 1, 8, 1, 0.3}};
  // Of the time that mma.sync takes at its best rate for the same.
  constexpr double byWarps = 0.62;
  std::pair<WgmmaAttr, double> best;
  for (const Tile &tile : tiles) {
    auto schedule = WgmmaAttr::get(products.context, tile.rows, tile.columns, tile.consumers,
                                   tile.stages, tile.cluster);
    if (!wgmmaProblem(products.kernel, schedule, products.device).empty())
      continue;
    double time = byWarps * products.time(tile.rows, tile.columns, WgmmaAttr::stageDepth, tile.rate,
                                          tile.cluster);
    if (!best.first || time < best.second)
      best = {schedule, time};
  }
  return best;
}

LogicalResult checkNarrowProducts(KernelCase kernel, ScheduleAttr schedule, const Device &device) {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return kernel.op.emitOpError("cannot be built as a contraction");
  kernel::Factors factors = kernel::factorsOf(kernel.op, *form);
  if (factors == kernel::Factors::float32)
    return kernel.op.emitOpError("multiplies what is neither stored as bf16 nor read as tf32: its "
                                 "schedule is one of `cuda.contraction`");
  if (factors == kernel::Factors::tf32 && !isa<MmaAttr>(schedule))
    return kernel.op.emitOpError() << schedule << " multiplies bf16; tf32 has `cuda.mma`";
  if (auto wgmma = dyn_cast<WgmmaAttr>(schedule)) {
    std::string problem = wgmmaProblem(kernel, wgmma, device);
    return problem.empty() ? success()
                           : LogicalResult(kernel.op.emitOpError()
                                           << wgmma << " " << problem << "; use `cuda.mma`");
  }
  auto mma = cast<MmaAttr>(schedule);
  if (int64_t bytes = mma.sharedBytes(kernel::bytesOf(factors)); bytes > device.mostShared)
    return kernel.op.emitOpError("shares ")
           << bytes << " bytes in a block, and " << device.mostShared << " are the most for "
           << device.name;
  if (int64_t floats = mma.sumsEach() * mostSums(*form); floats > mostFloats)
    return kernel.op.emitOpError("has ")
           << floats << " sums in each thread, and " << mostFloats << " are the most";
  return success();
}

/// A schedule of matrix instructions, or nothing.
static ScheduleAttr narrowFor(KernelCase kernel, const kernel::ContractionForm &form,
                              const Device &device, bool tensors) {
  Products products(kernel, form, device);
  auto [mma, byMma] = mmaFor(products);
  if (tensors && device.exact && products.factors == kernel::Factors::bf16)
    if (auto [wgmma, byWgmma] = wgmmaFor(products); wgmma && (!mma || byWgmma < byMma))
      return wgmma;
  return mma;
}

/// The largest tile of which there is one for each multiprocessor; sums that a thread has in
/// registers are at most 64, of all sums together.
FailureOr<ScheduleAttr> contractionFor(KernelCase kernel, const Device &device, bool tensors) {
  std::string why;
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op, &why);
  if (failed(form))
    return kernel.op.emitOpError("cannot be built as a contraction: ") << why;
  if (kernel::factorsOf(kernel.op, *form) != kernel::Factors::float32)
    if (ScheduleAttr narrow = narrowFor(kernel, *form, device, tensors))
      return narrow;
  constexpr int64_t large = 128, small = 64, depth = 16, unroll = 4;
  int64_t sums = 1, most = 0;
  auto count = [&](ArrayRef<model::DimAttr> dims, int64_t unknown) {
    return kernel.dims.known(kernel::sizeOf(dims)).value_or(unknown);
  };
  int64_t rows = count(form->rows, large * device.multiprocessors), columns = 0;
  for (const kernel::Segment &segment : form->segments) {
    sums = std::max<int64_t>(sums, segment.sums.size());
    int64_t each = count(segment.columns, large);
    columns += each;
    most = std::max(most, each);
  }
  int64_t tiles =
      llvm::divideCeil(rows, large) * llvm::divideCeil(columns, large) * count(form->batch, 1);
  bool isLarge = sums == 1 && rows > small && most > small && tiles >= device.multiprocessors;
  int64_t tile = isLarge ? large : small, each = isLarge ? 8 : 4;
  if (sums > 4) // of registers there are 255
    each = 2;
  return ScheduleAttr(ContractionAttr::get(kernel.op.getContext(), each == 2 ? small / 2 : tile,
                                           each == 2 ? small / 2 : tile, depth, each, each,
                                           unroll));
}

FailureOr<ScheduleAttr> withoutTensors(KernelCase kernel, WgmmaAttr wgmma, const Device &device) {
  FailureOr<ScheduleAttr> chosen = contractionFor(kernel, device);
  if (failed(chosen))
    return failure();
  if (*chosen == wgmma)
    return contractionFor(kernel, device, /*tensors=*/false);
  return kernel.op.emitOpError() << wgmma
                                 << " copies tiles of tensors, and an operand does not begin "
                                    "at a multiple of "
                                 << tensorAlignment << " bytes in every launch; use `cuda.mma`";
}

} // namespace weft::cuda
