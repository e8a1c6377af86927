// How much of a mask is true: it is evaluated at some queries and keys.
#include "ir/kernel/work/MaskShare.h"

#include "ir/model/Arithmetic.h"
#include "ir/model/Comparisons.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft::kernel {

namespace {

/// A mask at one position; whole numbers and switches are numbers.
class MaskAt {
public:
  MaskAt(const SizesAt &sizes) : sizes(sizes) {}

  /// Puts an index that runs over `dims`, the last one fastest.
  void put(ArrayRef<DimAttr> dims, int64_t index) {
    for (DimAttr dim : llvm::reverse(dims)) {
      int64_t size = std::max<int64_t>(sizes(Size::dim(dim.getValue())), 1);
      places[dim] = index % size;
      index /= size;
    }
  }

  /// Nothing where it hangs on more than positions and sizes.
  std::optional<int64_t> value(Value of) {
    Operation *op = of.getDefiningOp();
    if (!op || model::typeOf(of).isFloat())
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
        .Case([&](model::IndexOp index) { return places.lookup(index.getDimAttr()); })
        .Case([&](model::SizeOp size) { return sizes(size.getSize().getValue()); })
        .Case([&](model::ConstantOp constant) {
          return cast<IntegerAttr>(constant.getValue()).getValue().getSExtValue() &
                 (model::typeOf(of).isBool() ? 1 : -1);
        })
        .Case<model::BroadcastOp, model::ArrangeOp, model::ToIntOp>(
            [&](auto) { return value(op->getOperand(0)); })
        .Case([&](model::NotOp) { return mapped(op, [](auto x) { return !x[0]; }); })
        .Case([&](model::NegOp) { return mapped(op, [](auto x) { return -x[0]; }); })
        .Case([&](model::WhereOp) { return mapped(op, [](auto x) { return x[0] ? x[1] : x[2]; }); })
        .Case([&](model::CompareOp comparison) {
          return mapped(
              op, [&](auto x) { return model::holds(comparison.getPredicate(), x[0], x[1]); });
        })
        .Case([&](model::BinaryFunctionOp binary) {
          const model::BinaryFunction &function = binary.function();
          return mapped(op, [&](auto x) {
            return function.logical ? int64_t(function.logical(x[0], x[1]))
                                    : model::wrapped(function.whole(x[0], x[1]));
          });
        })
        .Default([](Operation *) { return std::nullopt; });
  }

private:
  template <typename Function> std::optional<int64_t> mapped(Operation *op, Function function) {
    SmallVector<int64_t> all;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> known = value(operand);
      if (!known)
        return std::nullopt;
      all.push_back(*known);
    }
    return int64_t(function(all));
  }

  const SizesAt &sizes;
  llvm::DenseMap<DimAttr, int64_t> places;
};

/// At most so many of `count`, evenly; the first and the last one are among several.
SmallVector<int64_t> some(int64_t count, int64_t most) {
  SmallVector<int64_t> result;
  int64_t pieces = std::min(count, most);
  for (int64_t i = 0; i < pieces; ++i)
    result.push_back(pieces > 1 ? i * (count - 1) / (pieces - 1) : count / 2);
  return result;
}
} // namespace

double maskShare(const AttentionForm &form, const SizesAt &sizes, MaskTile tile) {
  if (!form.mask)
    return 1;
  MaskAt mask(sizes);
  mask.put(form.batch, 0);
  int64_t rows = sizes(sizeOf(form.rows)), keys = sizes(sizeOf(form.keys));
  auto shows = [&](int64_t row0, int64_t key0) {
    constexpr int64_t inTile = 4;
    for (int64_t row : some(std::min(tile.rows, rows - row0), inTile))
      for (int64_t key : some(std::min(tile.keys, keys - key0), inTile)) {
        mask.put(form.rows, row0 + row);
        mask.put(form.keys, key0 + key);
        if (mask.value(form.mask).value_or(1) != 0)
          return true;
      }
    return false;
  };
  // Different numbers of both, so that few of the pairs lie on the diagonal.
  constexpr int64_t mostRows = 96, mostKeys = 255;
  int64_t shown = 0, all = 0;
  for (int64_t row : some(int64_t(llvm::divideCeil(rows, tile.rows)), mostRows))
    for (int64_t key : some(int64_t(llvm::divideCeil(keys, tile.keys)), mostKeys)) {
      shown += shows(row * tile.rows, key * tile.keys);
      ++all;
    }
  return all ? double(shown) / double(all) : 1;
}

} // namespace weft::kernel
