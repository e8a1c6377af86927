// `weights` clauses: the paths exist, and layouts are made of the dimensions of what they lay out.
#include "frontend/Spelling.h"
#include "frontend/check/Storages.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

namespace {

class WeightsChecker {
public:
  WeightsChecker(Module &module, const Storages &storages) : module(module), storages(storages) {}

  void check(const ast::Weights &weights) {
    renamed.clear();
    laidOut.clear();
    for (const ast::WeightRule &rule : weights.rules) {
      if (auto *rename = std::get_if<ast::RenameRule>(&rule))
        checkRename(*rename);
      if (auto *layout = std::get_if<ast::LayoutRule>(&rule))
        checkLayout(*layout);
      if (auto *ignored = std::get_if<ast::IgnoreRule>(&rule); ignored && ignored->foreign.empty())
        emptyName(ignored->foreignSpan);
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

  void once(const ast::Path &path, std::map<std::string, Span> &before, std::string_view what) {
    auto [it, isNew] = before.try_emplace(pathText(path), path.span);
    if (!isNew)
      error(Code::E0211, path.span, fmt::format("`{}` is {} twice", it->first, what), "again")
          .label(it->second, "first")
          .suggest("leave one of them out");
  }

  void checkRename(const ast::RenameRule &rule) {
    once(rule.path, renamed, "named");
    if (!storages.leadsTo(rule.path.names))
      storages.unknown(module, rule.path);
    checkPattern(rule);
  }

  /// `{layer}` stands for the number of the pass, so the path must have `layer`.
  void checkPattern(const ast::RenameRule &rule) {
    const std::string &pattern = rule.foreign;
    if (pattern.empty())
      emptyName(rule.foreignSpan);
    for (size_t open = pattern.find_first_of("{}"); open != std::string::npos;
         open = pattern.find_first_of("{}", open + 1)) {
      size_t close = pattern.find('}', open);
      if (pattern[open] == '}' || close == std::string::npos) {
        error(Code::E0522, rule.foreignSpan, "`{` and `}` stand in pairs, around a dimension")
            .suggest("`\"block{layer}\" = layer`: the number of the pass");
        return;
      }
      std::string name = pattern.substr(open + 1, close - open - 1);
      bool inPath = std::any_of(rule.path.names.begin(), rule.path.names.end(),
                                [&](const ast::Name &n) { return n.text == name; });
      if (!inPath) {
        auto &problem =
            error(Code::E0522, rule.foreignSpan,
                  fmt::format("the path does not repeat over `{}`", name))
                .label(rule.path.span, "this path")
                .suggest(
                    "`\"block{layer}\" = layer`: the number of the pass, where the path has it");
        suggestRepeat(problem, rule, name);
        return;
      }
      if (!module.dims.find(name)) {
        error(Code::E0522, rule.foreignSpan, fmt::format("`{}` is not a dimension", name))
            .suggest("name the dimension of a `repeat`: `\"block{layer}\" = layer`");
        return;
      }
      open = close;
    }
  }

  /// The dimension of the path that `name` was meant to be.
  void suggestRepeat(Diagnostic &problem, const ast::RenameRule &rule, const std::string &name) {
    std::vector<std::string> names;
    for (const ast::Name &n : rule.path.names)
      if (module.dims.find(n.text))
        names.push_back(n.text);
    std::string better = rule.foreign;
    if (std::optional<std::string> near = nearest(name, names)) {
      better.replace(better.find("{" + name + "}"), name.size() + 2, "{" + *near + "}");
      problem.suggest(fmt::format("did you mean `\"{}\"`?", better))
          .replace(rule.foreignSpan, "\"" + better + "\"");
    }
  }

  void checkLayout(const ast::LayoutRule &rule) {
    once(rule.path, laidOut, "laid out");
    const std::vector<ast::Name> &names = rule.path.names;
    const FunctionInfo *block = names.size() > 1 ? module.function(names[0].text, false) : nullptr;
    if (block && block->isBlock()) {
      std::optional<Type> type = storages.inside(*block, std::span(names).subspan(1));
      if (type) {
        compare(rule, *type, block->dims);
        return;
      }
      std::vector<std::string> known;
      for (const auto &[name, storage] : block->naming.storage)
        known.push_back(name);
      module.suggest(
          error(Code::E0520, names.back().span,
                fmt::format("`{}` has no parameter `{}`", block->name, names.back().text)),
          names.back(), known);
      return;
    }
    std::vector<Type> types = storages.endingWith(names);
    if (types.empty())
      return storages.unknown(module, rule.path);
    for (const Type &type : types)
      if (!compare(rule, type, module.dims))
        return;
  }

  /// Whether the layout has each dimension of the type once, and else only ones of size 1.
  bool compare(const ast::LayoutRule &rule, const Type &type, const DimScope &scope) {
    if (!type.known)
      return true;
    std::vector<std::string> wanted, given;
    for (const Dim *dim : type.dims)
      wanted.push_back(dim->name);
    for (const ast::Group &group : rule.layout)
      for (const ast::Name &name : group.dims) {
        bool isOwn = std::find(wanted.begin(), wanted.end(), name.text) != wanted.end();
        const Dim *dim = scope.find(name.text);
        if (!dim)
          dim = module.dims.find(name.text); // the block may be the library's
        bool isOne = dim && dim->size == Size::number(1);
        bool isTwice = std::find(given.begin(), given.end(), name.text) != given.end();
        given.push_back(name.text);
        if (isTwice)
          return fail(rule, name.span, fmt::format("`{}` stands twice in this layout", name.text),
                      type);
        if (isOwn || isOne)
          continue;
        return fail(
            rule, name.span,
            fmt::format("`{}` does not have the dimension `{}`", pathText(rule.path), name.text),
            type);
      }
    for (const std::string &name : wanted)
      if (std::find(given.begin(), given.end(), name) == given.end())
        return fail(rule, rule.path.span,
                    fmt::format("the layout of `{}` lacks `{}`", pathText(rule.path), name), type);
    return true;
  }

  bool fail(const ast::LayoutRule &rule, Span place, std::string message, const Type &type) {
    auto &problem =
        error(Code::E0521, place, std::move(message)).note(fmt::format("it is {}", show(type)));
    std::string dims = show(type.dims);
    if (dims.empty() || rule.layout.empty()) {
      problem.suggest("only dimensions of size 1 can be added");
      return false;
    }
    problem
        .suggest(fmt::format("all of `{}`, in the order of the file; in parentheses those that are "
                             "one axis there",
                             dims))
        .replace(join(rule.layout.front().span, rule.layout.back().span),
                 dims.substr(1, dims.size() - 2));
    return false;
  }

  Module &module;
  const Storages &storages;
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
