// Where the lanes of a vector stand along the dimensions of a rows kernel, and the scopes of its
// loops.
#ifndef WEFT_CODEGEN_ROWS_ROWPLACES_H
#define WEFT_CODEGEN_ROWS_ROWPLACES_H

#include "codegen/emit/Frame.h"
#include "ir/kernel/Movement.h"
#include "ir/kernel/RowProgram.h"

#include "llvm/IR/IRBuilder.h"

#include <map>

namespace weft::rows {

using namespace weft::kernel;
using namespace weft::emit;

/// The positions of all lanes along one dimension, as i64: `base` + lane * `step`, or one by one in
/// `lanes`.
struct Place {
  llvm::Value *base = nullptr;
  llvm::Value *step = nullptr;  // null: every lane at `base`
  llvm::Value *lanes = nullptr; // <L x i64>; then base and step are null
  unsigned level = 0;           // the scope that it is known in
  bool aligned = false;         // `base` is a multiple of the number of lanes
  DimAttr loop = {};            // the dimension, if this is the index of its own loop
  // Of lanes side by side that one thread computes together: the first of them, how many of them
  // may be read at once, and which this is.
  const Place *first = nullptr;
  unsigned together = 1, number = 0;

  bool isUniform() const { return !step && !lanes; }
};

/// The positions along every dimension that a value may have.
struct RowFrame : PlacedAlong<RowFrame, const Place *> {
  /// <L x i1>: the lanes that are there at all, at least one; i1 of a thread's, perhaps none. Null:
  /// all.
  llvm::Value *tail = nullptr;
  /// i1 or <L x i1>: where it is false, memory may not be read, for these positions are in another
  /// part. Null: true.
  llvm::Value *mask = nullptr;
  unsigned maskLevel = 0;
};

/// The loops that are open where code is being written. A value is emitted in the outermost one in
/// which everything it depends on is known.
class Scopes {
public:
  explicit Scopes(llvm::IRBuilderBase &builder) : builder(builder) { open.emplace_back(); }

  unsigned innermost() const { return open.size() - 1; }
  /// A loop whose body is a scope.
  void loop(llvm::Value *low, llvm::Value *high, llvm::Value *step,
            llvm::function_ref<void(llvm::Value *index)> body);
  /// Emits at the end of what scope `level` has so far, then returns to the insertion point.
  llvm::Value *at(unsigned level, llvm::function_ref<llvm::Value *()> emit);

  /// What identifies an emitted value: the value, the places of its dimensions, the mask.
  using Key = std::tuple<void *, llvm::SmallVector<const void *, 6>, const void *>;
  llvm::Value *known(const Key &key, unsigned level) const;
  void remember(const Key &key, unsigned level, llvm::Value *value) {
    open[level].values[key] = value;
  }

private:
  struct Scope {
    std::map<Key, llvm::Value *> values;
    llvm::Instruction *leave = nullptr; // the branch into the loop that is open inside this scope
  };
  llvm::IRBuilderBase &builder;
  llvm::SmallVector<Scope> open;
};

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWPLACES_H
