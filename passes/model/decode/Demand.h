// Which rows of every value a call of `advance` needs, and which values are cached so that it has
// them.
#ifndef WEFT_PASSES_MODEL_DECODE_DEMAND_H
#define WEFT_PASSES_MODEL_DECODE_DEMAND_H

#include "passes/model/decode/Causality.h"

#include <set>

namespace weft::decode {

/// Which positions along a growing dimension: those of this call, the last of them, or all that are
/// known by now.
enum class Rows { fresh, last, all };

/// For each growing dimension of a value, in the order of its type.
using Version = std::vector<Rows>;

/// Whether a version has all positions of all its growing dimensions (and there is one).
bool isAll(const Version &version);

class Demand {
public:
  /// What `results` (versions of the function's results) need.
  Demand(mlir::func::FuncOp function, const Causality &causality, const model::Dims &dims);

  /// Settles everything for these versions of the results; fails, with an error, where a value that
  /// is needed for all positions can neither be cached nor computed again.
  mlir::LogicalResult require(const std::vector<Version> &results);

  /// In the order of their names (fresh, last, all).
  const std::set<Version> &versions(mlir::Value value) const;
  /// The version that an operand must have, so that the op gives `version` of `result`.
  Version operandVersion(mlir::Value result, const Version &version, unsigned operand) const;
  /// The version that is computed, of which `version` of a value is a part.
  Version computed(mlir::Value value, const Version &version) const;
  /// Values whose rows are kept between calls, in program order. Each has one growing dimension.
  llvm::ArrayRef<mlir::Value> cached() const { return caches; }
  bool isCached(mlir::Value value) const { return llvm::is_contained(caches, value); }
  /// The growing dimensions of a value.
  llvm::SmallVector<mlir::StringAttr> growing(mlir::Value value) const;

private:
  using Visit = llvm::function_ref<void(mlir::Value, const Version &)>;
  void forEachOperand(mlir::Value value, const Version &version, Visit visit) const;
  void spread(const std::vector<Version> &results, bool everyRootToo);
  void need(mlir::Value value, const Version &version);
  mlir::LogicalResult cut();
  bool isTable(mlir::Value value) const { return causality.of(value).reach.empty(); }
  /// Always computed for all positions, from all of its operand: not worth a cache.
  bool runsAlongSequence(mlir::Value value) const;
  double bytes(mlir::Value value) const;
  double again(mlir::Value value) const;

  mlir::func::FuncOp function;
  const Causality &causality;
  const model::Dims &dims;
  llvm::DenseMap<mlir::Value, std::set<Version>> needed;
  llvm::SmallVector<std::pair<mlir::Value, Version>> open;
  llvm::SetVector<mlir::Value> roots; // needed for all positions
  llvm::SmallVector<mlir::Value> caches;
};

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_DEMAND_H
