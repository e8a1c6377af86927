// Dimensions: their definitions, sizes, groups, and the types made of them.
#include "frontend/syntax/parse/Grammar.h"

using namespace weft;
using namespace weft::ast;

std::optional<DimDecl> Grammar::dims() {
  Form form(*this, "`dim model, head, dh = model / head, seq <= position`");
  advance();
  DimDecl decl;
  bool read = sequence([&] {
    std::optional<DimDef> def = dimDef();
    if (def)
      decl.defs.push_back(std::move(*def));
    return def.has_value();
  });
  if (!read)
    return std::nullopt;
  return decl;
}

/// NAME [ "=" size { "|" size } | "<=" size ]
std::optional<DimDef> Grammar::dimDef() {
  DimDef def;
  std::optional<Name> defined = name("a dimension");
  if (!defined)
    return std::nullopt;
  def.name = std::move(*defined);
  if (take(TokenKind::assign)) {
    skipNewlines();
    def.size = size();
    if (!def.size || (at(TokenKind::bar) && !dimParts(def)))
      return std::nullopt;
  } else if (take(TokenKind::lessEqual)) {
    skipNewlines();
    def.bound = size();
    if (!def.bound)
      return std::nullopt;
  }
  def.span = since(def.name.span);
  return def;
}

/// { "|" NAME } after the first part, which was read as a size.
bool Grammar::dimParts(DimDef &def) {
  auto *first = def.size->as<Variable>();
  if (!first) {
    diagnostics.error(Code::E0104, def.size->span, "a part is the name of a dimension")
        .suggest("give it a name: `dim part = ...`");
    return false;
  }
  def.parts.push_back(first->name);
  def.size.reset();
  while (take(TokenKind::bar)) {
    skipNewlines();
    std::optional<Name> part = name("a dimension after `|`");
    if (!part)
      return false;
    def.parts.push_back(std::move(*part));
  }
  return true;
}

ExprPtr Grammar::size() {
  ExprPtr expr = binary(Precedence::sum);
  if (!expr || !checkSize(*expr))
    return nullptr;
  return expr;
}

bool Grammar::checkSize(const Expr &expr) {
  if (auto *both = expr.as<Binary>())
    if (both->op != BinaryOp::power && both->op != BinaryOp::remainder)
      return checkSize(*both->lhs) && checkSize(*both->rhs);
  auto *number = expr.as<Number>();
  if (expr.is<Variable>() || (number && number->isInteger))
    return true;
  auto *called = expr.as<Call>();
  Diagnostic &error = diagnostics.error(
      Code::E0104, expr.span, "a size is made of dimensions, whole numbers and `+ - * /`");
  if (called && called->callee.text == "size" && called->args.size() == 1)
    error.suggest("here a dimension's name is its size: leave `size(...)` out");
  else if (number)
    error.suggest("a fraction is a division: `model / 2`, `3 * model / 4`");
  else
    error.suggest("`dim dh = model / head`, `dim ff = 4 * model`");
  return false;
}

std::optional<std::vector<Name>> Grammar::dimNames() {
  std::vector<Name> names;
  if (at(TokenKind::rightSquare) || at(TokenKind::rightParen)) {
    expected("a dimension");
    return std::nullopt;
  }
  TokenKind closing =
      tokens[enclosing()].is(TokenKind::leftParen) ? TokenKind::rightParen : TokenKind::rightSquare;
  bool read = list(closing, [&] {
    std::optional<Name> dim = name("a dimension");
    if (dim)
      names.push_back(std::move(*dim));
    return dim.has_value();
  });
  if (!read)
    return std::nullopt;
  std::vector<const Name *> pointers;
  for (const Name &dim : names)
    pointers.push_back(&dim);
  requireDistinct(pointers, "dimension");
  return names;
}

std::optional<Group> Grammar::group() {
  Span start = current().span;
  if (open(TokenKind::leftParen)) {
    std::optional<std::vector<Name>> dims = dimNames();
    if (!dims)
      return std::nullopt;
    return Group{std::move(*dims), since(start)};
  }
  std::optional<Name> dim = name("a dimension");
  if (!dim)
    return std::nullopt;
  return Group{{std::move(*dim)}, start};
}

/// [ NAME ] [ "[" [ ".." | NAME ["?"] ] { "," … } "]" ]
std::optional<Type> Grammar::type() {
  Form form(*this,
            "a type is `[batch, seq]`, `[.., d]`, `int[batch]`, `vocab[batch, seq]` or `float`");
  Type result;
  Span start = current().span;
  if (!at(TokenKind::name) && !at(TokenKind::leftSquare)) {
    name("a type");
    return std::nullopt;
  }
  if (at(TokenKind::name))
    result.element = name("a type");
  if (open(TokenKind::leftSquare)) {
    bool read = list(TokenKind::rightSquare, [&] {
      if (at(TokenKind::dotDot)) {
        if (result.rest)
          diagnostics.error(Code::E0106, current().span, "`..` is said twice")
              .label(*result.rest, "first here")
              .suggest("one `..` stands for all further dimensions: leave one out");
        result.rest = current().span;
        advance();
        return true;
      }
      std::optional<Name> dim = name("a dimension or `..`");
      if (dim)
        result.dims.push_back({std::move(*dim), take(TokenKind::question)});
      return dim.has_value();
    });
    if (!read)
      return std::nullopt;
  }
  std::vector<const Name *> names;
  for (const TypeDim &dim : result.dims)
    names.push_back(&dim.name);
  requireDistinct(names, "dimension");
  result.span = since(start);
  return result;
}
