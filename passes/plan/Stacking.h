// Where blocks of memory with lifetimes lie, so that their end is low.
#ifndef WEFT_PASSES_PLAN_STACKING_H
#define WEFT_PASSES_PLAN_STACKING_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace weft {

/// First and last moment at which a block is needed.
struct Lifetime {
  int64_t start, end;
  bool meets(const Lifetime &other) const { return start <= other.end && other.start <= end; }
};

/// Dynamic storage allocation by greedy orders (Pisarchyk and Lee, "Efficient Memory Management for
/// Deep Neural Net Inference", 2020). An arrangement is which of two blocks that meet lies lower;
/// offsets follow from it for any sizes: a block lies behind the ends of all that are below it.
class Stacking {
public:
  explicit Stacking(std::vector<Lifetime> lives);

  /// The offset of each block in an arrangement that is low at all of `sizes`, each a list of the
  /// blocks' sizes (above 0): the offsets are those at the first. Of two blocks that meet, that
  /// with the lower offset ends below the other one.
  std::vector<int64_t> best(llvm::ArrayRef<std::vector<int64_t>> sizes) const;
  /// The most that is needed at one moment: no arrangement ends below.
  int64_t leastHeight(llvm::ArrayRef<int64_t> sizes) const;

private:
  using Offsets = std::vector<int64_t>;
  std::vector<std::vector<unsigned>> orders(llvm::ArrayRef<int64_t> sizes) const;
  Offsets place(llvm::ArrayRef<unsigned> order, llvm::ArrayRef<int64_t> sizes) const;
  Offsets settle(const Offsets &arranged, llvm::ArrayRef<int64_t> sizes) const;
  static int64_t heightOf(const Offsets &offsets, llvm::ArrayRef<int64_t> sizes);

  std::vector<Lifetime> lives;
  std::vector<std::vector<unsigned>> meeting; ///< for each block, those that it meets
};

} // namespace weft

#endif // WEFT_PASSES_PLAN_STACKING_H
