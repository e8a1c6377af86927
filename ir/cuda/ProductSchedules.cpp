// How products are cut on a GPU.
#include "ir/cuda/ProductSchedules.h"

#include "ir/cuda/FewRows.h"
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

/// Parts that a depth is cut into at most, unless a schedule says otherwise.
static constexpr int64_t usualSplits = 16;
/// Floats of sums that a thread may have in registers, beside two sides of a product.
static constexpr int64_t mostFloats = 128;

namespace {
/// What a product is like, as far as it is known before a run.
class Products {
public:
  /// `rows`: those that a run has, where they come with the data.
  Products(KernelCase kernel, const kernel::ContractionForm &form, const Device &device,
           int64_t rows = 0)
      : kernel(kernel), form(form), device(device), sums(mostSums(form)),
        factors(kernel::factorsOf(kernel.op, form)), context(kernel.op.getContext()), rows(rows) {}

  /// Clocks that all tiles of this size take, to be compared: a multiprocessor multiplies at a
  /// `rate`, pairs of numbers a clock, once for each tile that it gets; `deep` at a time. Those of
  /// `cluster` multiprocessors lie one below the other. The depth is cut into `splits` parts.
  double time(int64_t rows, int64_t columns, int64_t deep, double rate, int64_t cluster,
              int64_t splits) const {
    int64_t across = 0, elements = 0;
    for (const kernel::Segment &segment : form.segments) {
      int64_t each = count(segment.columns, columns);
      across += llvm::divideCeil(each, columns);
      elements += each * int64_t(segment.sums.size());
    }
    int64_t down = count(form.rows, this->rows ? this->rows : manyRows * device.multiprocessors);
    int64_t batch = count(form.batch, 1);
    int64_t all = llvm::divideCeil(down, rows * cluster) * across * batch * splits;
    const kernel::Term &term = form.segments.front().sums.front().terms.front();
    int64_t steps = llvm::divideCeil(count(term.k, longDepth), deep);
    int64_t depth = llvm::divideCeil(steps, splits) * deep;
    double time =
        double(llvm::divideCeil(std::max<int64_t>(all, 1), device.multiprocessors / cluster)) *
        double(rows * columns) * double(depth) / rate;
    // What memory takes to write a float and to read it again, and to start a launch behind: by
    // the figures of docs/predictions.md, for either device.
    constexpr double eachPart = 0.005, launch = 6000;
    return splits == 1
               ? time
               : time + launch + eachPart * double(splits * batch * down) * double(elements);
  }
  /// Whether there may be so few tiles that a depth is worth being cut: a batch that comes with the
  /// data is of many.
  bool mayHaveFewTiles() const { return kernel.dims.known(kernel::sizeOf(form.batch)).has_value(); }
  /// Pairs that a multiprocessor multiplies in a clock at most: by four warps, by one at a time,
  /// and by single fused multiply-adds.
  double byGroups() const { return 2048; }
  double byWarps() const { return device.exact ? 0.62 * byGroups() : 1024; }
  double byThreads() const { return device.exact ? 128 : 64; }

  KernelCase kernel;
  const kernel::ContractionForm &form;
  const Device &device;
  int64_t sums;
  kernel::Factors factors;
  MLIRContext *context;

private:
  int64_t rows;
  // What comes with the data is much: the rows, or, where a weight's gradient is summed, the depth.
  static constexpr int64_t manyRows = 1024, longDepth = 32 << 10;
  int64_t count(ArrayRef<model::DimAttr> dims, int64_t unknown) const {
    return kernel.dims.known(kernel::sizeOf(dims)).value_or(unknown);
  }
};

/// Tiles of warps: only those with large parts reach the rate that there is.
struct WarpTile {
  int64_t rows, columns, depth, down, across, stages;
  double rate; // of the most that there is

  double time(const Products &products, int64_t splits) const {
    return products.time(rows, columns, depth, rate * products.byWarps(), 1, splits);
  }
  bool isOf(MmaAttr schedule) const {
    return schedule.getRows() == rows && schedule.getColumns() == columns;
  }
};
constexpr WarpTile warpTiles[] = {{128, 128, 32, 2, 4, 3, 1},   {128, 64, 32, 2, 2, 4, 0.85},
                                  {64, 128, 32, 2, 2, 4, 0.85}, {64, 64, 32, 2, 2, 4, 0.7},
                                  {32, 64, 64, 1, 4, 4, 0.45},  {16, 64, 64, 1, 4, 4, 0.25}};

/// Tiles of four warps: the larger one is, the less of shared memory is read.
struct GroupTile {
  int64_t rows, columns, consumers, stages, cluster;
  double rate;

  double time(const Products &products, int64_t splits) const {
    return products.time(rows, columns, WgmmaAttr::stageDepth, rate * products.byGroups(), cluster,
                         splits);
  }
  bool isOf(WgmmaAttr schedule) const {
    return schedule.getRows() == rows && schedule.getColumns() == columns &&
           schedule.getCluster() == cluster;
  }
};
// Of a step's clocks those that matrix instructions take: shared memory or, where nothing is
// shared in a cluster, the second cache may take longer.
constexpr GroupTile groupTiles[] = {{128, 256, 2, 4, 2, 1},    {128, 256, 2, 4, 1, 0.78},
                                    {128, 192, 2, 5, 2, 0.94}, {128, 192, 2, 5, 1, 0.7},
                                    {128, 128, 2, 6, 2, 0.8},  {128, 128, 2, 6, 1, 0.58},
                                    {64, 256, 1, 4, 1, 0.5},   {128, 64, 2, 6, 1, 0.4},
                                    {64, 128, 1, 6, 1, 0.4},   {64, 64, 1, 8, 1, 0.3}};

/// Tiles of threads, square as each thread's part is: the smaller that is, the more is read of
/// shared memory for each product.
struct SquareTile {
  int64_t side, each;
  double rate;

  static constexpr int64_t depth = 16;
  double time(const Products &products, int64_t splits) const {
    return products.time(side, side, depth, rate * products.byThreads(), 1, splits);
  }
  bool isOf(ContractionAttr schedule) const { return schedule.getRows() == side; }
};
constexpr SquareTile squareTiles[] = {{128, 8, 0.8}, {64, 4, 0.65}, {32, 2, 0.4}};
} // namespace

/// Of a few tiles the one that all products take least time with, and into how many parts the depth
/// is cut.
template <typename Tile, typename Schedule>
static std::pair<Schedule, double>
leastOf(ArrayRef<Tile> tiles, const Products &products,
        llvm::function_ref<Schedule(const Tile &, int64_t splits)> make) {
  std::pair<Schedule, double> best;
  for (const Tile &tile : tiles)
    if (make(tile, 1))
      for (int64_t splits = 1; splits <= (products.mayHaveFewTiles() ? usualSplits : 1); ++splits)
        if (double time = tile.time(products, splits); !best.first || time < best.second)
          best = {make(tile, splits), time};
  return best;
}

static std::pair<MmaAttr, double> mmaFor(const Products &products) {
  return leastOf<WarpTile, MmaAttr>(
      warpTiles, products, [&](const WarpTile &tile, int64_t splits) -> MmaAttr {
        int64_t floats = tile.rows * tile.columns / (tile.down * tile.across * warpThreads);
        if (floats * products.sums > mostFloats)
          return {};
        // Of what is twice as large, a stage is half as deep.
        int64_t depth =
            tile.depth * kernel::bytesOf(kernel::Factors::bf16) / kernel::bytesOf(products.factors);
        return MmaAttr::get(products.context, tile.rows, tile.columns, depth, tile.down,
                            tile.across, tile.stages, splits);
      });
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

static std::pair<WgmmaAttr, double> wgmmaFor(const Products &products) {
  return leastOf<GroupTile, WgmmaAttr>(
      groupTiles, products, [&](const GroupTile &tile, int64_t splits) -> WgmmaAttr {
        auto schedule = WgmmaAttr::get(products.context, tile.rows, tile.columns, tile.consumers,
                                       tile.stages, tile.cluster, splits);
        bool fits = wgmmaProblem(products.kernel, schedule, products.device).empty();
        return fits ? schedule : WgmmaAttr();
      });
}

LogicalResult checkProducts(KernelCase kernel, ScheduleAttr schedule, const Device &device) {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  if (failed(form))
    return kernel.op.emitOpError("cannot be built as a contraction");
  if (auto byRows = dyn_cast<ByRowsAttr>(schedule))
    return success(succeeded(checkProducts(kernel, byRows.getFew(), device)) &&
                   (isa<ContractionAttr>(byRows.getMany()) ||
                    succeeded(checkProducts(kernel, byRows.getMany(), device))));
  if (auto few = dyn_cast<FewRowsAttr>(schedule)) {
    std::string problem = fewRowsProblem(*form, few);
    return problem.empty() ? success() : LogicalResult(kernel.op.emitOpError(problem));
  }
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
static std::pair<ScheduleAttr, double> narrowFor(const Products &products, bool tensors) {
  auto [mma, byMma] = mmaFor(products);
  if (tensors && products.device.exact && products.factors == kernel::Factors::bf16)
    if (auto [wgmma, byWgmma] = wgmmaFor(products); wgmma && (!mma || byWgmma < byMma))
      return {wgmma, byWgmma};
  return {mma, byMma};
}

/// Sums that a thread has in registers are at most 64, of all sums together.
static std::pair<ScheduleAttr, double> threadsFor(const Products &products) {
  return leastOf<SquareTile, ContractionAttr>(
      squareTiles, products, [&](const SquareTile &tile, int64_t splits) -> ContractionAttr {
        constexpr int64_t most = 64, unroll = 4;
        bool isLeast = &tile == std::end(squareTiles) - 1;
        if (tile.each * tile.each * products.sums > most && !isLeast)
          return {};
        return ContractionAttr::get(products.context, tile.side, tile.side, SquareTile::depth,
                                    tile.each, tile.each, unroll, splits);
      });
}

/// For many rows, and how long it takes.
static std::pair<ScheduleAttr, double> manyRowsFor(KernelCase kernel,
                                                   const kernel::ContractionForm &form,
                                                   const Device &device, bool tensors) {
  Products products(kernel, form, device);
  if (products.factors != kernel::Factors::float32)
    if (auto narrow = narrowFor(products, tensors); narrow.first)
      return narrow;
  return threadsFor(products);
}

/// What a schedule that was chosen above takes for other rows.
static double timeOf(ScheduleAttr schedule, const Products &products) {
  auto find = [&](auto attribute, auto tiles) {
    auto tile = llvm::find_if(tiles, [&](const auto &each) { return each.isOf(attribute); });
    return tile->time(products, attribute.getSplits());
  };
  if (auto mma = dyn_cast<MmaAttr>(schedule))
    return find(mma, ArrayRef(warpTiles));
  if (auto wgmma = dyn_cast<WgmmaAttr>(schedule))
    return find(wgmma, ArrayRef(groupTiles));
  return find(cast<ContractionAttr>(schedule), ArrayRef(squareTiles));
}

ScheduleAttr contractionOfManyFor(KernelCase kernel, const Device &device, bool tensors) {
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op);
  return succeeded(form) ? manyRowsFor(kernel, *form, device, tensors).first : ScheduleAttr();
}

FailureOr<ScheduleAttr> contractionFor(KernelCase kernel, const Device &device) {
  std::string why;
  FailureOr<kernel::ContractionForm> form = kernel::readContraction(kernel.op, &why);
  if (failed(form))
    return kernel.op.emitOpError("cannot be built as a contraction: ") << why;
  auto [many, time] = manyRowsFor(kernel, *form, device, /*tensors=*/true);
  std::optional<int64_t> rows = kernel.dims.known(kernel::sizeOf(form->rows));
  bool areFew = rows && *rows <= fewRows;
  if (!areFew && (rows || !decodes(kernel.op)))
    return many;
  auto [few, timeOfFew] = fewRowsFor(kernel, *form, device, /*rows=*/1);
  if (rows)
    return timeOfFew < time ? ScheduleAttr(few) : many;
  // The most rows that take less time as few: these are read again for every few of them.
  int64_t most = fewRows;
  while (most < mostFewRows && fewRowsFor(kernel, *form, device, 2 * most).second <
                                   timeOf(many, Products(kernel, *form, device, 2 * most)))
    most *= 2;
  return ScheduleAttr(ByRowsAttr::get(kernel.op.getContext(), most, few, many));
}

} // namespace weft::cuda
