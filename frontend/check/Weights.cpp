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

  static std::string text(const ast::Path &path) {
    std::string out;
    for (const ast::Name &name : path.names)
      out += (out.empty() ? "" : ".") + name.text;
    return out;
  }

  /// With what is picked: a part is not the whole.
  static std::string text(const ast::OwnPart &part) {
    std::string out = text(part.path);
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
        unknown(part.path);
        known = false;
      }
    }
    checkPattern(rule.foreign, rule.foreignSpan, &rule);
    for (const ast::OwnPart &part : rule.parts)
      known = known && checkPart(rule, part);
  }

  /// What is picked of one of ours, and the layout of what is left.
  bool checkPart(const ast::RenameRule &rule, const ast::OwnPart &part) {
    std::vector<Type> types = storages.endingWith(part.path.names);
    if (types.empty() && (!part.picks.empty() || rule.layout)) {
      error(Code::E0521, part.path.span,
            fmt::format("`{}` is not one parameter, so it has no dimensions", text(part.path)))
          .suggest("go on to the parameter: `q.weight`");
      return false;
    }
    for (const Type &type : types) {
      std::optional<Type> left = picked(part, type);
      if (!left)
        return false;
      numbered(rule.foreign, *left);
      if (rule.layout && !compare({part.path, *rule.layout, &rule}, *left, module.dims))
        return false;
    }
    return true;
  }

  /// Takes away the dimensions whose numbers stand in the name.
  void numbered(const std::string &foreign, Type &type) const {
    std::erase_if(type.dims, [&](const Dim *dim) {
      return foreign.find("{" + dim->name + "}") != std::string::npos;
    });
  }

  void unknown(const ast::Path &path) {
    std::vector<std::string> known = storages.names();
    auto wrong = std::find_if(path.names.begin(), path.names.end(), [&](const ast::Name &name) {
      return std::find(known.begin(), known.end(), name.text) == known.end();
    });
    bool isWhole = wrong == path.names.end();
    Diagnostic &problem =
        error(Code::E0520, isWhole ? path.span : wrong->span,
              fmt::format("no path to a parameter has `{}`", isWhole ? text(path) : wrong->text))
            .suggest("`weft params` lists the paths");
    if (!isWhole)
      module.suggest(problem, *wrong, known);
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

  void checkLayout(const ast::LayoutRule &rule) {
    once(rule.part, laidOut, "laid out");
    const ast::Path &path = rule.part.path;
    const std::vector<ast::Name> &names = path.names;
    const FunctionInfo *block = names.size() > 1 ? module.function(names[0].text, false) : nullptr;
    if (block && block->isBlock())
      return checkBlockLayout(rule, *block);
    std::vector<Type> types = storages.endingWith(names);
    if (types.empty())
      return unknown(path);
    for (const Type &type : types) {
      std::optional<Type> left = picked(rule.part, type);
      if (!left || !compare({path, rule.layout, nullptr}, *left, module.dims))
        return;
    }
  }

  void checkBlockLayout(const ast::LayoutRule &rule, const FunctionInfo &block) {
    const std::vector<ast::Name> &names = rule.part.path.names;
    std::optional<Type> type = storages.inside(block, std::span(names).subspan(1));
    if (type && !rule.part.picks.empty()) {
      error(Code::E0521, rule.part.path.span, "what fills a block's dimensions differs by instance")
          .suggest("split the dimensions of a path instead: `q.weight[dh as (half, freq)]: [ … ]`");
      return;
    }
    if (type) {
      compare({rule.part.path, rule.layout, nullptr}, *type, block.dims);
      return;
    }
    std::vector<std::string> known;
    for (const auto &[name, storage] : block.naming.storage)
      known.push_back(name);
    module.suggest(error(Code::E0520, names.back().span,
                         fmt::format("`{}` has no parameter `{}`", block.name, names.back().text)),
                   names.back(), known);
  }

  /// What is left of a parameter's dimensions when some are split and others picked.
  std::optional<Type> picked(const ast::OwnPart &part, Type type) {
    for (const ast::Pick &pick : part.picks) {
      auto *as = std::get_if<ast::Rename>(&pick);
      const ast::Name &name = as ? as->from.dims.front() : std::get<ast::At>(pick).dim;
      auto found = std::find_if(type.dims.begin(), type.dims.end(),
                                [&](const Dim *dim) { return dim->name == name.text; });
      if (found == type.dims.end()) {
        lacks(part.path, name, type);
        return std::nullopt;
      }
      if (as ? !splits(*as, type, found) : !picks(std::get<ast::At>(pick), type, found))
        return std::nullopt;
    }
    return type;
  }

  void lacks(const ast::Path &path, const ast::Name &name, const Type &type) {
    std::vector<std::string> known;
    for (const Dim *dim : type.dims)
      known.push_back(dim->name);
    Diagnostic &problem = error(Code::E0521, name.span,
                                fmt::format("`{}` does not have the dimension `{}`", text(path),
                                            name.text))
                              .note(fmt::format("it is {}", show(type)));
    if (!module.suggest(problem, name, known))
      problem.suggest("pick or split one of its own");
  }

  bool splits(const ast::Rename &as, Type &type, Dims::iterator from) {
    if (as.from.dims.size() != 1) {
      error(Code::E0521, as.from.span, "a layout splits dimensions, it does not merge them")
          .suggest("in parentheses inside the layout they are one axis: `[(head, dh), model]`");
      return false;
    }
    Dims to;
    for (const ast::Name &name : as.to.dims) {
      const Dim *dim = module.dims.find(name.text);
      if (!dim) {
        error(Code::E0201, name.span, fmt::format("`{}` is not declared", name.text))
            .suggest(fmt::format("`dim half = 2, freq = {} / half` at the top of the file",
                                 (*from)->name));
        return false;
      }
      to.push_back(dim);
    }
    if (!anyBroken(to) && !(*from)->broken && !(product(to) == (*from)->size)) {
      error(Code::E0311, as.to.span, "the sizes are not known to agree",
            "size " + sema::show(product(to)))
          .label(as.from.span, "size " + sema::show((*from)->size))
          .suggest(fmt::format("define one size by the others: `dim half = 2, freq = {} / half`",
                               (*from)->name));
      return false;
    }
    type.dims.insert(type.dims.erase(from), to.begin(), to.end());
    return true;
  }

  bool picks(const ast::At &at, Type &type, Dims::iterator along) {
    const Dim &dim = **along;
    auto *number = std::get_if<ast::Number>(&at.index->node);
    auto *name = std::get_if<ast::Variable>(&at.index->node);
    auto part = std::find_if(dim.parts.begin(), dim.parts.end(), [&](const Dim *each) {
      return name && each->name == name->name.text;
    });
    bool isPart = part != dim.parts.end();
    if (!isPart && !(number && number->isInteger && number->integer >= 0)) {
      error(Code::E0521, at.index->span, "here a position is a number, or a part by its name")
          .suggest(fmt::format("`[{} = 0]`", dim.name));
      return false;
    }
    std::optional<int64_t> size = dim.broken ? std::nullopt : dim.size.constant();
    if (number && size && number->integer >= *size) {
      error(Code::E0310, at.index->span,
            fmt::format("`{}` has {} positions, from 0", dim.name, *size))
          .suggest(fmt::format("the last one is {}", *size - 1));
      return false;
    }
    if (isPart)
      *along = *part;
    else
      type.dims.erase(along);
    return true;
  }

  /// A layout, of what, and the rule that puts it together with others, or null.
  struct Layout {
    const ast::Path &path;
    const std::vector<ast::Group> &axes;
    const ast::RenameRule *rule;
  };

  /// Whether the layout has each dimension of the type once, and else only those of repeats, of
  /// size 1, and the one along which several are put together.
  bool compare(const Layout &layout, const Type &type, const DimScope &scope) {
    if (!type.known)
      return true;
    std::vector<std::string> wanted, given;
    for (const Dim *dim : type.dims)
      wanted.push_back(dim->name);
    std::string along = layout.rule && layout.rule->along ? layout.rule->along->text : "";
    auto has = [](const std::vector<std::string> &names, const std::string &name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const ast::Group &group : layout.axes)
      for (const ast::Name &name : group.dims) {
        const Dim *dim = scope.find(name.text);
        if (!dim)
          dim = module.dims.find(name.text); // the block may be the library's
        bool isOne = dim && dim->size == Size::number(1);
        bool isTwice = has(given, name.text);
        given.push_back(name.text);
        if (isTwice)
          return fail(layout, name.span, fmt::format("`{}` stands twice in this layout", name.text),
                      type);
        if (!has(wanted, name.text) && !isOne && name.text != along && !storages.repeats(name.text))
          return fail(
              layout, name.span,
              fmt::format("`{}` does not have the dimension `{}`", text(layout.path), name.text),
              type);
      }
    if (!along.empty() && !has(given, along))
      return fail(layout, layout.path.span,
                  fmt::format("the layout lacks `{}`, along which they lie", along), type);
    for (const std::string &name : wanted)
      if (!has(given, name) && !(layout.rule && layout.rule->together == ast::Together::concat))
        return fail(layout, layout.path.span,
                    fmt::format("the layout of `{}` lacks `{}`", text(layout.path), name), type);
    return true;
  }

  bool fail(const Layout &layout, Span place, std::string message, const Type &type) {
    auto &problem =
        error(Code::E0521, place, std::move(message)).note(fmt::format("it is {}", show(type)));
    std::string dims = show(type.dims);
    if (layout.rule && layout.rule->along) {
      problem.suggest(fmt::format("all of `{}` and `{}`, in the order of the file", dims,
                                  layout.rule->along->text));
      return false;
    }
    if (dims.empty() || layout.axes.empty()) {
      problem.suggest("only dimensions of size 1 can be added");
      return false;
    }
    problem
        .suggest(fmt::format("all of `{}`, in the order of the file; in parentheses those that are "
                             "one axis there",
                             dims))
        .replace(join(layout.axes.front().span, layout.axes.back().span),
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
