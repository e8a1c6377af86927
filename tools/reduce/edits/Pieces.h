// Every piece of a program's text that might be left out or made simpler.
#ifndef WEFT_TOOLS_REDUCE_EDITS_PIECES_H
#define WEFT_TOOLS_REDUCE_EDITS_PIECES_H

#include "frontend/syntax/parse/Parser.h"

namespace weft::reduce {

/// An expression, and where it stands.
struct Place {
  const ast::Expr *expr;
  const ast::Function *function; ///< null in a declaration that is none
};

/// What stands in one body, which belongs to a function.
struct BodyPlace {
  const ast::Body *body;
  const ast::Function *function;
};

/// A parsed text, taken apart. Pointers are into `file`.
struct Pieces {
  explicit Pieces(const std::string &text);

  bool parses = false;
  SourceManager sources;
  ast::File file;
  std::vector<Place> expressions;
  std::vector<BodyPlace> bodies;
  std::vector<const ast::Type *> types;
  std::vector<const ast::DimDecl *> dimensions;
  std::vector<const ast::Function *> functions;

  std::string_view text(Span span) const { return sources.text(span); }

private:
  void add(const ast::Expr *expr, const ast::Function *function);
  void add(const ast::Body &body, const ast::Function *function);
  void add(const ast::Function &function);
};

/// The expressions right below.
std::vector<const ast::Expr *> below(const ast::Expr &expr);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_EDITS_PIECES_H
