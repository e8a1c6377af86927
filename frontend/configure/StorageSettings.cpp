// Reads `precision` and `weights_as` of a config.
#include "frontend/configure/StorageSettings.h"

#include "ir/model/weights/WeightFormat.h"

namespace weft {

std::optional<model::Precision> precisionOf(const ast::Expr &value) {
  auto *word = value.as<ast::Variable>();
  return word ? model::precisionNamed(word->name.text) : std::nullopt;
}

static bool isFormat(const std::string &word) {
  return model::weightFormatNamed(word).has_value();
}

std::optional<std::string> weightsAsOf(const ast::Expr &value) {
  if (auto *word = value.as<ast::Variable>())
    return isFormat(word->name.text) ? std::optional(word->name.text) : std::nullopt;
  auto *call = value.as<ast::Call>();
  if (!call || call->label || !call->dims.empty() || !call->args.empty() || call->named.empty() ||
      !isFormat(call->callee.text))
    return std::nullopt;
  std::string text = call->callee.text;
  for (const ast::NamedArg &part : call->named) {
    auto *word = part.value->as<ast::Variable>();
    if (!word || !isFormat(word->name.text))
      return std::nullopt;
    text += "," + part.name.text + "=" + word->name.text;
  }
  return text;
}

std::optional<StorageSetting> storageSetting(std::string_view name) {
  if (name == precisionSetting)
    return StorageSetting{model::precisionNames(), std::string(precisionSetting) + " = bf16"};
  if (name == weightsSetting)
    return StorageSetting{"`int8`, `int4` or `float32`, and by part `int8(head = int4)`",
                          std::string(weightsSetting) + " = int8"};
  return std::nullopt;
}

} // namespace weft
