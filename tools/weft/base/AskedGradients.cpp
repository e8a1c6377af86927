// Of what a compilation derives gradients, and how much is kept for them.
#include "tools/weft/base/Compilation.h"

#include "ir/model/Entries.h"
#include "passes/Pipeline.h"
#include "tools/weft/sizes/RecomputeBudget.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace weft {

/// Those of --gradients-of, which must be entries.
bool Compilation::addGradientsAskedFor(std::vector<std::string> &symbols) {
  std::vector<std::string> given = arguments.all("gradients-of");
  llvm::SmallVector<llvm::StringRef> names;
  for (const std::string &list : given)
    llvm::StringRef(list).split(names, ',', -1, false);
  for (llvm::StringRef name : names) {
    mlir::func::FuncOp function = functionOf(name);
    if (!function || name.contains('.')) { // what is derived has a point in its name
      std::vector<std::string> entries;
      for (auto each : module().getOps<mlir::func::FuncOp>())
        if (llvm::StringRef entry = model::publicName(each); !entry.contains('.'))
          entries.push_back(entry.str());
      fmt::print(stderr, "weft: --gradients-of: there is no entry `{}`; there is `{}`\n",
                 name.str(), fmt::join(entries, "`, `"));
      return false;
    }
    if (!llvm::is_contained(symbols, function.getSymName()))
      symbols.push_back(function.getSymName().str());
  }
  return true;
}

/// The functions of which the program gets gradients, by symbol.
std::optional<std::vector<std::string>> Compilation::differentiated() {
  std::vector<std::string> symbols;
  if (!gradients || arguments.has("inference"))
    return symbols;
  if (!only.empty()) {
    if (mlir::func::FuncOp function = functionOf(sourceEntry()))
      symbols.push_back(function.getSymName().str());
    return symbols;
  }
  auto isNumber = [](mlir::Type type) {
    auto tensor = llvm::dyn_cast<model::NamedTensorType>(type);
    return tensor && tensor.isFloat() && tensor.getDims().empty();
  };
  for (auto function : module().getOps<mlir::func::FuncOp>()) {
    bool isLoss = false; // the builder's own, of a training
    for (auto training : module().getOps<model::TrainingOp>())
      isLoss |= training.getLoss() == function.getSymName();
    if (model::kindOf(function) == model::EntryKind::plain && !isLoss &&
        llvm::any_of(function.getResultTypes(), isNumber))
      symbols.push_back(function.getSymName().str());
  }
  if (!addGradientsAskedFor(symbols))
    return std::nullopt;
  return symbols;
}

/// What may be kept, as it was said: by the option, or else by the config. Empty: everything.
std::string Compilation::recomputeBudget(std::string &saidBy) {
  auto said = module()->getAttrOfType<mlir::StringAttr>(model::attr::recompute);
  const bool isOption = arguments.has("recompute-budget");
  saidBy = isOption ? "--recompute-budget" : "`recompute` of the config";
  std::string text = isOption ? arguments.get("recompute-budget") : said ? said.str() : "";
  return text == "none" ? "" : text;
}

/// By trials: of the gradients alone, to the plan.
bool Compilation::chooseRecomputed(const StageOptions &options) {
  RecomputeBudget budget;
  const std::string text = recomputeBudget(budget.said);
  // A config is also that of programs, or entries, that find no gradients.
  bool finds = !options.gradientsOf.empty() || !module().getOps<model::TrainingOp>().empty();
  if (text.empty() || (!finds && !arguments.has("recompute-budget")))
    return true;
  if (auto problem = readBudget(text, budget))
    return misuse(*problem);
  size_t said = remarks.size();
  std::set<std::string> before;
  auto lower = [&](RecomputeWay way) -> mlir::OwningOpRef<mlir::ModuleOp> {
    mlir::OwningOpRef<mlir::ModuleOp> trial = copyModule();
    StageOptions tried = options;
    tried.price = way.price;
    tried.chunks = way.chunks;
    if (!runStages(*trial, "model", "", tried, /*isTrial=*/true))
      return nullptr;
    for (auto function : llvm::make_early_inc_range(trial->getOps<mlir::func::FuncOp>()))
      if (model::kindOf(function) != model::EntryKind::gradient)
        function.erase();
    std::string text;
    llvm::raw_string_ostream(text) << *trial;
    if (!before.insert(text).second || !runStages(*trial, "plan", "model", tried, /*isTrial=*/true))
      return nullptr;
    return trial;
  };
  auto problem = chooseLevel(budget, lower, unlimited(), recomputed());
  remarks.resize(said);
  return !problem || (!problem->empty() && misuse(*problem));
}

} // namespace weft
