// What `minimize` knows by name: arguments of optimizers, and kinds of data.
#pragma once

#include "frontend/syntax/Ast.h"

#include <optional>
#include <span>
#include <string_view>

namespace weft {

/// The arguments of an optimizer that nobody gives it but `minimize`.
inline constexpr std::string_view filledByMinimize[] = {"value", "gradient", "step", "steps",
                                                        "matrix"};

/// Whether the log of a training calls something of its own `name`: results of the loss need
/// others.
bool isLogged(std::string_view name);

/// What a loss calls the number of values that its means are over: batches weigh as much in means
/// over several. It is no metric.
inline constexpr std::string_view countResult = "count";

/// Parameters of which `minimize` says something else: `freeze(encoder, table)`,
/// `group(adamw(rate = 0.0001), decoder)`.
struct ParameterGroup {
  const ast::Call *clause = nullptr;
  const ast::Expr *optimizer = nullptr; ///< null: they stay as they are
  std::vector<std::span<const ast::Name>> paths;

  /// Whether the names of one of the paths follow each other in `parameter`,
  /// "decoder.layer.attn.q.weight".
  bool holds(std::string_view parameter) const;
};

/// Reads an argument of `minimize` after the optimizer; nothing if it is not of that form.
std::optional<ParameterGroup> readGroup(const ast::Expr &expr);

/// A kind of data, `data = text(tokens, next)`, and what it calls its tensors.
struct DataKind {
  std::string_view name;                   ///< "text"
  std::span<const std::string_view> roles; ///< in order; empty: any, as the loss calls them
};

/// The kind called `name`, or null.
const DataKind *findDataKind(std::string_view name);

} // namespace weft
