// In how many bits a weight of a product is kept. Without MLIR: the language says it too.
#ifndef WEFT_IR_MODEL_WEIGHTS_WEIGHTFORMAT_H
#define WEFT_IR_MODEL_WEIGHTS_WEIGHTFORMAT_H

#include <optional>
#include <string_view>
#include <utility>

namespace weft::model {

/// What a weight is stored as, beside its share of a scale.
enum class WeightFormat { int8, int4 };

/// A format, or none: float32.
using KeptAs = std::optional<WeightFormat>;
/// As a config and `--weights-as` say it.
inline constexpr std::pair<std::string_view, KeptAs> weightFormats[] = {
    {"int8", WeightFormat::int8}, {"int4", WeightFormat::int4}, {"float32", std::nullopt}};

/// Nothing if there is no such format.
inline constexpr std::optional<KeptAs> weightFormatNamed(std::string_view name) {
  for (const auto &[known, format] : weightFormats)
    if (known == name)
      return format;
  return std::nullopt;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_WEIGHTS_WEIGHTFORMAT_H
