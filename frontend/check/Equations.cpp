// Second stage: what each dimension's equation says about its size.
#include "frontend/check/Module.h"
#include "frontend/configure/SizeEquation.h"
#include "frontend/syntax/Mentions.h"
#include "frontend/syntax/Ordering.h"

#include <fmt/format.h>

namespace weft::sema {

const Dim *findDim(Module &module, const ast::Name &name, const DimScope &scope,
                   std::string_view except) {
  if (const Dim *dim = scope.find(name.text)) {
    module.mean(name, dim);
    return dim;
  }
  auto [first, isNew] = module.unknownDims.try_emplace(name.text);
  if (!isNew) {
    first->second->again(name.span);
    return nullptr;
  }
  first->second = &module.diagnostics.error(
      Code::E0201, name.span, fmt::format("unknown dimension `{}`", name.text), "not declared");
  auto known = [&] {
    std::vector<std::string> names = scope.names();
    std::erase(names, except);
    return names;
  };
  if (!module.suggest(*first->second, name, known))
    first->second->suggest(fmt::format("declare it: `dim {}`", name.text));
  return nullptr;
}

namespace {

/// Reads equations in the names of one scope.
class Equations {
public:
  Equations(Module &module, const DimScope &scope) : module(module), scope(scope) {}

  void settle(const ast::DimDef &def, Dim &dim) {
    defined = def.name.text;
    if (def.size)
      if (std::optional<Size> size = read(*def.size); size && possible(*size, def.size->span))
        dim.size = *size;
    if (!def.parts.empty())
      join(def, dim);
    if (def.bound)
      if (std::optional<Size> bound = read(*def.bound); bound && possible(*bound, def.bound->span))
        module.tree.table.setBound(&dim, *bound);
    dim.broken |= broken;
  }

private:
  /// Empty after an error.
  std::optional<Size> read(const ast::Expr &expr) {
    if (auto *number = expr.as<ast::Number>(); number && number->isInteger)
      return Size::number(number->integer);
    if (auto *variable = expr.as<ast::Variable>())
      return sizeOf(variable->name);
    auto *binary = expr.as<ast::Binary>();
    if (!binary || binary->op > ast::BinaryOp::divide) {
      fail(Code::E0104, expr.span, "a size is made of dimensions, whole numbers and `+ - * /`",
           "`dim dh = model / head`, `dim ff = 4 * model`");
      return std::nullopt;
    }
    std::optional<Size> lhs = read(*binary->lhs), rhs = read(*binary->rhs);
    if (!lhs || !rhs)
      return std::nullopt;
    switch (binary->op) {
    case ast::BinaryOp::add:
      return *lhs + *rhs;
    case ast::BinaryOp::subtract:
      return *lhs - *rhs;
    case ast::BinaryOp::multiply:
      return multiply(*lhs, *rhs);
    default:
      if (*rhs != Size())
        return divide(*lhs, *rhs);
      fail(Code::E0213, expr.span, "this divides by zero",
           "what stands below is 0, whatever the sizes are");
      return std::nullopt;
    }
  }

  std::optional<Size> sizeOf(const ast::Name &name) {
    const Dim *dim = findDim(module, name, scope, defined);
    broken |= !dim || dim->broken;
    if (!dim || dim->broken)
      return std::nullopt;
    return dim->size;
  }

  /// Whether some program can have this size.
  bool possible(const Size &size, Span place) {
    if (!isReasonable(size)) {
      fail(Code::E0213, place, "this size is too large to compute with",
           fmt::format("the largest size is {}", maxDimension));
      return false;
    }
    if (!size.dims().empty())
      return true;
    std::optional<int64_t> number = size.constant();
    if (!number)
      fail(Code::E0213, place, fmt::format("a size must be whole, this is {}", size.str()),
           "change one of the numbers, so that nothing is left over");
    else if (*number < 1)
      fail(Code::E0213, place, fmt::format("a size must be at least 1, this is {}", *number),
           "leave a dimension undefined that a config or the data gives a size");
    else if (*number > maxDimension)
      fail(Code::E0213, place, fmt::format("a size must fit 32 bits, this is {}", *number),
           fmt::format("the largest size is {}", maxDimension));
    return number && *number >= 1 && *number <= maxDimension;
  }

  void join(const ast::DimDef &def, Dim &dim) {
    Size total;
    for (const ast::Name &name : def.parts) {
      std::optional<Size> size = sizeOf(name);
      if (!size)
        continue;
      const Dim *part = scope.find(name.text);
      if (contains(dim.parts, part)) {
        fail(Code::E0208, name.span,
             fmt::format("`{}` is a part of `{}` twice", name.text, dim.name),
             fmt::format("parts are distinct: `dim {0}2 = {0}`", name.text));
        continue;
      }
      dim.parts.push_back(part);
      total = total + *size;
    }
    if (!broken && possible(total, def.span))
      dim.size = total;
  }

  void fail(Code code, Span place, std::string message, std::string help) {
    module.diagnostics.error(code, place, std::move(message)).suggest(std::move(help));
    broken = true;
  }

  Module &module;
  const DimScope &scope;
  std::string_view defined; ///< whose equation it is
  bool broken = false;
};

} // namespace

void settle(Module &module, const ast::DimDef &def, Dim &dim, const DimScope &scope) {
  Equations(module, scope).settle(def, dim);
}

void resolveDimensions(Module &module) {
  std::map<const Dim *, size_t> number;
  for (size_t i = 0; i < module.tree.dimDefs.size(); ++i)
    number[module.tree.dimDefs[i].second] = i;
  std::vector<std::vector<size_t>> uses(module.tree.dimDefs.size());
  for (size_t i = 0; i < uses.size(); ++i)
    for (const ast::Name *name : namesIn(*module.tree.dimDefs[i].first))
      if (const Dim *dim = module.tree.dims.find(name->text))
        uses[i].push_back(number[dim]);

  Ordering ordering = dependenciesFirst(uses);
  for (const std::vector<size_t> &cycle : ordering.cycles) {
    std::string ring;
    for (size_t i : cycle) {
      ring += fmt::format("`{}` -> ", module.tree.dimDefs[i].second->name);
      module.tree.dimDefs[i].second->broken = true;
    }
    const ast::DimDef &first = *module.tree.dimDefs[cycle.front()].first;
    module.diagnostics
        .error(Code::E0212, first.name.span,
               fmt::format("the size of `{}` depends on itself", first.name.text))
        .note(fmt::format("{}`{}`", ring, first.name.text))
        .suggest(fmt::format("leave one of them undefined: `{}`", first.name.text))
        .replace(first.span, first.name.text);
  }
  for (size_t i : ordering.order)
    if (auto [def, dim] = module.tree.dimDefs[i]; !dim->broken)
      settle(module, *def, *dim, module.tree.dims);
}

} // namespace weft::sema
