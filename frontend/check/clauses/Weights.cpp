// `weights` clauses: the paths, dimensions and entries exist, each is named once, and names have
// numbers only where paths do.
#include "frontend/check/clauses/WeightLayouts.h"
#include "frontend/source/Spelling.h"
#include "frontend/syntax/Mentions.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

namespace {

class WeightsChecker {
public:
  WeightsChecker(Module &module, const Storages &storages)
      : module(module), storages(storages), layouts(module, storages) {}

  void check(const ast::Weights &weights) {
    for (auto *names : {&renamed, &copied, &laidOut, &ignored, &sizes, &options, &computed})
      names->clear();
    for (const ast::WeightRule &rule : weights.rules)
      std::visit([&](const auto &each) { checkRule(each); }, rule);
  }

private:
  void checkRule(const ast::RenameRule &rule) { checkRename(rule); }

  void checkRule(const ast::LayoutRule &rule) {
    once(text(rule.part), rule.part.path.span, laidOut, "laid out");
    layouts.checkLayout(rule);
  }

  void checkRule(const ast::IgnoreRule &rule) {
    if (rule.isOption) {
      checkOneName(rule.foreign, rule.foreignSpan);
      return once(rule.foreign, rule.foreignSpan, options, "said");
    }
    once(rule.foreign, rule.foreignSpan, ignored, "ignored");
    checkPattern(rule.foreign, rule.foreignSpan, nullptr);
    checkStars(rule);
  }

  void checkRule(const ast::SizeRule &rule) {
    checkOneName(rule.foreign, rule.foreignSpan);
    once(rule.foreign, rule.foreignSpan, sizes, "given");
    for (const ast::Name &dim : rule.dims.dims)
      findDim(module, dim, module.tree.dims);
  }

  void checkRule(const ast::OptionRule &rule) {
    checkOneName(rule.foreign, rule.foreignSpan);
    once(rule.foreign, rule.foreignSpan, options, "said");
    if (!rule.value)
      return;
    StaticPlace place;
    place.dims = &module.tree.dims;
    place.help = "what a file says of its model is an option, a number, a switch, a function or a "
                 "text here: `option \"rope_theta\" = base`";
    // To be compared with a file is not to be read: an option that nothing else reads is none.
    std::vector<OptionInfo *> unread;
    for (const ast::Name *name : mentions(*rule.value).variables)
      if (auto found = module.tree.options.find(name->text);
          found != module.tree.options.end() && !found->second.used)
        unread.push_back(&found->second);
    evaluate(module, *rule.value, place);
    for (OptionInfo *option : unread)
      option->used = false;
  }

  void checkRule(const ast::ComputedRule &rule) {
    checkOneName(rule.foreign, rule.foreignSpan);
    once(rule.foreign, rule.foreignSpan, computed, "computed");
    auto found = module.tree.entries.find(rule.entry.text);
    if (found == module.tree.entries.end()) {
      std::vector<std::string> known;
      for (const auto &[name, entry] : module.tree.entries)
        known.push_back(name);
      module.suggest(error(Code::E0523, rule.entry.span,
                           fmt::format("no entry is called `{}`", rule.entry.text)),
                     rule.entry, known);
      return;
    }
    module.mean<const FunctionInfo *>(rule.entry, found->second);
    const Signature &signature = found->second->signature;
    bool hasInputs = std::any_of(signature.args.begin(), signature.args.end(),
                                 [](const ArgInfo &arg) { return !arg.isStatic; });
    if (!signature.known || (!hasInputs && signature.results.empty() && isFloat(signature.result)))
      return;
    error(Code::E0523, rule.entry.span,
          fmt::format("`{}` {}", rule.entry.text,
                      hasInputs                    ? "has inputs, which a file does not give"
                      : !signature.results.empty() ? "gives several tensors"
                                                   : "does not give floats"))
        .label(found->second->syntax->name.span, "this entry")
        .suggest(
            "one tensor of floats, from sizes and options: `entry table() -> [pos, freq] = …`");
  }

  static bool isFloat(const Type &type) { return !type.known || type.element.isReal(); }

  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  void emptyName(Span place) {
    error(Code::E0522, place, "a name of the file is not empty")
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

  void once(const std::string &name, Span place, std::map<std::string, Span> &before,
            std::string_view what) {
    auto [it, isNew] = before.try_emplace(name, place);
    if (!isNew)
      error(Code::E0211, place, fmt::format("`{}` is {} twice", name, what), "again")
          .label(it->second, "first")
          .suggest("leave one of them out");
  }

  void checkRename(const ast::RenameRule &rule) {
    bool known = true;
    for (const ast::OwnPart &part : rule.parts) {
      if (rule.isCopy)
        once(fmt::format("{} = {}", rule.foreign, text(part)), rule.foreignSpan, copied, "copied");
      else
        once(text(part), part.path.span, renamed, "named");
      if (!storages.leadsTo(part.path.names)) {
        storages.unknown(module, part.path);
        known = false;
      }
    }
    checkPattern(rule.foreign, rule.foreignSpan, &rule);
    if (rule.foreign.find('*') != std::string::npos)
      error(Code::E0522, rule.foreignSpan, "`*` stands only in what is ignored")
          .suggest("write the name as it stands in the file; `{layer}` is the number of a pass");
    for (const ast::OwnPart &part : rule.parts)
      known = known && layouts.checkPart(rule, part);
  }

  /// One name, with no numbers in it.
  void checkOneName(const std::string &name, Span place) {
    if (name.empty())
      emptyName(place);
    else if (name.find_first_of("{}*") != std::string::npos)
      error(Code::E0522, place, "this is one name, which has no `{}` and no `*`")
          .suggest("write it as it stands in the file: `\"seq_len\"`");
  }

  /// `*` is a segment of its own, and not the only one: the clause must say what it leaves out.
  void checkStars(const ast::IgnoreRule &rule) {
    const std::string &pattern = rule.foreign;
    auto isEdge = [&](size_t at) {
      return at >= pattern.size() || pattern[at] == '.' || pattern[at] == '/';
    };
    for (size_t at = pattern.find('*'); at != std::string::npos; at = pattern.find('*', at + 1)) {
      if ((at == 0 || isEdge(at - 1)) && isEdge(at + 1))
        continue;
      error(Code::E0522, rule.foreignSpan, "`*` stands for whole segments of a name")
          .suggest("`\"pooler.*\"`: all that lies below `pooler`");
      return;
    }
    if (!pattern.empty() && pattern.find_first_not_of("*./") == std::string::npos)
      error(Code::E0522, rule.foreignSpan, "this would leave out whatever is in the file")
          .suggest("say what is left out: `\"pooler.*\"` is all that lies below `pooler`");
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
      if (!module.tree.dims.find(name)) {
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
        if (module.tree.dims.find(n.text))
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
  std::map<std::string, Span> renamed, copied, laidOut, ignored, sizes, options, computed;
};

} // namespace

void checkWeights(Module &module) {
  std::optional<Storages> storages;
  for (const ast::File &file : module.tree.syntax.files)
    for (const ast::Declaration &declaration : file.declarations)
      if (auto *weights = declaration.as<ast::Weights>()) {
        if (!storages)
          storages.emplace(module);
        WeightsChecker(module, *storages).check(*weights);
      }
}

} // namespace weft::sema
