// What a checked program knows of a place in its text: the questions that an editor asks.
#pragma once

#include "frontend/semantics/Program.h"

namespace weft::sema {

/// A name in the text.
struct NameAt {
  const ast::Name *name;
  Meaning meaning;
};

/// An expression in the text, with what it gives.
struct ExprAt {
  const ast::Expr *expr;
  const Type *type;
};

/// Everything that `program` has noted, by place. The program outlives it.
class Places {
public:
  explicit Places(const Program &program);

  /// The name that the byte `offset` of `file` lies in; null if none does, or nothing is known of
  /// it.
  const NameAt *name(FileId file, uint32_t offset) const;
  /// The smallest expression that the byte lies in.
  const ExprAt *expr(FileId file, uint32_t offset) const;
  /// Every place that names what `meaning` is, in the order of the text; where it is declared too.
  std::vector<Span> uses(const Meaning &meaning) const;

private:
  std::vector<NameAt> names; ///< by place; they do not overlap
  std::vector<ExprAt> exprs; ///< by where they begin, larger ones first
  std::map<Meaning, std::vector<Span>> byMeaning;
};

/// "a dimension", "a value", "an argument", "an option", "a function", …
std::string_view kindOf(const Meaning &meaning);
/// Where it is declared; nothing for what the language has by itself.
std::optional<Span> declarationOf(const Meaning &meaning);

} // namespace weft::sema
