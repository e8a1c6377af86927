// Counts the weights that each entry packs.
#include "tools/weft/weights/WeightsReport.h"

#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "tools/calibration/RoundedParameters.h"

#include <fmt/format.h>

namespace weft {

namespace {
/// What an entry packs of parameters, once for all runs.
struct Packed {
  double weights = 0, bytes = 0;   // all of them, as they are stored
  double asBytes = 0, asFours = 0; // of the weights those of 8 bits, and of 4
};

class Counter {
public:
  explicit Counter(mlir::ModuleOp plan) : plan(plan), dims(plan) {}

  Packed of(plan::EntryOp entry) {
    Packed all;
    entry.getPrepare().walk([&](plan::LaunchOp launch) {
      auto kernel = plan.lookupSymbol<plan::KernelOp>(launch.getKernelAttr());
      auto fused = cast<kernel::FusedOp>(kernel.getBody().front().front());
      mlir::Attribute layout = fused.getLayoutsAttr()[fused.getNumOperands()];
      model::NamedTensorType type = model::typeOf(fused.getResult(0));
      double count = number(dims.size(type.getDims()));
      for (mlir::Operation *loop = launch->getParentOp(); loop != entry; loop = loop->getParentOp())
        count *= number(dims.size(cast<plan::LoopOp>(loop).getDim()));
      all.weights += count;
      all.bytes += count * kernel::averageBytes(type, layout);
      if (auto format = kernel::weightFormatOf(layout))
        (*format == model::WeightFormat::int8 ? all.asBytes : all.asFours) += count;
    });
    return all;
  }

private:
  /// Parameters have sizes that are known.
  static double number(const Size &size) { return double(size.constant().value_or(0)); }

  mlir::ModuleOp plan;
  model::Dims dims;
};
} // namespace

std::string weightsOf(plan::EntryOp entry) {
  Packed packed = Counter(entry->getParentOfType<mlir::ModuleOp>()).of(entry);
  if (packed.asBytes + packed.asFours == 0)
    return "";
  constexpr double million = 1e6, asFloats = 4;
  std::string formats;
  for (auto [count, name] : {std::pair(packed.asBytes, "int8"), {packed.asFours, "int4"}})
    if (count > 0)
      formats +=
          fmt::format("{}{:.1f} million as {}", formats.empty() ? "" : ", ", count / million, name);
  return fmt::format("{}: products read {:.1f} MB of weights, {:.1f} MB as float32; of {:.1f} "
                     "million {}\n",
                     model::publicName(entry).str(), packed.bytes / million,
                     packed.weights * asFloats / million, packed.weights / million, formats);
}

std::string weightsReport(mlir::ModuleOp plan) {
  std::string text;
  for (auto entry : plan.getOps<plan::EntryOp>())
    text += weightsOf(entry);
  return text;
}

std::string pathWithoutWeights(mlir::ModuleOp plan) {
  std::optional<model::WeightsAs> asked = model::weightsAsOf(plan);
  if (!asked)
    return "";
  auto rounded = calibration::roundedParameters(plan);
  for (const model::WeightsAs::Rule &rule : asked->rules)
    if (rule.format && !rule.path.empty() && rule.path != model::headPart &&
        llvm::none_of(rounded, [&](const auto &parameter) {
          return model::isPartOf(rule.path, parameter.first);
        }))
      return rule.path;
  return "";
}

} // namespace weft
