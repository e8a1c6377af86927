// Expressions: operators by precedence, calls, paths and picks.
#include "frontend/syntax/FloatRange.h"
#include "frontend/syntax/parse/Grammar.h"

#include <algorithm>
#include <charconv>

using namespace weft;
using namespace weft::ast;

ExprPtr Grammar::make(Span span, Expr::Node node, uint32_t below) {
  if (below >= maxDepth) {
    tooDeep(span);
    return nullptr;
  }
  return std::make_unique<Expr>(Expr{span, std::move(node), below + 1});
}

void Grammar::tooDeep(Span span) {
  if (!stopped)
    diagnostics
        .error(Code::E0102, {span.file, span.begin, span.begin},
               fmt::format("this is nested more than {} levels deep", maxDepth))
        .suggest("give parts of it names: `part = ...`");
  stop();
}

ExprPtr Grammar::binary(Precedence lowest) {
  Nesting nesting(depth);
  if (nesting.tooDeep()) {
    tooDeep(here());
    return nullptr;
  }
  ExprPtr left = unary();
  bool compared = false;
  while (left) {
    const Operator *op = operatorOf(current().text);
    if (!op || op->precedence < lowest)
      return left;
    Span opSpan = current().span;
    if (op->grouping == Grouping::never && compared) {
      diagnostics.error(Code::E0107, opSpan, "comparisons do not chain")
          .suggest("join two comparisons with `and`: `a < b and b < c`");
      return nullptr;
    }
    compared = op->grouping == Grouping::never;
    advance();
    skipNewlines();
    bool toTheRight = op->grouping == Grouping::right;
    ExprPtr right = binary(toTheRight ? op->precedence : tighter(op->precedence));
    if (!right)
      return nullptr;
    Span span = join(left->span, right->span);
    uint32_t below = std::max(left->depth, right->depth);
    left = make(span, Binary{op->op, opSpan, std::move(left), std::move(right)}, below);
  }
  return nullptr;
}

ExprPtr Grammar::unary() {
  if (!at(TokenKind::minus) && !at(TokenKind::kwNot))
    return postfix();
  UnaryOp op = at(TokenKind::minus) ? UnaryOp::negate : UnaryOp::logicalNot;
  Span opSpan = current().span;
  advance();
  skipNewlines();
  ExprPtr operand = binary(precedenceOf(op));
  if (!operand)
    return nullptr;
  Span span = join(opSpan, operand->span);
  uint32_t below = operand->depth;
  return make(span, Unary{op, opSpan, std::move(operand)}, below);
}

ExprPtr Grammar::postfix() {
  ExprPtr base = primary();
  if (auto *call = base ? base->as<Call>() : nullptr; call && at(TokenKind::leftParen)) {
    expected("an operator or the end of the expression")
        .suggest(fmt::format("dimensions stand in square brackets, then arguments: `{0}[d](x)`",
                             call->callee.text));
    return nullptr;
  }
  while (base && open(TokenKind::leftSquare)) {
    Form form(*this, "after a value: `x[d as e]` renames, `x[d = 0]` picks");
    List<Pick> picks;
    uint32_t below = base->depth;
    if (at(TokenKind::rightSquare)) {
      expected("a dimension");
      return nullptr;
    }
    bool read = list(TokenKind::rightSquare, [&] {
      std::optional<Pick> one = pick();
      if (!one)
        return false;
      if (auto *chosen = std::get_if<At>(&*one))
        below = std::max(below, chosen->index->depth);
      picks.push_back(std::move(*one));
      return true;
    });
    if (!read)
      return nullptr;
    Span span = since(base->span);
    base = make(span, Index{std::move(base), std::move(picks)}, below);
  }
  return base;
}

std::optional<Pick> Grammar::pick() {
  if (at(TokenKind::number) || at(TokenKind::minus)) {
    expected("a dimension")
        .suggest(fmt::format("say along which dimension: `x[d = {}]`", current().text));
    return std::nullopt;
  }
  std::optional<Group> from = group();
  if (!from)
    return std::nullopt;
  if (take(TokenKind::kwAs)) {
    std::optional<Group> to = group();
    if (!to)
      return std::nullopt;
    return Rename{std::move(*from), std::move(*to)};
  }
  if (!at(TokenKind::assign) || from->dims.size() != 1) {
    expected(from->dims.size() == 1 ? "`as` or `=` after a dimension" : "`as` after a group");
    return std::nullopt;
  }
  advance();
  ExprPtr index = expression();
  if (!index)
    return std::nullopt;
  return At{std::move(from->dims.front()), std::move(index)};
}

ExprPtr Grammar::primary() {
  Span start = current().span;
  switch (current().kind) {
  case TokenKind::number:
    return number();
  case TokenKind::kwTrue:
  case TokenKind::kwFalse: {
    bool value = at(TokenKind::kwTrue);
    advance();
    return make(start, Bool{value});
  }
  case TokenKind::leftParen: {
    open(TokenKind::leftParen);
    ExprPtr inner = expression();
    if (!inner || !close(TokenKind::rightParen))
      return nullptr;
    inner->span = since(start);
    return inner;
  }
  case TokenKind::name:
    return named();
  case TokenKind::string:
    expected("an expression").suggest("strings stand only in `weights`");
    return nullptr;
  case TokenKind::star:
  case TokenKind::slash: {
    bool twice = index > 0 && tokens[index - 1].is(current().kind);
    std::string_view help = at(TokenKind::star)
                                ? "a power is written `^`"
                                : "whole division is `floor(a / b)`; a comment starts with `#`";
    Diagnostic &error = noExpression();
    if (twice)
      error.suggest(std::string(help));
    return nullptr;
  }
  case TokenKind::kwIf:
    expected("an expression")
        .suggest("`if` is a statement; by values chooses `where(condition, a, b)`");
    return nullptr;
  case TokenKind::kwDim:
    if (following().is(TokenKind::assign)) {
      expected("an expression")
          .suggest("dimensions stand in square brackets before the arguments: `softmax[d](x)`");
      return nullptr;
    }
    [[fallthrough]];
  default:
    isReserved(current().kind) ? void(name("an expression")) : void(noExpression());
    return nullptr;
  }
}

Diagnostic &Grammar::noExpression() {
  Diagnostic &error = expected("an expression");
  if (index > 0 && operatorOf(tokens[index - 1].text))
    error.suggest(fmt::format("`{}` stands between two values", tokens[index - 1].text));
  else if (operatorOf(current().text) && index > 0 && tokens[index - 1].is(TokenKind::newline))
    error.suggest(fmt::format(
        "a newline ends a statement: put the `{}` at the end of the line above", current().text));
  return error;
}

ExprPtr Grammar::number() {
  Token token = current();
  Number number{std::string(token.text)};
  const char *begin = token.text.data(), *end = begin + token.text.size();
  number.isInteger = std::all_of(begin, end, [](char c) { return c >= '0' && c <= '9'; });
  bool fits = std::from_chars(begin, end, number.value).ec != std::errc::result_out_of_range;
  if (number.isInteger)
    fits = std::from_chars(begin, end, number.integer).ec != std::errc::result_out_of_range;
  if (number.isInteger && !fits)
    diagnostics.error(Code::E0004, token.span, "this whole number does not fit 64 bits")
        .suggest("the largest is 9223372036854775807");
  else if (!number.isInteger && !(fits && isInFloatRange(number.value)))
    diagnostics.error(Code::E0004, token.span, std::string(outsideFloats))
        .suggest(std::string(floatRange));
  advance();
  return make(token.span, std::move(number));
}

/// What starts with a name: a value, a path, a call or a labelled call.
ExprPtr Grammar::named() {
  Span start = current().span;
  Name first = *name("an expression");
  if (at(TokenKind::dot)) {
    Path path{{std::move(first)}, start};
    while (take(TokenKind::dot)) {
      std::optional<Name> next = name("a name after `.`");
      if (!next)
        return nullptr;
      path.names.push_back(std::move(*next));
    }
    path.span = since(start);
    if (at(TokenKind::leftParen)) {
      expected("an operator or the end of the expression")
          .suggest("a path reads a value; a call is `label: name(...)`");
      return nullptr;
    }
    Span span = path.span;
    return make(span, std::move(path));
  }
  if (take(TokenKind::colon)) {
    std::optional<Name> callee = name("a function or block after the label");
    if (!callee)
      return nullptr;
    if (!at(TokenKind::leftParen) && !at(TokenKind::leftSquare)) {
      expected("`(`").suggest("a label names a call: `label: name(...)`");
      return nullptr;
    }
    return call(start, std::move(first), std::move(*callee));
  }
  if (at(TokenKind::leftParen) || dimsFollow())
    return call(start, std::nullopt, std::move(first));
  return make(start, Variable{std::move(first)});
}

/// Whether the bracket here closes right before a `(`: then it holds the dimensions of a call.
bool Grammar::dimsFollow() const {
  return at(TokenKind::leftSquare) && current().match != 0 &&
         tokens[current().match + 1].is(TokenKind::leftParen);
}

ExprPtr Grammar::call(Span start, std::optional<Name> label, Name callee) {
  Call call{std::move(label), std::move(callee), {}, {}, {}};
  if (open(TokenKind::leftSquare)) {
    if (at(TokenKind::rightSquare)) {
      expected("a dimension");
      return nullptr;
    }
    bool read = list(TokenKind::rightSquare, [&] {
      std::optional<Group> dims = group();
      if (dims)
        call.dims.push_back(std::move(*dims));
      return dims.has_value();
    });
    if (!read)
      return nullptr;
  }
  if (!open(TokenKind::leftParen)) {
    expected("`(`");
    return nullptr;
  }
  if (!arguments(call))
    return nullptr;
  uint32_t below = 0;
  for (const ExprPtr &arg : call.args)
    below = std::max(below, arg->depth);
  std::vector<const Name *> names;
  for (const NamedArg &arg : call.named) {
    below = std::max(below, arg.value->depth);
    names.push_back(&arg.name);
  }
  requireDistinct(names, "argument");
  return make(since(start), std::move(call), below);
}

bool Grammar::arguments(Call &call) {
  Form form(*this, "`name[d](x, y, rate = 0.1)`: dimensions, values, then what has a name");
  return list(TokenKind::rightParen, [&] {
    if (at(TokenKind::name) && following().is(TokenKind::assign)) {
      Name keyword = *name("an argument");
      advance();
      ExprPtr value = expression();
      if (!value)
        return false;
      call.named.push_back({std::move(keyword), std::move(value)});
      return true;
    }
    ExprPtr value = expression();
    if (!value)
      return false;
    if (!call.named.empty())
      diagnostics
          .error(Code::E0105, value->span, "an argument without a name follows one with a name")
          .label(call.named.back().name.span, "named")
          .suggest("put it before, or name it too");
    call.args.push_back(std::move(value));
    return true;
  });
}
