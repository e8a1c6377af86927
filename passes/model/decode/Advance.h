// The function `advance`: one program for the prompt, for pieces of it, and for single steps. And
// `begin`, for what is the same in all of them.
#ifndef WEFT_PASSES_MODEL_DECODE_ADVANCE_H
#define WEFT_PASSES_MODEL_DECODE_ADVANCE_H

#include "passes/model/decode/VersionDims.h"

namespace weft::decode {

/// The names of caches.
using CacheNames = std::map<std::pair<void *, Keep>, mlir::StringAttr>;
/// `cache.` and what the source calls the value, with a number where a name is taken.
CacheNames cacheNames(llvm::ArrayRef<Kept> kept);

/// Writes `advance`, or `begin`. Arguments: those of `function` that are needed (of the sequence,
/// the rows of this call), then the caches (`model.cache`). Results: those of `function` in
/// `versions`, then the caches that this call updates. A cache has the dimensions of the loops
/// around its value first, then the value's: with `capacity` in place of the sequence for rows,
/// without it for a total. Of rows that an attention reads, what it goes through at each position
/// comes last.
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
  /// `version` of `value`; emitted at the builder's insertion point if it is not computed yet.
  mlir::Value get(mlir::Value value, const Version &version);
  mlir::Value compute(mlir::OpResult result, const Version &version);
  mlir::Value positions(model::IndexOp op, Rows rows);
  mlir::Value clone(mlir::OpResult result, const Version &version);
  /// Records `made` as that version of `value`; if it is cached, new rows go into the cache.
  void put(mlir::Value value, const Version &version, mlir::Value made);
  mlir::Value partOf(mlir::Value from, mlir::Value original, const Version &has,
                     const Version &wanted);
  /// New rows of a running sum, from its total so far; the cached total becomes their last row.
  mlir::Value continued(mlir::OpResult sum, mlir::Value fresh);
  /// The type of what is kept, inside the loops up to `within`.
  model::NamedTensorType cacheType(const Kept &kept, mlir::Operation *within);
  llvm::SmallVector<Kept> keptIn(model::RepeatOp op) const;
  /// Whether this call returns it: `begin` what it computes, `advance` what it updates.
  bool leaves(const Kept &kept) const { return call == Call::begin || kept.what != Keep::once; }
  /// Whether this is `advance`, and `value` a cache that `begin` has computed.
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
