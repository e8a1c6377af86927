// Reads `precision`, `weights_as`, `caches_as` and `recompute` of a config.
#include "frontend/configure/StorageSettings.h"

#include "ir/model/weights/WeightFormat.h"

#include <algorithm>

namespace weft {

std::optional<model::Precision> precisionOf(const ast::Expr &value) {
  auto *word = value.as<ast::Variable>();
  return word ? model::precisionNamed(word->name.text) : std::nullopt;
}

std::optional<model::CacheFormat> cachesAsOf(const ast::Expr &value) {
  auto *word = value.as<ast::Variable>();
  return word ? model::cacheFormatNamed(word->name.text) : std::nullopt;
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

std::optional<std::string> recomputeOf(const ast::Expr &value) {
  constexpr std::string_view units[] = {"KB", "MB", "GB", "KiB", "MiB", "GiB"};
  auto *call = value.as<ast::Call>();
  if (!call || call->label || !call->dims.empty() || !call->args.empty() || call->named.empty() ||
      call->callee.text != "budget" ||
      std::ranges::find(units, call->named.front().name.text) == std::end(units))
    return std::nullopt;
  std::string text;
  for (const ast::NamedArg &part : call->named) {
    bool isSize = &part != &call->named.front();
    auto *number = part.value->as<ast::Number>();
    if (!number || !(number->value > 0) || (isSize && !number->isInteger))
      return std::nullopt;
    text += isSize ? "," + part.name.text + "=" + number->text : number->text + part.name.text;
  }
  return text;
}

std::optional<StorageSetting> storageSetting(std::string_view name) {
  if (name == precisionSetting)
    return StorageSetting{model::precisionNames(), std::string(precisionSetting) + " = bf16"};
  if (name == weightsSetting)
    return StorageSetting{"`int8`, `int4` or `float32`, and by part `int8(head = int4)`",
                          std::string(weightsSetting) + " = int8"};
  if (name == cachesSetting)
    return StorageSetting{std::string(model::cacheFormatNames),
                          std::string(cachesSetting) + " = int8"};
  if (name == recomputeSetting)
    return StorageSetting{
        "a budget in KB, MB, GB, KiB, MiB or GiB, at sizes of what comes with the "
        "data",
        std::string(recomputeSetting) + " = budget(GiB = 2, batch = 4)"};
  return std::nullopt;
}

} // namespace weft
