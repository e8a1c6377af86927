// The dimensions of `advance`: rows of this call, the last of them, all that are known, and the
// room in caches.
#ifndef WEFT_PASSES_MODEL_DECODE_VERSIONDIMS_H
#define WEFT_PASSES_MODEL_DECODE_VERSIONDIMS_H

#include "passes/model/decode/Demand.h"

namespace weft::decode {

/// Declares dimensions where they are first spoken of, under names that are free.
class VersionDims {
public:
  VersionDims(mlir::ModuleOp module, const Causality &causality, const model::Dims &dims,
              DimAttr time);

  /// Come with the call: how many positions were known before it, how many it brings, how many a
  /// cache has room for.
  DimAttr known, fresh, capacity;
  /// The positions of `rows` along `dim`.
  DimAttr of(DimAttr dim, Rows rows);
  /// Where they start among all positions.
  Size start(Rows rows) const;

  /// `type` with its growing dimensions as `version` says.
  model::NamedTensorType typed(model::NamedTensorType type, const Version &version);
  /// Its element: positions of a growing dimension are positions among all rows.
  mlir::Type element(model::NamedTensorType type);

private:
  DimAttr declare(llvm::StringRef name, std::optional<Size> size, std::optional<Size> bound);

  mlir::ModuleOp module;
  const Causality &causality;
  DimAttr time;
  std::map<std::pair<std::string, Rows>, DimAttr> names;
};

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_VERSIONDIMS_H
