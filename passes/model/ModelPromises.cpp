// What holds after the `model` stage.
#include "ir/model/Dims.h"
#include "ir/model/Obligations.h"
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

/// The function that `row` names under `key`.
func::FuncOp namedIn(ModuleOp module, DictionaryAttr row, StringRef key) {
  auto name = row.getAs<StringAttr>(key);
  return name ? module.lookupSymbol<func::FuncOp>(name) : func::FuncOp();
}

std::string rowNamed(DictionaryAttr row) {
  auto name = row.getAs<StringAttr>("name");
  return name ? "`" + name.str() + "`" : "one without a name";
}

std::optional<Breach> missingGradient(ModuleOp module) {
  auto trainings = module->getAttrOfType<ArrayAttr>("weft.trainings");
  for (auto row : trainings
                      ? trainings.getAsRange<DictionaryAttr>()
                      : ArrayAttr::get(module.getContext(), {}).getAsRange<DictionaryAttr>()) {
    func::FuncOp gradient = namedIn(module, row, "gradient");
    if (!gradient)
      return Breach{module, "has no gradient for the training " + rowNamed(row)};
    for (unsigned i = 0; i < gradient.getNumResults(); ++i) {
      auto of = gradient.getResultAttrOfType<StringAttr>(i, "weft.gradient_of");
      auto parameter = of ? module.lookupSymbol<ParameterOp>(of) : ParameterOp();
      if (parameter && parameter.getTensor() != gradient.getResultTypes()[i])
        return Breach{gradient, "gives a gradient of `" + of.str() + "` that is not of its type"};
    }
  }
  return std::nullopt;
}

std::optional<Breach> missingCache(ModuleOp module) {
  auto decodings = module->getAttrOfType<ArrayAttr>("weft.decodings");
  for (auto row : decodings
                      ? decodings.getAsRange<DictionaryAttr>()
                      : ArrayAttr::get(module.getContext(), {}).getAsRange<DictionaryAttr>()) {
    func::FuncOp advance = namedIn(module, row, "advance");
    if (!advance)
      return Breach{module, "has no `advance` for the decoding " + rowNamed(row)};
    llvm::SmallDenseMap<Attribute, Type> into;
    for (unsigned i = 0; i < advance.getNumArguments(); ++i)
      if (Attribute cache = advance.getArgAttr(i, "weft.cache"))
        into[cache] = advance.getArgumentTypes()[i];
    for (unsigned i = 0; i < advance.getNumResults(); ++i)
      if (Attribute cache = advance.getResultAttr(i, "weft.cache"))
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
    auto listed = function ? function->getAttrOfType<ArrayAttr>(requiresName) : ArrayAttr();
    for (const Obligation &each : function ? op.obligations() : std::vector<Obligation>())
      if (known.judge(each) != Known::Verdict::always &&
          !isListed(listed ? listed.getValue() : ArrayRef<Attribute>(), each.holds, known))
        found = {op, "asks of its sizes what its function does not list: " +
                         each.holds.getText().str()};
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

constexpr Promise promises[] = {
    {"flat", "an entry is one function of one block, made of operations of the model dialect", "",
     foreignOp},
    {"sizes", "what asks for a size asks for a formula in dimensions that come with the data",
     "weft-fold-sizes", unknownSize},
    {"obligations", "what an operation asks of sizes is shown, or its function lists it",
     "weft-state-obligations", unstated},
    {"gradients", "every training has its gradient, of the parameters' types", "weft-differentiate",
     missingGradient},
    {"caches", "every decoding has its `advance`, which gives back the caches that it takes",
     "weft-decode", missingCache},
};
} // namespace

llvm::ArrayRef<Promise> weft::modelPromises() {
  return promises;
}
