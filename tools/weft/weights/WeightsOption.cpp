// Checks --weights-as against the program's parameters and the target.
#include "tools/weft/weights/WeightsOption.h"

#include "frontend/source/Spelling.h"
#include "ir/model/Model.h"
#include "ir/model/weights/WeightsAs.h"

#include <fmt/format.h>

namespace weft {

/// What is wrong with a path, or nothing.
static std::optional<std::string> wrongPath(llvm::StringRef said, const std::string &path,
                                            mlir::ModuleOp module) {
  std::vector<std::string> names;
  for (auto parameter : module.getOps<model::ParameterOp>()) {
    if (model::isPartOf(path, parameter.getSymName()))
      return std::nullopt;
    names.push_back(parameter.getSymName().str());
  }
  // What could have been meant: whole names, or runs of them.
  std::vector<std::string> parts;
  for (const std::string &name : names)
    for (size_t begin = 0; begin != std::string::npos;) {
      for (size_t end = name.find('.', begin);; end = name.find('.', end + 1)) {
        parts.push_back(name.substr(begin, end - begin));
        if (end == std::string::npos)
          break;
      }
      begin = name.find('.', begin);
      begin += begin == std::string::npos ? 0 : 1;
    }
  std::optional<std::string> near = nearest(path, parts);
  return fmt::format("{}: no parameter has `{}` in its name{}; `weft params` lists them, and "
                     "`head` is the last product, whatever it is called",
                     said.str(), path, near ? fmt::format("; did you mean `{}`?", *near) : "");
}

std::optional<std::string> setWeightsAs(const std::optional<std::string> &text,
                                        const Target &target, mlir::ModuleOp module) {
  llvm::StringRef said = text ? "--weights-as" : "`weights_as` of the config";
  if (text) {
    std::string problem;
    if (!model::readWeightsAs(*text, problem))
      return "--weights-as: " + problem;
    module->setAttr(model::attr::weights, mlir::StringAttr::get(module.getContext(), *text));
  }
  std::optional<model::WeightsAs> asked = model::weightsAsOf(module);
  if (!asked)
    return std::nullopt;
  for (const model::WeightsAs::Rule &rule : asked->rules) {
    if (!rule.path.empty() && rule.path != model::headPart)
      if (auto problem = wrongPath(said, rule.path, module))
        return problem;
    if (!rule.format || readsPanels(target))
      continue;
    std::string others;
    for (const Target *each : targets())
      if (readsPanels(*each))
        others += (others.empty() ? "`" : ", `") + each->name().str() + "`";
    return fmt::format("{}: kernels of the target `{}` read no weights that are whole numbers; "
                       "those that can: {}{}",
                       said.str(), target.name().str(), others,
                       text ? "" : "; `--weights-as float32` wins over the config");
  }
  return std::nullopt;
}

} // namespace weft
