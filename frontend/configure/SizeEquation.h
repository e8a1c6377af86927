// Size equations of dimensions, evaluated: to a number where all is known, else to a polynomial.
#pragma once

#include "frontend/source/Diagnostic.h"
#include "frontend/syntax/Ast.h"
#include "ir/size/Size.h"

#include <functional>
#include <optional>

namespace weft {

/// The largest size of one dimension: an index must fit the 32 bits it has in files.
inline constexpr int64_t maxDimension = (int64_t(1) << 31) - 1;

/// A size as far as a build knows it.
struct KnownSize {
  std::optional<int64_t> number; ///< if it is known when the program is built
  Size polynomial;               ///< in run-time dimensions; the number itself if there is one

  static KnownSize of(int64_t number) { return {number, Size::number(number)}; }
};

/// How an error in an equation is reported: its code, where, what, and what would help.
using SizeReport = std::function<void(Code, Span, std::string message, std::string help)>;

/// Evaluates the right side of `dim x = …`. Whole numbers are divided exactly, or E0604 says which
/// equation does not hold. `lookup` gives the size of a dimension, or nothing after it reported
/// why.
std::optional<KnownSize>
evaluateSize(const ast::Expr &equation,
             const std::function<std::optional<KnownSize>(const ast::Name &)> &lookup,
             const SizeReport &report);

} // namespace weft
