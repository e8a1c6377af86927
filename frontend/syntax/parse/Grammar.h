// The grammar: one method for each of its rules.
#pragma once

#include "frontend/syntax/Operators.h"
#include "frontend/syntax/parse/Cursor.h"

namespace weft {

/// A recursive descent parser. Every rule gives nothing when it failed, and then has reported why;
/// statements and declarations are where it goes on.
class Grammar : private Cursor {
public:
  Grammar(const SourceManager &sources, FileId file, Diagnostics &diagnostics)
      : Cursor(sources, file, diagnostics) {}

  ast::List<ast::Declaration> parseFile();

private:
  // ParseDeclaration.cpp
  std::optional<ast::Declaration::Node> declaration();
  std::optional<ast::Function> function(ast::FnKind kind, ast::Name name);
  std::optional<ast::Declaration::Node> entry();
  std::optional<ast::Arg> arg();
  bool results(ast::Function &function);
  std::optional<ast::Body> functionBody();
  std::optional<ast::List<ast::Setting>> settings(std::string_view what);
  std::optional<ast::Config> config();

  // ParseAnnotations.cpp
  std::optional<std::vector<ast::Annotation>> annotations();
  std::optional<ast::Annotation> annotation();
  void misplaced(const std::vector<ast::Annotation> &annotations);

  // ParseWeights.cpp
  std::optional<ast::Weights> weights();
  std::optional<ast::WeightRule> weightRule();
  std::optional<ast::WeightRule> ignored();
  std::optional<ast::WeightRule> sized();
  std::optional<ast::WeightRule> optioned();
  std::optional<ast::WeightRule> computed(ast::ComputedRule rule);
  std::optional<ast::WeightRule> rename(ast::RenameRule rule);
  bool putsTogether() const;
  std::optional<ast::OwnPart> ownPart(std::string_view what);
  std::optional<std::vector<ast::Group>> layout();
  std::optional<ast::Path> path(std::string_view what);

  // ParseDim.cpp
  std::optional<ast::DimDecl> dims();
  std::optional<ast::DimDef> dimDef();
  bool dimParts(ast::DimDef &def);
  ast::ExprPtr size();
  bool checkSize(const ast::Expr &expr);
  std::optional<std::vector<ast::Name>> dimNames();
  std::optional<ast::Group> group();
  std::optional<ast::Type> type();

  // ParseBody.cpp
  std::optional<ast::Body> body();
  std::optional<ast::Stmt> annotatedStatement();
  std::optional<ast::Stmt::Node> statement();
  std::optional<ast::Storage> storage();
  std::optional<ast::Repeat> repeat();
  std::optional<ast::If> conditional();
  bool endOfStatement(uint32_t start);

  // ParseExpr.cpp
  ast::ExprPtr expression() { return binary(ast::Precedence::logicalOr); }
  ast::ExprPtr binary(ast::Precedence lowest);
  ast::ExprPtr unary();
  ast::ExprPtr postfix();
  ast::ExprPtr primary();
  ast::ExprPtr named();
  ast::ExprPtr number();
  Diagnostic &noExpression();
  ast::ExprPtr call(Span start, std::optional<ast::Name> label, ast::Name callee);
  bool arguments(ast::Call &call);
  std::optional<ast::Pick> pick();
  bool dimsFollow() const;
  ast::ExprPtr make(Span span, ast::Expr::Node node, uint32_t below = 0);
  void tooDeep(Span span);

  /// `item` until `kind` closes the bracket, which was entered, with commas between.
  template <class Item> bool list(TokenKind kind, Item item) {
    while (!at(kind)) {
      if (!item())
        return false;
      if (!take(TokenKind::comma))
        break;
    }
    return close(kind, "`,`");
  }

  /// `item` once or more, with commas between; a newline may stand after a comma.
  template <class Item> bool sequence(Item item) {
    while (true) {
      if (!item())
        return false;
      if (!take(TokenKind::comma))
        return true;
      skipNewlines();
    }
  }

  uint32_t depth = 0; ///< of expressions and bodies that are being read
};

} // namespace weft
