// Leaving training out.
#include "tools/weft/base/Inference.h"

#include "ir/model/Entries.h"

#include <fmt/format.h>

namespace weft {

std::optional<std::string> wrongForInference(const Arguments &arguments) {
  for (const char *option : {"gradients-of", "recompute-budget"})
    if (arguments.has(option))
      return fmt::format("--inference leaves gradients out, and --{} is about them", option);
  return std::nullopt;
}

std::optional<std::string> leftOutByInference(mlir::ModuleOp module, llvm::StringRef only) {
  for (auto training : module.getOps<model::TrainingOp>())
    if (only == training.getName() || only.starts_with(training.getName().str() + "."))
      return fmt::format("--inference leaves the training `{}` out, so there is no `{}`",
                         training.getName().str(), only.str());
  if (only.ends_with(".gradient"))
    return fmt::format("--inference leaves gradients out, so there is no `{}`", only.str());
  return std::nullopt;
}

void keepInference(mlir::ModuleOp module) {
  for (auto training : llvm::make_early_inc_range(module.getOps<model::TrainingOp>())) {
    for (mlir::FlatSymbolRefAttr symbol :
         {training.getLossAttr(), training.getGradientAttr(), training.getUpdateAttr()})
      if (mlir::Operation *function = module.lookupSymbol(symbol);
          function && model::publicName(function) != training.getEntry()) // which is evaluated
        function->erase();
    mlir::OpBuilder builder(training);
    model::EvaluationOp::create(builder, training.getLoc(), training.getNameAttr(),
                                training.getEntryAttr(), training.getMetricsAttr(),
                                training.getDataAttr());
    training.erase();
  }
  for (auto parameter : llvm::make_early_inc_range(module.getOps<model::ParameterOp>()))
    if (parameter.getKind() == model::ParameterKind::optimizer)
      parameter.erase();
}

llvm::SmallVector<mlir::DictionaryAttr> dataOfLosses(mlir::ModuleOp module) {
  llvm::SmallVector<mlir::DictionaryAttr> data;
  for (auto training : module.getOps<model::TrainingOp>())
    data.push_back(training.getDataAttr());
  for (auto evaluation : module.getOps<model::EvaluationOp>())
    data.push_back(evaluation.getDataAttr());
  return data;
}

} // namespace weft
