// Derived entries: `minimize` and `decode` of entries that they name.
#include "frontend/check/clauses/Derived.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace weft::sema {

void ClauseChecker::onlyNamed(const std::vector<std::string> &known) {
  for (const ast::NamedArg &arg : call.named)
    if (std::find(known.begin(), known.end(), arg.name.text) == known.end()) {
      auto &problem =
          error(Code::E0308, arg.name.span,
                fmt::format("`{}` has no argument `{}`", call.callee.text, arg.name.text))
              .suggest(fmt::format("it takes `{}` and `{}` by name",
                                   fmt::join(known.begin(), known.end() - 1, "`, `"),
                                   known.back()));
      module.suggest(problem, arg.name, known);
    }
}

const ast::Expr *ClauseChecker::named(std::string_view name) const {
  for (const ast::NamedArg &arg : call.named)
    if (arg.name.text == name)
      return arg.value.get();
  return nullptr;
}

namespace {

class DerivedEntry {
public:
  DerivedEntry(Module &module, ClauseNumbers &numbers, const ast::DerivedEntry &syntax)
      : module(module), numbers(numbers), syntax(syntax) {}

  void run() {
    const ast::Expr &expr = *syntax.expr;
    auto *call = expr.as<ast::Call>();
    if (!call || (call->callee.text != "minimize" && call->callee.text != "decode")) {
      auto &problem =
          error(Code::E0501, call ? call->callee.span : expr.span,
                "an entry is derived by `minimize` or `decode`")
              .suggest(fmt::format("an entry of its own has a result: `entry {}() -> float = ...`",
                                   syntax.name.text));
      if (call)
        module.suggest(problem, call->callee, {"minimize", "decode"});
      return;
    }
    const FunctionInfo *entry = target(*call);
    call->callee.text == "minimize" ? checkMinimize(module, numbers, *call, entry)
                                    : checkDecode(module, numbers, *call, entry);
  }

private:
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }

  /// The entry that the first argument names; null after an error.
  const FunctionInfo *target(const ast::Call &call) {
    auto *variable = call.args.empty() ? nullptr : call.args[0]->as<ast::Variable>();
    if (!variable) {
      error(Code::E0501, call.args.empty() ? call.callee.span : call.args[0]->span,
            fmt::format("`{}` takes the name of an entry first", call.callee.text))
          .suggest(call.callee.text == "minimize" ? "`minimize(loss, adamw(rate = 0.001))`"
                                                  : "`decode[seq](logits, start = 0, max = 8)`");
      return nullptr;
    }
    const std::string &name = variable->name.text;
    if (auto it = module.tree.entries.find(name); it != module.tree.entries.end()) {
      module.mean(variable->name, static_cast<const FunctionInfo *>(it->second));
      return it->second;
    }
    std::vector<std::string> known;
    for (const auto &[other, entry] : module.tree.entries)
      known.push_back(other);
    module.suggest(error(Code::E0204, variable->name.span,
                         module.tree.derived.count(name)
                             ? fmt::format("`{}` is itself derived", name)
                             : fmt::format("unknown entry `{}`", name))
                       .suggest("name an entry that has a body: `entry loss(...) -> float = ...`"),
                   variable->name, known);
    return nullptr;
  }

  Module &module;
  ClauseNumbers &numbers;
  const ast::DerivedEntry &syntax;
};

} // namespace

void checkDerived(Module &module) {
  ClauseNumbers numbers(module);
  for (const auto &[name, derived] : module.tree.derived)
    DerivedEntry(module, numbers, *derived).run();
}

} // namespace weft::sema
