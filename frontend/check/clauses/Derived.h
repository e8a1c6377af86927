// What checks of derived entries share: the call `minimize(…)` or `decode[…](…)`, and its
// arguments.
#pragma once

#include "frontend/check/clauses/ClauseNumbers.h"

namespace weft::sema {

/// One clause of a derived entry against the entry that it names.
class ClauseChecker {
public:
  ClauseChecker(Module &module, ClauseNumbers &numbers, const ast::Call &call)
      : module(module), numbers(numbers), call(call) {}

protected:
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "") {
    return module.diagnostics.error(code, place, std::move(message), std::move(label));
  }
  /// Reports arguments by name that are not in `known`.
  void onlyNamed(const std::vector<std::string> &known);
  /// What is given under `name`, or null.
  const ast::Expr *named(std::string_view name) const;

  Module &module;
  ClauseNumbers &numbers;
  const ast::Call &call;
};

/// `minimize(…)`; `loss` is null where the first argument names no entry.
void checkMinimize(Module &module, ClauseNumbers &numbers, const ast::Call &call,
                   const FunctionInfo *loss);
/// `decode[…](…)`; `entry` is null where the first argument names none.
void checkDecode(Module &module, ClauseNumbers &numbers, const ast::Call &call,
                 const FunctionInfo *entry);

} // namespace weft::sema
