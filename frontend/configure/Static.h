// What is known at build time: numbers, switches and functions, and the expressions made of them.
#pragma once

#include "frontend/semantics/Program.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>

namespace weft {

/// A number known at build time. A whole one fits `integer` and may still stand for a float; as an
/// `int` it has to lie in 32 bits, where it is used.
struct StaticNumber {
  double value = 0;
  int64_t integer = 0;
  bool whole = false;

  static StaticNumber of(int64_t value) { return {static_cast<double>(value), value, true}; }
  static StaticNumber of(double value) { return {value, 0, false}; }
  bool operator==(const StaticNumber &) const = default;
};

/// A function as a value: one of the program's or the library's, or an elementwise primitive.
using Callee = const sema::FunctionInfo *;

using Static = std::variant<bool, StaticNumber, Callee>;

/// `0.1`, `true`, `gelu`: as a user would write it.
std::string show(const Static &value);

/// Where an expression that is evaluated at build time finds its names.
struct StaticScope {
  std::function<std::optional<Static>(const ast::Name &)> value;
  std::function<std::optional<int64_t>(const ast::Name &)> size; ///< of a dimension; may be empty
};

/// The value of `expr` if it is known at build time. Reports nothing.
std::optional<Static> evaluateStatic(const ast::Expr &expr, const StaticScope &scope);

} // namespace weft
