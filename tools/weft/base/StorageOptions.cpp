// Reads --precision, then --weights-as.
#include "tools/weft/base/StorageOptions.h"

#include "ir/model/Entries.h"
#include "tools/weft/weights/WeightsOption.h"

#include <fmt/format.h>

namespace weft {

static bool has(const Target &target, model::Precision precision) {
  return precision != model::Precision::bf16 ||
         llvm::is_contained(target.storageTypes(), model::StorageType::bfloat16);
}

static std::optional<std::string> setPrecision(const Arguments &arguments, const Target &target,
                                               mlir::ModuleOp module) {
  if (arguments.has("precision")) {
    std::string text = arguments.get("precision");
    std::optional<model::Precision> named = model::precisionNamed(text);
    if (!named)
      return fmt::format("there is no precision `{}`; it is {}", text, model::precisionNames());
    model::setPrecision(module, *named);
  }
  model::Precision precision = model::precisionOf(module);
  if (has(target, precision))
    return std::nullopt;
  std::string others;
  for (const Target *each : targets())
    if (has(*each, precision))
      others += (others.empty() ? "`" : ", `") + each->name().str() + "`";
  return fmt::format(
      "kernels of the target `{}` keep floats as `float32` only, not as `{}`; those that can: {}",
      target.name().str(), model::precisionName(precision), others);
}

std::optional<std::string> setStorage(const Arguments &arguments, const Target &target,
                                      llvm::ArrayRef<const Target *> all, mlir::ModuleOp module) {
  std::optional<std::string> problem = setPrecision(arguments, target, module), asked;
  if (arguments.has("weights-as"))
    asked = arguments.get("weights-as");
  for (const Target *each : all)
    problem = problem ? problem : setWeightsAs(asked, *each, module);
  return problem;
}

} // namespace weft
