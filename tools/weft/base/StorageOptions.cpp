// Reads --precision, then --weights-as and --caches-as.
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

// A target's kernels read caches as the precision has all floats, but for those of CPUs, which read
// them as anything.
std::optional<std::string> wrongCaches(llvm::StringRef said, model::CacheFormat format,
                                       model::Precision precision, const Target &target) {
  bool isNarrow = precision == model::Precision::bf16;
  auto usual = isNarrow ? model::CacheFormat::bf16 : model::CacheFormat::float32;
  if (readsPanels(target) || format == usual)
    return std::nullopt;
  auto name = [](model::CacheFormat each) { return model::cacheFormats[unsigned(each)]; };
  std::string others;
  for (const Target *each : targets())
    if (readsPanels(*each))
      others += (others.empty() ? "`" : ", `") + each->name().str() + "`";
  return fmt::format("{}: kernels of the target `{}` keep caches as the precision says, as `{}`, "
                     "not as `{}`; those that can: {}",
                     said.str(), target.name().str(), name(usual), name(format), others);
}

static std::optional<std::string> setCaches(const Arguments &arguments,
                                            llvm::ArrayRef<const Target *> all,
                                            mlir::ModuleOp module, bool whole) {
  bool asked = arguments.has("caches-as");
  llvm::StringRef said = asked ? "--caches-as" : "`caches_as` of the config";
  if (asked) {
    std::string text = arguments.get("caches-as");
    std::optional<model::CacheFormat> named = model::cacheFormatNamed(text);
    if (!named)
      return fmt::format("--caches-as: caches are kept as {}, not as `{}`", model::cacheFormatNames,
                         text);
    if (whole && module.getOps<model::DecodingOp>().empty())
      return "--caches-as: the program has no `decode`, so it keeps no caches";
    model::setCacheFormat(module, *named);
  }
  std::optional<model::CacheFormat> format = model::cacheFormatOf(module);
  std::optional<std::string> problem;
  for (const Target *each : all)
    if (format && !problem)
      problem = wrongCaches(said, *format, model::precisionOf(module), *each);
  return problem;
}

std::optional<std::string> setStorage(const Arguments &arguments, const Target &target,
                                      llvm::ArrayRef<const Target *> all, mlir::ModuleOp module,
                                      bool whole) {
  std::optional<std::string> problem = setPrecision(arguments, target, module), asked;
  if (arguments.has("weights-as"))
    asked = arguments.get("weights-as");
  for (const Target *each : all)
    problem = problem ? problem : setWeightsAs(asked, *each, module);
  return problem ? problem : setCaches(arguments, all, module, whole);
}

} // namespace weft
