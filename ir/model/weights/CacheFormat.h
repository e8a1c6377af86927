// How caches of a decoding are kept. Without MLIR: the language says it too.
#ifndef WEFT_IR_MODEL_WEIGHTS_CACHEFORMAT_H
#define WEFT_IR_MODEL_WEIGHTS_CACHEFORMAT_H

#include <optional>
#include <string>
#include <string_view>

namespace weft::model {

/// Of what a decoding keeps of known positions. With `int8`, keys and values of attention are whole
/// numbers that share scales, where `weft-round-caches` says so; what cannot be is kept as where
/// nothing is said: as the precision says.
enum class CacheFormat { float32, bf16, int8 };

/// As a config and `--caches-as` say it, in the order of the enum.
inline constexpr std::string_view cacheFormats[] = {"float32", "bf16", "int8"};
/// For messages.
inline constexpr std::string_view cacheFormatNames = "`float32`, `bf16` or `int8`";

inline constexpr std::optional<CacheFormat> cacheFormatNamed(std::string_view name) {
  for (unsigned i = 0; i < std::size(cacheFormats); ++i)
    if (cacheFormats[i] == name)
      return static_cast<CacheFormat>(i);
  return std::nullopt;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_WEIGHTS_CACHEFORMAT_H
