// Which rows of every value a call of `advance` needs, and which values are cached so that it has
// them.
#ifndef WEFT_PASSES_MODEL_DECODE_DEMAND_H
#define WEFT_PASSES_MODEL_DECODE_DEMAND_H

#include "passes/model/decode/Once.h"

#include <set>

namespace weft::decode {

/// Which positions along a growing dimension: those of this call, the last of them, or all that are
/// known by now.
enum class Rows { fresh, last, all };

/// For each growing dimension of a value, in the order of its type.
using Version = std::vector<Rows>;

/// Whether a version has all positions of all its growing dimensions (and there is one).
bool isAll(const Version &version);

/// What is kept of a value between calls: the rows of all positions; of a running sum, its last
/// row; or the value, which `begin` computes for all calls.
enum class Keep { rows, total, once };

struct Kept {
  mlir::Value value;
  Keep what;
  bool operator==(const Kept &) const = default;
};

class Demand {
public:
  Demand(mlir::func::FuncOp function, const Causality &causality, const model::Dims &dims);

  /// Decides what a call of `advance` computes and caches for these versions of the results; fails,
  /// with an error, where a value that is needed for all positions can neither be cached nor
  /// recomputed.
  mlir::LogicalResult require(const std::vector<Version> &results);
  /// Decides what `begin` computes: all that `advance` takes as computed once.
  void requireOnce(const Demand &advance);

  /// In the order of their names (fresh, last, all).
  const std::set<Version> &versions(mlir::Value value) const;
  /// The version that an operand must have, so that the op gives `version` of `result`.
  Version operandVersion(mlir::Value result, const Version &version, unsigned operand) const;
  /// The version that is computed, of which `version` of a value is a part.
  Version computed(mlir::Value value, const Version &version) const;
  /// In program order. Where rows or a total are kept, the value has one growing dimension; what is
  /// computed once has none.
  llvm::ArrayRef<Kept> kept() const { return keepers; }
  bool keeps(mlir::Value value, Keep what) const {
    return llvm::is_contained(keepers, Kept{value, what});
  }
  /// The growing dimensions of a value.
  DimList growing(mlir::Value value) const;

private:
  using Visit = llvm::function_ref<void(mlir::Value, const Version &)>;
  void forEachOperand(mlir::Value value, const Version &version, Visit visit) const;
  void propagate(const std::vector<Version> &results, bool cacheEveryRoot);
  void need(mlir::Value value, const Version &version);
  mlir::LogicalResult cut();
  bool isTable(mlir::Value value) const { return causality.of(value).reach.empty(); }
  /// The dimension along which a value is always computed for all positions, from all of its
  /// operand, so that it is not worth a cache; or nothing.
  DimAttr runsAlong(mlir::Value value) const;
  /// A running sum along the sequence, whose new rows follow from its last row and from new ones.
  bool isRunningSum(mlir::Value value) const;
  /// Calls `visit` with every value of the function, in program order.
  void forEachValue(llvm::function_ref<void(mlir::Value)> visit) const;
  /// What caching a value costs for one position, in bytes; unlimited if it cannot be cached.
  double bytes(mlir::Value value) const;
  double recomputeCost(mlir::Value value) const;

  mlir::func::FuncOp function;
  const Causality &causality;
  const model::Dims &dims;
  const Once once;
  llvm::DenseMap<mlir::Value, std::set<Version>> needed;
  llvm::SmallVector<std::pair<mlir::Value, Version>> open;
  llvm::SetVector<mlir::Value> roots; // needed for all positions
  llvm::DenseSet<mlir::Value> given;  // computed once
  llvm::DenseSet<mlir::Value> caches; // whose rows are kept
  llvm::SmallVector<Kept> keepers;
};

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_DEMAND_H
