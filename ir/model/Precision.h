// In how many bits a program keeps its floats.
#ifndef WEFT_IR_MODEL_PRECISION_H
#define WEFT_IR_MODEL_PRECISION_H

#include <optional>
#include <string>
#include <string_view>

namespace weft::model {

/// Whatever it is, ops compute in float32, and parameters, what optimizers keep, inputs and results
/// are float32. With `tf32`, matrix products of a GPU read their sides rounded to the 11 bits of
/// tf32, where `weft-narrow-operands` says so. With `bf16`, what lies between kernels is stored in
/// bfloat16 where `weft-choose-storage` says so.
enum class Precision { float32, tf32, bf16 };

/// As a config, `--precision` and `model.precision` of a module say it, in the order of the enum.
inline constexpr std::string_view precisions[] = {"float32", "tf32", "bf16"};

inline constexpr std::string_view precisionName(Precision precision) {
  return precisions[static_cast<unsigned>(precision)];
}

inline constexpr std::optional<Precision> precisionNamed(std::string_view name) {
  for (unsigned i = 0; i < std::size(precisions); ++i)
    if (precisions[i] == name)
      return static_cast<Precision>(i);
  return std::nullopt;
}

/// "`float32`, `tf32` or `bf16`"
inline std::string precisionNames() {
  std::string list;
  for (std::string_view name : precisions)
    list += (list.empty()                       ? "`"
             : name == std::end(precisions)[-1] ? " or `"
                                                : ", `") +
            std::string(name) + "`";
  return list;
}

} // namespace weft::model

#endif // WEFT_IR_MODEL_PRECISION_H
