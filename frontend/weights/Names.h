// What a `weights` clause calls our parameters.
#pragma once

#include "frontend/syntax/Ast.h"

#include <set>
#include <string>
#include <vector>

namespace weft {

/// One name for a parameter, or for a part of it. Where the number of a pass or a position goes
/// stands `{layer}`.
struct ForeignName {
  std::string text;
  std::set<std::string> written;       ///< the braces that the clause wrote itself
  std::vector<std::string> unnumbered; ///< loops whose number is not in the name
  /// The rules that the name was made with, and which of their parts the path went through.
  struct Use {
    const ast::RenameRule *rule;
    const ast::OwnPart *part;
    bool isLast; ///< it replaced the end of the path
  };
  std::vector<Use> uses;
};

/// The names of the parameter at `path`, which lies in repeats over `loops`: pieces are replaced
/// from left to right, the longest first. Several, where rules name parts of it (`x[role = 0]`).
/// With a rule that is a copy, the names that this one gives, none if it is not about `path`.
std::vector<ForeignName> foreignNames(const ast::Weights &clause,
                                      const std::vector<std::string> &path,
                                      const std::vector<std::string> &loops,
                                      const ast::RenameRule *copy = nullptr);

/// The path `a.b.c` by its names.
std::vector<std::string> splitPath(std::string_view path);
std::vector<std::string> texts(const ast::Path &path);

} // namespace weft
