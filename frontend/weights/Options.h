// What a `weights` clause says of a foreign model besides its tensors and sizes.
#pragma once

#include "frontend/configure/Configure.h"
#include "frontend/syntax/Ast.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace weft {

/// A field of a file's configuration, and what it is here.
struct ForeignOption {
  struct Function {
    std::string name;
  };
  /// Whatever it says, for the clause ignores it.
  struct Anything {};

  std::string name; ///< `rope_scaling.factor`
  std::variant<Anything, bool, double, Function, std::string> value;
  std::string shown;  ///< as a user would write it: `1e-05`, `gelu_tanh`
  std::string option; ///< the one whose value it is, if it is no more than that
};

/// The options of a clause under these settings, in its order. Errors (E0625): what has no value
/// before a run.
std::optional<std::vector<ForeignOption>> foreignOptions(const ast::Weights &clause,
                                                         const sema::Program &program,
                                                         const Settings &settings,
                                                         Diagnostics &diagnostics);

} // namespace weft
