// `weights` clauses: the paths exist, each is named once, and names have numbers only where paths
// do.
#include "frontend/Spelling.h"
#include "frontend/check/WeightLayouts.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

namespace {

class WeightsChecker {
public:
  WeightsChecker(Module &module, const Storages &storages)
      : module(module), storages(storages), layouts(module, storages) {}

  void check(const ast::Weights &weights) {
    renamed.clear();
    laidOut.clear();
    for (const ast::WeightRule &rule : weights.rules) {
      if (auto *rename = std::get_if<ast::RenameRule>(&rule))
        checkRename(*rename);
      if (auto *layout = std::get_if<ast::LayoutRule>(&rule)) {
        once(layout->part, laidOut, "laid out");
        layouts.checkLayout(*layout);
      }
      if (auto *ignored = std::get_if<ast::IgnoreRule>(&rule))
        checkPattern(ignored->foreign, ignored->foreignSpan, nullptr);
    }
  }

private:
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  void emptyName(Span place) {
    error(Code::E0522, place, "the name of a tensor is not empty")
        .suggest("write it as it stands in the file: `\"fc1.weight\"`");
  }

  /// With what is picked: a part is not the whole.
  static std::string text(const ast::OwnPart &part) {
    std::string out = pathText(part.path);
    for (const ast::Pick &pick : part.picks)
      if (auto *at = std::get_if<ast::At>(&pick))
        out += fmt::format("[{} = {}]", at->dim.text, ast::dump(*at->index));
    return out;
  }

  void once(const ast::OwnPart &part, std::map<std::string, Span> &before, std::string_view what) {
    auto [it, isNew] = before.try_emplace(text(part), part.path.span);
    if (!isNew)
      error(Code::E0211, part.path.span, fmt::format("`{}` is {} twice", it->first, what), "again")
          .label(it->second, "first")
          .suggest("leave one of them out");
  }

  void checkRename(const ast::RenameRule &rule) {
    bool known = true;
    for (const ast::OwnPart &part : rule.parts) {
      once(part, renamed, "named");
      if (!storages.leadsTo(part.path.names)) {
        storages.unknown(module, part.path);
        known = false;
      }
    }
    checkPattern(rule.foreign, rule.foreignSpan, &rule);
    for (const ast::OwnPart &part : rule.parts)
      known = known && layouts.checkPart(rule, part);
  }

  /// `{layer}` stands for the number of the pass or along a dimension of the parameter, so our path
  /// must have it. `rule` is null where no path is.
  void checkPattern(const std::string &pattern, Span place, const ast::RenameRule *rule) {
    if (pattern.empty())
      emptyName(place);
    for (size_t open = pattern.find_first_of("{}"); open != std::string::npos;
         open = pattern.find_first_of("{}", open + 1)) {
      size_t close = pattern.find('}', open);
      if (pattern[open] == '}' || close == std::string::npos) {
        error(Code::E0522, place, "`{` and `}` stand in pairs, around a dimension")
            .suggest("`\"block{layer}\" = layer`: the number of the pass");
        return;
      }
      std::string name = pattern.substr(open + 1, close - open - 1);
      if (rule && !hasNumber(*rule, name)) {
        auto &problem =
            error(Code::E0522, place, fmt::format("the path does not repeat over `{}`", name))
                .label(rule->parts.front().path.span, "this path")
                .suggest(
                    "`\"block{layer}\" = layer`: the number of the pass, where the path has it");
        suggestRepeat(problem, *rule, name);
        return;
      }
      if (!module.dims.find(name)) {
        error(Code::E0522, place, fmt::format("`{}` is not a dimension", name))
            .suggest("name the dimension of a `repeat`: `\"block{layer}\" = layer`");
        return;
      }
      open = close;
    }
  }

  /// Whether every path of the rule has a number along `name`.
  bool hasNumber(const ast::RenameRule &rule, const std::string &name) const {
    return std::all_of(rule.parts.begin(), rule.parts.end(), [&](const ast::OwnPart &part) {
      const std::vector<ast::Name> &names = part.path.names;
      std::vector<Type> types = storages.endingWith(names);
      return std::any_of(names.begin(), names.end(),
                         [&](const ast::Name &n) { return n.text == name; }) ||
             std::any_of(types.begin(), types.end(), [&](const Type &type) {
               return std::any_of(type.dims.begin(), type.dims.end(),
                                  [&](const Dim *dim) { return dim->name == name; });
             });
    });
  }

  /// The dimension of the path that `name` was meant to be.
  void suggestRepeat(Diagnostic &problem, const ast::RenameRule &rule, const std::string &name) {
    std::vector<std::string> names;
    for (const ast::OwnPart &part : rule.parts)
      for (const ast::Name &n : part.path.names)
        if (module.dims.find(n.text))
          names.push_back(n.text);
    std::string better = rule.foreign;
    if (std::optional<std::string> near = nearest(name, names)) {
      better.replace(better.find("{" + name + "}"), name.size() + 2, "{" + *near + "}");
      problem.suggest(fmt::format("did you mean `\"{}\"`?", better))
          .replace(rule.foreignSpan, "\"" + better + "\"");
    }
  }

  Module &module;
  const Storages &storages;
  LayoutChecker layouts;
  std::map<std::string, Span> renamed, laidOut;
};

} // namespace

void checkWeights(Module &module) {
  std::optional<Storages> storages;
  for (const ast::File &file : module.program.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *weights = declaration.as<ast::Weights>()) {
        if (!storages)
          storages.emplace(module);
        WeightsChecker(module, *storages).check(*weights);
      }
}

} // namespace weft::sema
