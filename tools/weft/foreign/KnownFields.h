// What is known of the fields of `config.json`, as Hugging Face's models have them.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_KNOWNFIELDS_H
#define WEFT_TOOLS_WEFT_FOREIGN_KNOWNFIELDS_H

#include "runtime/base/Json.h"

#include <optional>
#include <string>
#include <string_view>

namespace weft {

enum class FieldKind {
  Unknown,
  Harmless, ///< it changes no result, or the shapes of the tensors show it
  Size,     ///< no shape shows it: `size "num_attention_heads" = head`
  Telling,  ///< it changes results, whatever it is
  Usual     ///< it changes results, unless it is as usual
};

FieldKind kindOf(std::string_view field);
/// Whether a field of kind Usual is as it is in most models: `sliding_window: null`.
bool isUsual(std::string_view field, const runtime::Json &value);
/// What a file means that does not have the field.
std::optional<runtime::Json> impliedBy(std::string_view absentField);
/// Whether the activation that Hugging Face calls `foreign` is the library's function `own`:
/// `gelu_new` is `gelu_tanh`.
bool isActivation(std::string_view own, std::string_view foreign);
/// The library's function for the activation that Hugging Face calls `foreign`; empty if it has
/// none.
std::string_view activationOf(std::string_view foreign);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_FOREIGN_KNOWNFIELDS_H
