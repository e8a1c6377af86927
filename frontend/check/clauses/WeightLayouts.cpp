// What is picked, split and listed in layouts, against the types of parameters.
#include "frontend/check/clauses/WeightLayouts.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

/// Takes away the dimensions whose numbers stand in the name.
static void numbered(const std::string &foreign, Type &type) {
  std::erase_if(type.dims, [&](const Dim *dim) {
    return foreign.find("{" + dim->name + "}") != std::string::npos;
  });
}

static bool isPosition(const ast::At &at) {
  auto *number = std::get_if<ast::Number>(&at.index->node);
  return std::holds_alternative<ast::Variable>(at.index->node) ||
         (number && number->isInteger && number->integer >= 0);
}

/// What is picked of a parameter, and the layout of what is left.
bool LayoutChecker::checkPart(const ast::RenameRule &rule, const ast::OwnPart &part) {
  std::vector<Type> types = storages.endingWith(part.path.names);
  if (const Dim *along = rule.along ? module.tree.dims.find(rule.along->text) : nullptr)
    module.mean(*rule.along, along);
  if (types.empty() && rule.layout) {
    error(Code::E0521, part.path.span,
          fmt::format("`{}` is not one parameter, so it has no layout", pathText(part.path)))
        .suggest("go on to the parameter: `q.weight`");
    return false;
  }
  if (types.empty() && !pickable(part))
    return false;
  for (const Type &type : types) {
    std::optional<Type> left = picked(part, type);
    if (!left)
      return false;
    numbered(rule.foreign, *left);
    if (rule.layout && !compare({part.path, *rule.layout, &rule}, *left, module.tree.dims))
      return false;
  }
  return true;
}

/// What is picked of every parameter below a path: the dimensions exist.
bool LayoutChecker::pickable(const ast::OwnPart &part) {
  bool known = true;
  for (const ast::Pick &pick : part.picks) {
    auto *as = std::get_if<ast::Rename>(&pick);
    for (const ast::Name &name : as ? as->from.dims : std::vector{std::get<ast::At>(pick).dim})
      known &= findDim(module, name, module.tree.dims) != nullptr;
    for (const ast::Name &name : as ? as->to.dims : std::vector<ast::Name>())
      known &= findDim(module, name, module.tree.dims) != nullptr;
    if (!as && !isPosition(std::get<ast::At>(pick))) {
      notAPosition(std::get<ast::At>(pick));
      known = false;
    }
  }
  return known;
}

void LayoutChecker::notAPosition(const ast::At &at) {
  error(Code::E0521, at.index->span, "here a position is a number, or a part by its name")
      .suggest(fmt::format("`[{} = 0]`", at.dim.text));
}

void LayoutChecker::checkLayout(const ast::LayoutRule &rule) {
  const ast::Path &path = rule.part.path;
  const std::vector<ast::Name> &names = path.names;
  const FunctionInfo *block =
      names.size() > 1 ? module.tree.function(names[0].text, false) : nullptr;
  if (block && block->isBlock()) {
    module.mean(names[0], block);
    return checkBlockLayout(rule, *block);
  }
  std::vector<Type> types = storages.endingWith(names);
  if (types.empty())
    return storages.unknown(module, path);
  for (const Type &type : types) {
    std::optional<Type> left = picked(rule.part, type);
    if (!left || !compare({path, rule.layout, nullptr}, *left, module.tree.dims))
      return;
  }
}

void LayoutChecker::checkBlockLayout(const ast::LayoutRule &rule, const FunctionInfo &block) {
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
std::optional<Type> LayoutChecker::picked(const ast::OwnPart &part, Type type) {
  for (const ast::Pick &pick : part.picks) {
    auto *as = std::get_if<ast::Rename>(&pick);
    const ast::Name &name = as ? as->from.dims.front() : std::get<ast::At>(pick).dim;
    auto found = std::find_if(type.dims.begin(), type.dims.end(),
                              [&](const Dim *dim) { return dim->name == name.text; });
    if (found == type.dims.end()) {
      lacks(part.path, name, type);
      return std::nullopt;
    }
    module.mean(name, *found);
    if (as ? !splits(*as, type, found) : !picks(std::get<ast::At>(pick), type, found))
      return std::nullopt;
  }
  return type;
}

void LayoutChecker::lacks(const ast::Path &path, const ast::Name &name, const Type &type) {
  std::vector<std::string> known;
  for (const Dim *dim : type.dims)
    known.push_back(dim->name);
  Diagnostic &problem =
      error(Code::E0521, name.span,
            fmt::format("`{}` does not have the dimension `{}`", pathText(path), name.text))
          .note(fmt::format("it is {}", show(type)));
  if (!module.suggest(problem, name, known))
    problem.suggest("pick or split one of its own");
}

bool LayoutChecker::splits(const ast::Rename &as, Type &type, Dims::iterator from) {
  if (as.from.dims.size() != 1) {
    error(Code::E0521, as.from.span, "a layout splits dimensions, it does not merge them")
        .suggest("in parentheses inside the layout they are one axis: `[(head, dh), model]`");
    return false;
  }
  Dims to;
  for (const ast::Name &name : as.to.dims) {
    const Dim *dim = findDim(module, name, module.tree.dims);
    if (!dim)
      return false;
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

bool LayoutChecker::picks(const ast::At &at, Type &type, Dims::iterator along) {
  const Dim &dim = **along;
  auto *number = std::get_if<ast::Number>(&at.index->node);
  auto *name = std::get_if<ast::Variable>(&at.index->node);
  auto part = std::find_if(dim.parts.begin(), dim.parts.end(),
                           [&](const Dim *each) { return name && each->name == name->name.text; });
  bool isPart = part != dim.parts.end();
  if (!isPosition(at) || (name && !isPart)) {
    notAPosition(at);
    return false;
  }
  std::optional<int64_t> size = dim.broken ? std::nullopt : dim.size.constant();
  if (number && size && number->integer >= *size) {
    error(Code::E0310, at.index->span,
          fmt::format("`{}` has {} positions, from 0", dim.name, *size))
        .suggest(fmt::format("the last one is {}", *size - 1));
    return false;
  }
  if (isPart) {
    module.mean(name->name, *part);
    *along = *part;
  } else
    type.dims.erase(along);
  return true;
}

/// Whether the layout has each dimension of the type once, and else only those of repeats, of
/// size 1, and the one along which several are put together.
bool LayoutChecker::compare(const Layout &layout, const Type &type, const DimScope &scope) {
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
        dim = module.tree.dims.find(name.text); // the block may be the library's
      if (dim)
        module.mean(name, dim);
      bool isOne = dim && dim->size == Size::number(1);
      bool isTwice = has(given, name.text);
      given.push_back(name.text);
      if (isTwice)
        return fail(layout, name.span, fmt::format("`{}` stands twice in this layout", name.text),
                    type);
      if (!has(wanted, name.text) && !isOne && name.text != along && !storages.repeats(name.text))
        return fail(
            layout, name.span,
            fmt::format("`{}` does not have the dimension `{}`", pathText(layout.path), name.text),
            type);
    }
  if (!along.empty() && !has(given, along))
    return fail(layout, layout.path.span,
                fmt::format("the layout lacks `{}`, along which they lie", along), type);
  for (const std::string &name : wanted)
    if (!has(given, name) && !(layout.rule && layout.rule->together == ast::Together::concat))
      return fail(layout, layout.path.span,
                  fmt::format("the layout of `{}` lacks `{}`", pathText(layout.path), name), type);
  return true;
}

bool LayoutChecker::fail(const Layout &layout, Span place, std::string message, const Type &type) {
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

} // namespace weft::sema
