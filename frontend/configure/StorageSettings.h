// What a config says about how floats and weights are kept: `precision` and `weights_as`.
#pragma once

#include "frontend/syntax/Ast.h"
#include "ir/model/Precision.h"

#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// What a config calls how floats are kept, and which weights are whole numbers, unless the program
/// has a dimension or an option of that name.
inline constexpr std::string_view precisionSetting = "precision", weightsSetting = "weights_as";

/// What a config sets the precision to; nothing if that is no precision.
std::optional<model::Precision> precisionOf(const ast::Expr &value);

/// `int8`, or by part `int8(head = int4, mlp = float32)`, as `--weights-as` takes it:
/// `int8,head=int4,mlp=float32`. Nothing if it is neither.
std::optional<std::string> weightsAsOf(const ast::Expr &value);

/// How a program says it, for messages: what it takes, and an example.
struct StorageSetting {
  std::string takes, example;
};
/// Of `precision` or `weights_as`; nothing for other names.
std::optional<StorageSetting> storageSetting(std::string_view name);

} // namespace weft
