// What is noted of a program, sorted by place.
#include "frontend/semantics/Places.h"

#include <algorithm>
#include <tuple>

namespace weft::sema {

static auto startOf(Span span) {
  return std::tuple(span.file, span.begin);
}

Places::Places(const Program &program) {
  for (const auto &[name, meaning] : program.meanings)
    names.push_back({name, meaning});
  for (const auto &[name, binding] : program.bindings)
    names.push_back({name, binding.variable});
  std::sort(names.begin(), names.end(), [](const NameAt &a, const NameAt &b) {
    return startOf(a.name->span) < startOf(b.name->span);
  });
  for (const NameAt &each : names)
    byMeaning[each.meaning].push_back(each.name->span);
  for (const auto &[expr, type] : program.types)
    exprs.push_back({expr, &type});
  std::sort(exprs.begin(), exprs.end(), [](const ExprAt &a, const ExprAt &b) {
    const Span &x = a.expr->span, &y = b.expr->span;
    return std::tuple(x.file, x.begin, y.end, b.expr->depth) <
           std::tuple(y.file, y.begin, x.end, a.expr->depth);
  });
}

const NameAt *Places::name(FileId file, uint32_t offset) const {
  auto after = std::upper_bound(
      names.begin(), names.end(), std::tuple(file, offset),
      [](const auto &place, const NameAt &each) { return place < startOf(each.name->span); });
  if (after == names.begin())
    return nullptr;
  const NameAt &found = *std::prev(after);
  const Span &span = found.name->span;
  return span.file == file && offset < span.end ? &found : nullptr;
}

const ExprAt *Places::expr(FileId file, uint32_t offset) const {
  auto each = std::upper_bound(
      exprs.begin(), exprs.end(), std::tuple(file, offset),
      [](const auto &place, const ExprAt &other) { return place < startOf(other.expr->span); });
  // Expressions nest: the last of those that begin before and end behind is the smallest.
  while (each != exprs.begin()) {
    const Span &span = (--each)->expr->span;
    if (span.file != file)
      return nullptr;
    if (offset < span.end)
      return &*each;
  }
  return nullptr;
}

std::vector<Span> Places::uses(const Meaning &meaning) const {
  auto found = byMeaning.find(meaning);
  return found == byMeaning.end() ? std::vector<Span>() : found->second;
}

namespace {

struct Kind {
  std::string_view operator()(const Dim *) const { return "a dimension"; }
  std::string_view operator()(const Variable *) const { return "a value"; }
  std::string_view operator()(const ArgInfo *) const { return "an argument"; }
  std::string_view operator()(const OptionInfo *) const { return "an option"; }
  std::string_view operator()(const FunctionInfo *fn) const {
    return !fn->syntax                      ? "a primitive"
           : fn->kind == ast::FnKind::entry ? "an entry"
           : fn->isBlock()                  ? "a block"
                                            : "a function";
  }
  std::string_view operator()(const Primitive *) const { return "a primitive"; }
  std::string_view operator()(Word) const { return "a word of the language"; }
  std::string_view operator()(const ast::Call *) const { return "an instance"; }
  std::string_view operator()(const ast::DerivedEntry *) const { return "an entry"; }
  std::string_view operator()(const ast::Config *) const { return "a config"; }
  std::string_view operator()(const ast::Weights *) const { return "a weights clause"; }
};

struct Declaration {
  std::optional<Span> operator()(const Dim *dim) const { return dim->place; }
  std::optional<Span> operator()(const Variable *variable) const { return variable->place; }
  std::optional<Span> operator()(const ArgInfo *arg) const {
    return arg->syntax ? std::optional(arg->syntax->name.span) : std::nullopt;
  }
  std::optional<Span> operator()(const OptionInfo *option) const {
    return option->syntax->name.span;
  }
  std::optional<Span> operator()(const FunctionInfo *fn) const {
    return fn->syntax ? std::optional(fn->syntax->name.span) : std::nullopt;
  }
  std::optional<Span> operator()(const Primitive *) const { return std::nullopt; }
  std::optional<Span> operator()(Word) const { return std::nullopt; }
  std::optional<Span> operator()(const ast::Call *call) const { return call->label->span; }
  std::optional<Span> operator()(const auto *declared) const { return declared->name.span; }
};

} // namespace

std::string_view kindOf(const Meaning &meaning) {
  return std::visit(Kind{}, meaning);
}

std::optional<Span> declarationOf(const Meaning &meaning) {
  return std::visit(Declaration{}, meaning);
}

} // namespace weft::sema
