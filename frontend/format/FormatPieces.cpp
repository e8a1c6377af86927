// Joins tokens and comments, and settles the line breaks that are no matter of taste.
#include "frontend/format/FormatPieces.h"
#include "frontend/source/SourceWindow.h"
#include "frontend/syntax/parse/Brackets.h"

#include <algorithm>

using namespace weft;
using namespace weft::formatting;

namespace {

bool endsValue(TokenKind kind) {
  return kind == TokenKind::name || kind == TokenKind::number || kind == TokenKind::rightParen ||
         kind == TokenKind::rightSquare || kind == TokenKind::kwTrue || kind == TokenKind::kwFalse;
}

/// Marks where statements, rules and definitions start.
class StartMarker {
public:
  explicit StartMarker(std::vector<Piece> &pieces) : pieces(pieces) {}

  void mark(const ast::File &file) {
    for (const ast::Declaration &declaration : file.declarations) {
      statement(declaration.span);
      if (auto *function = declaration.as<ast::Function>()) {
        annotations(function->annotations);
        if (function->body.isExpression)
          pieces[pieceAt(pieces, function->body.span.begin)].startsDefinition = true;
        else
          body(function->body);
      }
      if (auto *weights = declaration.as<ast::Weights>())
        rules(*weights);
    }
  }

private:
  void statement(Span span) { pieces[pieceAt(pieces, span.begin)].startsStatement = true; }

  void annotations(const std::vector<ast::Annotation> &annotations) {
    for (const ast::Annotation &each : annotations)
      statement(each.span);
  }

  void body(const ast::Body &body) {
    for (const ast::Stmt &stmt : body.stmts) {
      annotations(stmt.annotations);
      statement(stmt.span);
      if (auto *repeat = stmt.as<ast::Repeat>())
        this->body(repeat->body);
      if (auto *branch = stmt.as<ast::If>()) {
        this->body(branch->then);
        if (branch->otherwise)
          this->body(*branch->otherwise);
      }
    }
  }

  void rules(const ast::Weights &weights) {
    for (const ast::WeightRule &rule : weights.rules)
      std::visit(ast::Match{[&](const ast::RenameRule &rename) {
                              rename.isCopy ? wordBefore(rename.foreignSpan)
                                            : statement(rename.foreignSpan);
                            },
                            [&](const ast::ComputedRule &rule) { statement(rule.foreignSpan); },
                            [&](const ast::LayoutRule &rule) { statement(rule.part.path.span); },
                            [&](const ast::IgnoreRule &rule) {
                              wordBefore(rule.foreignSpan, rule.isOption ? 2 : 1);
                            },
                            [&](const ast::OptionRule &rule) { wordBefore(rule.foreignSpan); },
                            [&](const ast::SizeRule &rule) { wordBefore(rule.foreignSpan); }},
                 rule);
  }

  /// `copy`, `ignore`, `size` or `option`, before a string; `ignore option` are two.
  void wordBefore(Span foreign, uint32_t words = 1) {
    pieces[pieceAt(pieces, foreign.begin) - words].startsStatement = true;
  }

  std::vector<Piece> &pieces;
};

std::vector<Piece> joined(const SourceFile &source, const Tokens &tokens) {
  std::vector<Piece> pieces;
  std::vector<uint32_t> open;
  auto comment = tokens.comments.begin();
  uint32_t lastLine = 0; // of what was read last
  auto enter = [&](uint32_t offset) {
    uint32_t line = source.lineOf(offset);
    uint32_t step = line - lastLine;
    lastLine = line;
    return step;
  };
  for (const Token &token : tokens.list) {
    if (token.is(TokenKind::newline))
      continue;
    Piece piece;
    piece.kind = token.kind;
    piece.text = token.text;
    piece.offset = token.span.begin;
    for (; comment != tokens.comments.end() && comment->span.begin < piece.offset; ++comment) {
      uint32_t step = enter(comment->span.begin);
      if (!comment->ownLine) {
        pieces.back().beside = comment->text;
        continue;
      }
      piece.breakBefore = true;
      piece.above.push_back({comment->text, step > 1});
    }
    uint32_t step = enter(piece.offset);
    piece.breakBefore |= step > 0 || pieces.empty();
    piece.blankBefore = step > 1;
    piece.unary =
        piece.kind == TokenKind::minus && (pieces.empty() || !endsValue(pieces.back().kind));
    auto index = static_cast<uint32_t>(pieces.size());
    if (isOpening(piece.kind))
      open.push_back(index);
    if (isClosing(piece.kind)) {
      piece.match = open.back();
      pieces[open.back()].match = index;
      open.pop_back();
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

/// Whether nothing but spaces stands between this piece and the one before.
bool bare(const std::vector<Piece> &pieces, size_t i) {
  return pieces[i].above.empty() && pieces[i - 1].beside.empty();
}

void dropBlank(Piece &piece) {
  (piece.above.empty() ? piece.blankBefore : piece.above.front().blankBefore) = false;
}

/// A body on several lines has its braces at the ends of lines; one on a line stays there.
void settleBraces(std::vector<Piece> &pieces) {
  uint32_t breaks = 0; // so far
  std::vector<uint32_t> breaksBefore;
  for (Piece &piece : pieces)
    breaksBefore.push_back(breaks += piece.breakBefore);
  for (uint32_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind != TokenKind::leftBrace)
      continue;
    uint32_t close = pieces[i].match;
    if (breaksBefore[close] == breaksBefore[i])
      continue;
    bool empty = close == i + 1 && bare(pieces, close);
    pieces[i + 1].breakBefore = pieces[close].breakBefore = !empty;
    dropBlank(pieces[i + 1]);
    pieces[close].blankBefore = false;
  }
}

/// What follows its line without a choice: `{`, `else`, `,`, and the bracket that closes a list
/// which started on the line of its opening bracket.
bool staysOnLine(const std::vector<Piece> &pieces, uint32_t i) {
  switch (pieces[i].kind) {
  case TokenKind::leftBrace:
  case TokenKind::kwElse:
  case TokenKind::comma:
    return true;
  case TokenKind::rightParen:
  case TokenKind::rightSquare:
    return !pieces[pieces[i].match + 1].breakBefore || pieces[i].match + 1 == i;
  default:
    return false;
  }
}

void settleBreaks(std::vector<Piece> &pieces) {
  settleBraces(pieces);
  for (uint32_t i = 1; i < pieces.size(); ++i) {
    Piece &piece = pieces[i];
    if (piece.breakBefore && bare(pieces, i) && staysOnLine(pieces, i))
      piece.breakBefore = false;
    bool mayBeApart = piece.startsStatement || piece.kind == TokenKind::end ||
                      piece.kind == TokenKind::rightBrace;
    if (mayBeApart)
      continue;
    piece.blankBefore = false;
    for (Remark &remark : piece.above)
      remark.blankBefore = false;
  }
  dropBlank(pieces.front());
}

} // namespace

uint32_t formatting::pieceAt(const std::vector<Piece> &pieces, uint32_t offset) {
  auto found = std::ranges::lower_bound(pieces, offset, {}, &Piece::offset);
  return static_cast<uint32_t>(found - pieces.begin());
}

std::vector<Piece> formatting::piecesOf(const SourceFile &source, const Tokens &tokens,
                                        const ast::File &file) {
  std::vector<Piece> pieces = joined(source, tokens);
  StartMarker(pieces).mark(file);
  for (Piece &piece : pieces)
    piece.unary |= piece.kind == TokenKind::minus && piece.startsStatement;
  settleBreaks(pieces);
  return pieces;
}

bool formatting::spaceBetween(const Piece &left, const Piece &right) {
  switch (left.kind) {
  case TokenKind::leftParen:
  case TokenKind::leftSquare:
  case TokenKind::dot:
  case TokenKind::at:
    return false;
  case TokenKind::minus:
    if (left.unary)
      return false;
    break;
  case TokenKind::leftBrace:
    return right.kind != TokenKind::rightBrace;
  default:
    break;
  }
  switch (right.kind) {
  case TokenKind::rightParen:
  case TokenKind::rightSquare:
  case TokenKind::comma:
  case TokenKind::colon:
  case TokenKind::question:
  case TokenKind::dot:
    return false;
  case TokenKind::leftParen:
  case TokenKind::leftSquare:
    return !endsValue(left.kind) && left.kind != TokenKind::kwRepeat;
  default:
    return true;
  }
}

unsigned formatting::widthOf(const std::vector<Piece> &pieces, uint32_t first, uint32_t last) {
  unsigned width = 0;
  for (uint32_t i = first; i <= last; ++i)
    width += displayWidth(pieces[i].text) + (i > first && spaceBetween(pieces[i - 1], pieces[i]));
  return width;
}
