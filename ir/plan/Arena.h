// How the slots of an arena lie: which of them never overlap, and where each begins at given sizes.
#ifndef WEFT_IR_PLAN_ARENA_H
#define WEFT_IR_PLAN_ARENA_H

#include "ir/plan/Plan.h"

#include "llvm/ADT/BitVector.h"

namespace weft::plan {

/// An entry says of each slot behind which others it begins. What is behind what does not depend on
/// sizes; only addresses do.
class Arena {
public:
  explicit Arena(EntryOp entry);
  explicit Arena(std::vector<llvm::SmallVector<unsigned>> behind);

  unsigned slots() const { return behind.size(); }
  llvm::ArrayRef<unsigned> behindOf(unsigned slot) const { return behind[slot]; }
  /// Whether the two have no byte in common, whatever the sizes are: one begins behind the end of
  /// the other, or of one that does.
  bool areApart(unsigned a, unsigned b) const { return after[a].test(b) || after[b].test(a); }
  /// Where each slot begins, and then where the last of them ends: in whole lines of 64 bytes, as
  /// the runtime computes it (runtime/model/SizeFormula.h).
  std::vector<int64_t> starts(llvm::ArrayRef<int64_t> bytes) const;
  /// The slots one behind the other that reach up to the arena's end, the first of them first.
  std::vector<unsigned> tallest(llvm::ArrayRef<int64_t> bytes) const;

private:
  std::vector<llvm::SmallVector<unsigned>> behind;
  std::vector<llvm::BitVector> after; ///< all that each slot is behind, by way of others too
};

/// `bytes` in whole lines.
int64_t wholeLines(int64_t bytes);

} // namespace weft::plan

#endif // WEFT_IR_PLAN_ARENA_H
