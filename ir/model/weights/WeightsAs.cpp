// Reads which weights are kept as whole numbers.
#include "ir/model/weights/WeightsAs.h"

#include "llvm/ADT/STLExtras.h"

using namespace weft::model;
using llvm::StringRef;

std::optional<WeightsAs> weft::model::readWeightsAs(StringRef text, std::string &problem) {
  auto refuse = [&](const llvm::Twine &why) {
    problem = why.str();
    return std::nullopt;
  };
  WeightsAs result;
  llvm::SmallVector<StringRef> pieces;
  text.split(pieces, ',');
  for (StringRef piece : pieces) {
    auto [path, name] = piece.trim().split('=');
    if (!piece.contains('='))
      std::swap(path, name);
    path = path.trim();
    std::optional<KeptAs> format = weightFormatNamed(name.trim());
    if (!format)
      return refuse("`" + piece.trim() +
                    "`: weights are kept as `int8`, `int4` or `float32`, of a part `PATH=int4`");
    if (path.empty() && piece.contains('='))
      return refuse(
          "`" + piece.trim() +
          "`: before `=` stands `head`, or a path of a parameter's name, as `layer.attn`");
    if (llvm::any_of(result.rules, [&](const WeightsAs::Rule &rule) { return rule.path == path; }))
      return refuse(path.empty() ? llvm::Twine("what is said for all weights is said twice")
                                 : "`" + path + "` is said twice");
    result.rules.push_back({path.str(), *format});
  }
  return result;
}

bool weft::model::isPartOf(StringRef path, StringRef parameter) {
  return ("." + parameter + ".").str().find(("." + path + ".").str()) != std::string::npos;
}

bool WeightsAs::rounds() const {
  return llvm::any_of(rules, [](const Rule &rule) { return rule.format.has_value(); });
}

const WeightsAs::Rule *WeightsAs::ruleFor(StringRef parameter, bool isHead) const {
  auto found = llvm::find_if(rules, [&](const Rule &rule) {
    return rule.path == headPart ? isHead : !rule.path.empty() && isPartOf(rule.path, parameter);
  });
  if (found == rules.end() && !isHead)
    found = llvm::find_if(rules, [](const Rule &rule) { return rule.path.empty(); });
  return found == rules.end() ? nullptr : &*found;
}

std::optional<WeightsAs> weft::model::weightsAsOf(mlir::ModuleOp module) {
  auto said = module->getAttrOfType<mlir::StringAttr>(attr::weights);
  std::string problem;
  return said ? readWeightsAs(said.getValue(), problem) : std::nullopt;
}
