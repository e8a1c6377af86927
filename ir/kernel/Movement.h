// How ops that move elements read their operands: which one, and at which positions. Targets emit
// what is said here, and know nothing else of these ops.
#ifndef WEFT_IR_KERNEL_MOVEMENT_H
#define WEFT_IR_KERNEL_MOVEMENT_H

#include "ir/kernel/Kernel.h"

#include <memory>
#include <vector>

namespace weft::kernel {

/// A position along a dimension of an operand, as a formula in those at which the result is read.
struct Position {
  enum class Kind {
    along,    ///< the result's own along `dim`
    element,  ///< what `index` has at the result's positions
    number,   ///< `size`
    plus,     ///< first + size
    minus,    ///< first - size
    joined,   ///< first * size + second
    quotient, ///< first / size, of which the first is not negative
    rest,     ///< first % size, likewise
  };
  Kind kind;
  DimAttr dim = {};
  mlir::Value index = {};
  Size size = {};
  std::shared_ptr<const Position> first = {}, second = {};
};

/// The result's positions along `dim` from `from` on, `count` of them.
struct Range {
  DimAttr dim;
  Size from, count;
};

/// An operand as an op reads it.
struct Read {
  mlir::Value source;
  /// Along which dimensions it is not read at the result's own positions, and where instead.
  std::vector<std::pair<DimAttr, Position>> at;
  /// Where the result is what is read here; everywhere without one. Elsewhere `at` is no position
  /// of the operand.
  std::optional<Range> within;
};

/// How `op`, which is Moving, reads its operands. An element is what the first of these reads in
/// whose range it is, or else the last.
std::vector<Read> readsOf(mlir::Operation *op);

/// Where a value is evaluated: a `Place` along every dimension that it may have, in whatever form a
/// target has positions. `Self` is the target's frame, which is one of these.
template <class Self, class Place> class PlacedAlong {
public:
  /// Null, or an empty one, where there is none.
  Place find(DimAttr dim) const {
    for (const auto &[each, place] : places)
      if (each == dim)
        return place;
    return Place();
  }
  /// The same, with `dim` at `place`.
  Self with(DimAttr dim, Place place) const {
    Self result = static_cast<const Self &>(*this);
    llvm::erase_if(result.places, [&](const auto &entry) { return entry.first == dim; });
    result.places.emplace_back(dim, std::move(place));
    return result;
  }

private:
  llvm::SmallVector<std::pair<DimAttr, Place>, 4> places;
};

} // namespace weft::kernel

#endif // WEFT_IR_KERNEL_MOVEMENT_H
