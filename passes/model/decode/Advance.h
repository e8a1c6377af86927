// The function `advance`: one program for the prompt, for pieces of it, and for single steps. And
// `begin`, for what is the same in all of them.
#ifndef WEFT_PASSES_MODEL_DECODE_ADVANCE_H
#define WEFT_PASSES_MODEL_DECODE_ADVANCE_H

#include "passes/model/decode/VersionDims.h"

namespace weft::decode {

/// What caches are called.
using CacheNames = std::map<std::pair<void *, Keep>, mlir::StringAttr>;
/// After the source, each once.
CacheNames cacheNames(llvm::ArrayRef<Kept> kept);

/// Writes `advance`, or `begin`: the arguments of `function` that are needed (of the sequence, the
/// rows of this call), then what is kept, as `model.cache`; the results in `versions`, then what is
/// kept again, as this call leaves it. Each cache has its loops' dimensions first, then the
/// value's: with `capacity` in place of the sequence for rows, without it for a total.
class Advance {
public:
  enum class Call { begin, advance };

  Advance(mlir::func::FuncOp function, const Causality &causality, const Demand &demand,
          VersionDims &dims, const CacheNames &names, Call call)
      : function(function), causality(causality), demand(demand), dims(dims), names(names),
        call(call), builder(function.getContext()) {}

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
  /// New rows of a running sum, from its total so far; and the total behind them.
  mlir::Value continued(mlir::OpResult sum, mlir::Value fresh);
  /// The type of what is kept, inside the loops up to `within`.
  model::NamedTensorType cacheType(const Kept &kept, mlir::Operation *within);
  llvm::SmallVector<Kept> keptIn(model::RepeatOp op) const;
  /// Whether this call leaves it anew; only `advance` takes what is there.
  bool leaves(const Kept &kept) const { return call == Call::begin || kept.what != Keep::once; }
  /// Whether a call of `advance` has it from `begin`.
  bool isGiven(mlir::Value value) const {
    return call == Call::advance && demand.keeps(value, Keep::once);
  }
  /// A cache, as it is at this point.
  mlir::Value &cache(const Kept &kept) {
    return caches[{kept.value.getAsOpaquePointer(), kept.what}];
  }

  mlir::func::FuncOp function;
  const Causality &causality;
  const Demand &demand;
  VersionDims &dims;
  const CacheNames &names;
  Call call;
  mlir::OpBuilder builder;
  std::map<std::pair<void *, Version>, mlir::Value> made;
  std::map<std::pair<void *, Keep>, mlir::Value> caches;
};

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_ADVANCE_H
