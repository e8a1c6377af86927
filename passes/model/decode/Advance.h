// The function `advance`: one program for the prompt, for pieces of it, and for single steps.
#ifndef WEFT_PASSES_MODEL_DECODE_ADVANCE_H
#define WEFT_PASSES_MODEL_DECODE_ADVANCE_H

#include "passes/model/decode/VersionDims.h"

namespace weft::decode {

/// Writes `name`: the arguments of `function` (of the sequence, the rows of this call), then the
/// caches; the results in `versions`, then the caches with the rows of this call. Each cache has
/// its loops' dimensions first, then the value's, with `capacity` in place of the sequence;
/// argument and result carry its name as `weft.cache`.
class Advance {
public:
  Advance(mlir::func::FuncOp function, const Causality &causality, const Demand &demand,
          VersionDims &dims)
      : function(function), causality(causality), demand(demand), dims(dims),
        builder(function.getContext()) {}

  mlir::func::FuncOp build(llvm::StringRef name, llvm::ArrayRef<Version> versions);

private:
  void buildBlock(mlir::Block &block);
  void buildRepeat(model::RepeatOp op);
  /// `version` of `value`, computed where the builder stands if it is not there yet.
  mlir::Value get(mlir::Value value, const Version &version);
  mlir::Value compute(mlir::OpResult result, const Version &version);
  mlir::Value positions(model::IndexOp op, Rows rows);
  mlir::Value clone(mlir::OpResult result, const Version &version);
  /// From now on `value` has its new rows; where it is cached, they are kept.
  void put(mlir::Value value, const Version &version, mlir::Value made);
  mlir::Value partOf(mlir::Value from, mlir::Value original, const Version &has,
                     const Version &wanted);
  /// The type of a cache inside the loops that `depth` counts from within: 0 is the block of the
  /// value.
  model::NamedTensorType cacheType(mlir::Value value, mlir::Operation *within);
  llvm::SmallVector<mlir::Value> cachesIn(model::RepeatOp op) const;
  std::string cacheName(mlir::Value value);

  mlir::func::FuncOp function;
  const Causality &causality;
  const Demand &demand;
  VersionDims &dims;
  mlir::OpBuilder builder;
  std::map<std::pair<void *, Version>, mlir::Value> made;
  /// Each cached value's cache, as it is at this point.
  llvm::DenseMap<mlir::Value, mlir::Value> caches;
  std::set<std::string> cacheNames;
};

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_ADVANCE_H
