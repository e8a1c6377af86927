// What holds after the `model` stage.
#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "ir/model/demands/Demands.h"
#include "ir/model/obligations/Obligations.h"
#include "passes/Promises.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

namespace {

std::optional<Breach> foreignOp(ModuleOp module) {
  std::optional<Breach> found;
  module.walk([&](Operation *op) {
    bool known = op == module || isa<ModelDialect>(op->getDialect()) ||
                 isa<func::FuncOp, func::ReturnOp>(op);
    auto function = dyn_cast<func::FuncOp>(op);
    if (!known)
      found = {op, "is no operation of the model"};
    else if (function && (function.isDeclaration() || !function.getBody().hasOneBlock()))
      found = {op, "has not one block"};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Breach> unknownSize(ModuleOp module) {
  Dims dims(module);
  std::optional<Breach> found;
  module.walk([&](SizeOp op) {
    const Size &size = op.getSize().getValue();
    if (size.constant())
      found = {op, "is the number " + size.str()};
    else if (dims.resolve(size) != size)
      found = {op, "speaks of `" + size.str() + "`, which is `" + dims.resolve(size).str() + "`"};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Breach> missingGradient(ModuleOp module) {
  for (auto training : module.getOps<TrainingOp>()) {
    auto gradient = module.lookupSymbol<func::FuncOp>(training.getGradientAttr());
    if (!gradient)
      return Breach{training, "has no gradient for `" + training.getName().str() + "`"};
    for (unsigned i = 0; i < gradient.getNumResults(); ++i) {
      auto of = gradient.getResultAttrOfType<StringAttr>(i, attr::gradientOf);
      auto parameter = of ? module.lookupSymbol<ParameterOp>(of) : ParameterOp();
      if (parameter && parameter.getTensor() != gradient.getResultTypes()[i])
        return Breach{gradient, "gives a gradient of `" + of.str() + "` that is not of its type"};
    }
  }
  return std::nullopt;
}

std::optional<Breach> missingCache(ModuleOp module) {
  for (auto decoding : module.getOps<DecodingOp>()) {
    FlatSymbolRefAttr name = decoding.getAdvanceAttr();
    auto advance = name ? module.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
    if (!advance)
      return Breach{decoding, "has no `advance` for `" + decoding.getName().str() + "`"};
    llvm::SmallDenseMap<Attribute, Type> into;
    for (unsigned i = 0; i < advance.getNumArguments(); ++i)
      if (Attribute cache = advance.getArgAttr(i, attr::cache))
        into[cache] = advance.getArgumentTypes()[i];
    for (unsigned i = 0; i < advance.getNumResults(); ++i)
      if (Attribute cache = advance.getResultAttr(i, attr::cache))
        if (into.lookup(cache) != advance.getResultTypes()[i])
          return Breach{advance, "gives back another cache than came in: `" +
                                     cast<StringAttr>(cache).str() + "`"};
  }
  return std::nullopt;
}

std::optional<Breach> unstated(ModuleOp module) {
  Dims dims(module);
  Known known(dims);
  std::optional<Breach> found;
  module.walk([&](Obliged op) {
    auto function = op->getParentOfType<func::FuncOp>();
    auto listed = function ? function->getAttrOfType<ArrayAttr>(attr::requirements) : ArrayAttr();
    for (const Obligation &each : function ? op.obligations() : std::vector<Obligation>())
      if (known.judge(each) != Known::Verdict::always &&
          !isListed(listed ? listed.getValue() : ArrayRef<Attribute>(), each.holds, known))
        found = {op, "asks of its sizes what its function does not list: " +
                         each.holds.getText().str()};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

std::optional<Breach> unanswered(ModuleOp module) {
  std::vector<Demand> demands = demandsOf(module);
  for (const Demand &demand : demands)
    if (demand.required && !demand.met)
      return Breach{module, "does not say that `" + demand.text() + "` of `" + demand.function +
                                "` is met"};
  std::optional<Breach> found;
  module.walk([&](Operation *op) {
    for (int64_t number : demands.empty() ? SmallVector<int64_t>() : demandsAt(op->getLoc()))
      if (size_t(number) >= demands.size())
        found = {op, "is held to a demand that the module does not list"};
      else if (!demands[number].required &&
               op->getName().getStringRef() == StringRef(demands[number].fusion->made))
        found = {op, "was made where `" + demands[number].text() + "` forbids it"};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

constexpr Promise promises[] = {
    {"flat", "an entry is one function of one block, made of operations of the model dialect", "",
     foreignOp},
    {"sizes", "every size is a formula in the sizes that are known only at run time",
     "weft-fold-sizes", unknownSize},
    {"obligations",
     "every constraint on sizes is proved, or listed in `model.requires` of its function",
     "weft-state-obligations", unstated},
    {"gradients", "every training has its gradient, of the parameters' types", "weft-differentiate",
     missingGradient},
    {"caches", "every decoding has its `advance`, which returns the caches that it takes",
     "weft-decode", missingCache},
    {"demands", "every fusion that is required was made, and none that is forbidden",
     "weft-answer-demands", unanswered},
};
} // namespace

llvm::ArrayRef<Promise> weft::modelPromises() {
  return promises;
}
