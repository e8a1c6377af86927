// What a config says about what is kept: floats (`precision`), weights (`weights_as`), and what
// gradients want of the forward pass (`recompute`).
#pragma once

#include "frontend/syntax/Ast.h"
#include "ir/model/Precision.h"
#include "ir/model/weights/CacheFormat.h"

#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// What a config calls how floats are kept, which weights are whole numbers, how caches are kept,
/// and the memory that gradients may take, unless the program has a dimension or an option of that
/// name.
inline constexpr std::string_view precisionSetting = "precision", weightsSetting = "weights_as",
                                  cachesSetting = "caches_as", recomputeSetting = "recompute";

/// What a config sets the precision to; nothing if that is no precision.
std::optional<model::Precision> precisionOf(const ast::Expr &value);

/// What a config keeps caches as; nothing if there is no such format.
std::optional<model::CacheFormat> cachesAsOf(const ast::Expr &value);

/// `int8`, or by part `int8(head = int4, mlp = float32)`, as `--weights-as` takes it:
/// `int8,head=int4,mlp=float32`. Nothing if it is neither.
std::optional<std::string> weightsAsOf(const ast::Expr &value);

/// `budget(GiB = 2, batch = 4, seq = 256)`, as `--recompute-budget` takes it:
/// `2GiB,batch=4,seq=256`. The first name is a unit. Nothing if it is not so.
std::optional<std::string> recomputeOf(const ast::Expr &value);

/// How a program says it, for messages: what it takes, and an example.
struct StorageSetting {
  std::string takes, example;
};
/// Of one of these names; nothing for others.
std::optional<StorageSetting> storageSetting(std::string_view name);

} // namespace weft
