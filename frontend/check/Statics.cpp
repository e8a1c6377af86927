// Values that are fixed at build time: numbers, switches, and names of functions.
#include "frontend/builtin/Primitives.h"
#include "frontend/check/Module.h"
#include "frontend/syntax/Quote.h"

#include <fmt/format.h>

namespace weft::sema {

bool checkWhole(Module &module, const ast::Expr &expr, const Static &value, const Static &fallback,
                const ast::Expr &written) {
  if (!fallback.whole || value.whole || value.kind != Static::Kind::number)
    return true;
  auto *number = written.as<ast::Number>();
  auto &problem = module.diagnostics
                      .error(Code::E0316, expr.span, "a whole number is needed here",
                             "this may have a fraction")
                      .label(written.span, "the default is whole");
  if (number)
    problem
        .suggest(
            fmt::format("where fractions may come, the default has one too: `{}.0`", number->text))
        .replace(written.span, number->text + ".0");
  return false;
}

std::string_view describe(Static::Kind kind) {
  switch (kind) {
  case Static::Kind::number:
    return "a number";
  case Static::Kind::toggle:
    return "a switch";
  case Static::Kind::function:
    return "a function";
  case Static::Kind::unknown:
    break;
  }
  return "unknown";
}

namespace {

class Evaluator {
public:
  Evaluator(Module &module, StaticPlace place) : module(module), place(place) {}

  Static run(const ast::Expr &expr) {
    if (auto *number = expr.as<ast::Number>())
      return {Static::Kind::number, nullptr, number->isInteger};
    if (expr.is<ast::Bool>())
      return {Static::Kind::toggle, nullptr};
    if (auto *variable = expr.as<ast::Variable>())
      return named(variable->name);
    if (auto *unary = expr.as<ast::Unary>()) {
      auto kind = unary->op == ast::UnaryOp::negate ? Static::Kind::number : Static::Kind::toggle;
      std::optional<Static> value = operand(*unary->operand, kind);
      return value ? Static{kind, nullptr, value->whole} : Static{};
    }
    if (auto *binary = expr.as<ast::Binary>())
      return combine(*binary);
    if (auto *call = expr.as<ast::Call>())
      return computed(*call, expr.span);
    return fail(expr.span);
  }

private:
  Static named(const ast::Name &name) {
    if (place.args)
      for (const ArgInfo &arg : *place.args)
        if (arg.name == name.text) {
          if (!arg.isStatic)
            return data(name);
          module.mean(name, &arg);
          return arg.fallback;
        }
    if (!place.fromLibrary)
      if (auto it = module.tree.options.find(name.text); it != module.tree.options.end()) {
        it->second.used = true;
        module.mean(name, &it->second);
        return it->second.value;
      }
    if (name.text == "training") {
      module.mean(name, Word::training);
      return {Static::Kind::toggle, nullptr};
    }
    if (name.text == "inf") {
      module.mean(name, Word::infinity);
      return {Static::Kind::number, nullptr};
    }
    if (const FunctionInfo *function = module.tree.function(name.text, place.fromLibrary)) {
      module.mean(name, function);
      return {Static::Kind::function, function};
    }
    if (place.isData && place.isData(name.text))
      return data(name);
    return notFound(name);
  }

  Static data(const ast::Name &name) {
    module.diagnostics
        .error(Code::E0209, name.span,
               fmt::format("`{}` is only known when the program runs", name.text),
               "must be known at build time")
        .suggest(std::string(help()));
    return {};
  }

  Static notFound(const ast::Name &name) {
    bool isDim = (place.dims ? place.dims : &module.tree.dims)->find(name.text);
    if (isDim && place.dims) {
      std::string size = fmt::format("size({})", name.text);
      module.diagnostics
          .error(Code::E0203, name.span, fmt::format("`{}` is a dimension, not a value", name.text))
          .suggest(fmt::format("`{}` is its extent", size))
          .replace(name.span, size);
      return {};
    }
    if (isDim)
      return fail(name.span);
    auto known = [&] {
      std::vector<std::string> names = module.tree.functionNames(place.fromLibrary);
      if (place.args)
        for (const ArgInfo &arg : *place.args)
          if (arg.isStatic)
            names.push_back(arg.name);
      if (!place.fromLibrary)
        for (const auto &[option, info] : module.tree.options)
          names.push_back(option);
      return names;
    };
    if (place.reported) // once in a body, whatever it was read for
      if (auto first = place.reported->find(name.text); first != place.reported->end()) {
        first->second->again(name.span);
        return {};
      }
    Diagnostic &problem =
        module.diagnostics
            .error(Code::E0204, name.span, fmt::format("unknown name `{}`", name.text),
                   "must be known at build time")
            .suggest(std::string(help()));
    module.suggest(problem, name, known);
    if (place.reported)
      place.reported->emplace(name.text, &problem);
    return {};
  }

  std::string_view help() const {
    return place.help.empty() ? "a number, `true`, `false`, an option or the name of a function"
                              : place.help;
  }

  Static combine(const ast::Binary &binary) {
    using Op = ast::BinaryOp;
    bool joins = binary.op == Op::logicalAnd || binary.op == Op::logicalOr;
    bool isNumber = binary.op <= Op::power;
    auto kind = joins ? Static::Kind::toggle : Static::Kind::number;
    std::optional<Static> left = operand(*binary.lhs, kind), right = operand(*binary.rhs, kind);
    if (!left || !right)
      return {};
    if (!isNumber)
      return {Static::Kind::toggle, nullptr};
    bool whole = left->whole && right->whole && binary.op != Op::divide && binary.op != Op::power;
    return {Static::Kind::number, nullptr, whole};
  }

  /// `size(d)`, and the primitives that map numbers to numbers.
  Static computed(const ast::Call &call, Span span) {
    const Primitive *primitive = findPrimitive(call.callee.text, /*withDims=*/false);
    if (!primitive || call.label || !call.dims.empty() || !call.named.empty() ||
        call.args.size() != primitive->minArgs)
      return fail(span);
    using Kind = Primitive::Kind;
    module.mean(call.callee, primitive);
    if (primitive->kind == Kind::dimension) {
      auto *dim = call.args[0]->as<ast::Variable>();
      if (!dim || !place.dims || primitive->name != "size")
        return fail(span);
      return findDim(module, dim->name, *place.dims) ? Static{Static::Kind::number, nullptr, true}
                                                     : Static{};
    }
    if (primitive->kind != Kind::map && primitive->kind != Kind::floor &&
        primitive->kind != Kind::pair)
      return fail(span);
    bool whole = primitive->kind != Kind::map;
    for (const ast::ExprPtr &arg : call.args) {
      std::optional<Static> value = operand(*arg, Static::Kind::number);
      if (!value)
        return {};
      whole &= value->whole || primitive->kind == Kind::floor;
    }
    return {Static::Kind::number, nullptr, whole};
  }

  /// Empty after an error.
  std::optional<Static> operand(const ast::Expr &expr, Static::Kind wanted) {
    Static value = run(expr);
    if (value.kind == wanted)
      return value;
    if (value.kind == Static::Kind::unknown)
      return std::nullopt;
    module.diagnostics
        .error(Code::E0209, expr.span,
               fmt::format("this must be {}, it is {}", describe(wanted), describe(value.kind)))
        .suggest(wanted == Static::Kind::toggle && value.kind == Static::Kind::number
                     ? fmt::format("compare it: `{} > 0`", quotePrimary(expr))
                 : wanted == Static::Kind::toggle
                     ? "`true`, `false`, `training`, or an option that is one of them"
                     : "a number, or an option that is one");
    return std::nullopt;
  }

  Static fail(Span span) {
    module.diagnostics.error(Code::E0209, span, "this must be known at build time")
        .suggest(std::string(help()));
    return {};
  }

  Module &module;
  StaticPlace place;
};

} // namespace

Static evaluate(Module &module, const ast::Expr &expr, StaticPlace place) {
  return Evaluator(module, place).run(expr);
}

} // namespace weft::sema
