// Writes pieces line by line, and breaks the lines that are too long.
#include "frontend/format/FormatPieces.h"
#include "frontend/format/Formatter.h"
#include "frontend/source/SourceWindow.h"
#include "frontend/syntax/parse/Brackets.h"

#include <algorithm>
#include <tuple>

using namespace weft;
using namespace weft::formatting;

namespace {

constexpr unsigned step = 2;         // of indentation
constexpr unsigned continuation = 4; // of a statement that goes on in the next line

/// A `(` or `[` that is open, and where its lines start.
struct Open {
  unsigned content = 0;
  unsigned closing = 0;
  bool square = false;
};

struct Line {
  std::string text;
  std::string_view comment;
};

/// How late a line is broken behind a token: commas first, then operators from loose to tight.
std::optional<unsigned> looseness(const Piece &piece) {
  switch (piece.kind) {
  case TokenKind::comma:
    return 0;
  case TokenKind::kwOr:
    return 1;
  case TokenKind::kwAnd:
    return 2;
  case TokenKind::less:
  case TokenKind::lessEqual:
  case TokenKind::greater:
  case TokenKind::greaterEqual:
  case TokenKind::equalEqual:
  case TokenKind::notEqual:
    return 3;
  case TokenKind::plus:
    return 4;
  case TokenKind::minus:
    return piece.unary ? std::nullopt : std::optional(4u);
  case TokenKind::star:
  case TokenKind::slash:
  case TokenKind::percent:
    return 5;
  default:
    return std::nullopt;
  }
}

class Layout {
public:
  explicit Layout(std::vector<Piece> pieces) : pieces(std::move(pieces)) {}

  std::string run() {
    for (uint32_t at = 0; at < pieces.size();)
      at = writeLine(at);
    alignComments();
    std::string out;
    for (const Line &line : lines)
      out += line.text + std::string(line.comment) + "\n";
    return out;
  }

private:
  /// Where a line that starts with piece `i` starts.
  unsigned indentation(uint32_t i) const {
    const Piece &piece = pieces[i];
    if (!open.empty())
      return piece.kind == TokenKind::rightParen || piece.kind == TokenKind::rightSquare
                 ? open.back().closing
                 : open.back().content;
    unsigned statement = step * braces;
    if (piece.kind == TokenKind::rightBrace)
      return statement - step;
    if (piece.startsStatement || piece.kind == TokenKind::end || piece.kind == TokenKind::kwElse ||
        piece.kind == TokenKind::leftBrace)
      return statement;
    if (pieces[i - 1].kind == TokenKind::assign)
      return statement + step;
    return statement + continuation;
  }

  void writeComments(uint32_t i) {
    unsigned indent = pieces[i].kind == TokenKind::rightBrace ? step * braces : indentation(i);
    if (!open.empty())
      indent = open.back().content;
    for (const Remark &remark : pieces[i].above) {
      if (remark.blankBefore && !lines.empty())
        lines.push_back({});
      lines.push_back({std::string(indent, ' ') + std::string(remark.text), {}});
    }
    if (pieces[i].blankBefore && !lines.empty() && pieces[i].kind != TokenKind::end)
      lines.push_back({});
  }

  /// A place where the line could go on in the next, the best first.
  struct Choice {
    unsigned rank = 0;
    unsigned looseness = 0;
    uint32_t piece = 0;
    bool betterThan(const Choice &other) const {
      return std::tie(rank, looseness, other.piece) < std::tie(other.rank, other.looseness, piece);
    }
  };

  /// Writes the line that starts with `first`; the first piece of the next line.
  uint32_t writeLine(uint32_t first) {
    writeComments(first);
    if (pieces[first].kind == TokenKind::end)
      return first + 1;
    while (true) {
      std::vector<Open> openBefore = open;
      unsigned bracesBefore = braces;
      std::optional<uint32_t> next = tryLine(first);
      if (next)
        return *next;
      // A break was set; the line starts anew.
      open = std::move(openBefore);
      braces = bracesBefore;
    }
  }

  /// The same, or nothing after breaking a line that was too long.
  std::optional<uint32_t> tryLine(uint32_t first) {
    unsigned indent = indentation(first);
    unsigned column = indent;
    std::optional<Choice> best;
    Line line{std::string(indent, ' '), {}};
    uint32_t i = first;
    for (; i < pieces.size() && (i == first || !pieces[i].breakBefore); ++i) {
      const Piece &piece = pieces[i];
      if (piece.kind == TokenKind::end)
        break;
      unsigned space = i == first ? 0 : spaceBetween(pieces[i - 1], piece) + piece.padding;
      unsigned end = column + space + displayWidth(piece.text);
      if (std::optional<Choice> here = choice(first, i); here && (!best || here->betterThan(*best)))
        best = here;
      if (end > formatWidth && (breakByForm(first, i) || breakAt(best)))
        return std::nullopt;
      line.text += std::string(space, ' ') + std::string(piece.text);
      column = end;
      nest(i, indent, column);
    }
    line.comment = pieces[i - 1].beside;
    lines.push_back(std::move(line));
    return i;
  }

  void nest(uint32_t i, unsigned indent, unsigned column) {
    TokenKind kind = pieces[i].kind;
    bool isSquare = kind == TokenKind::leftSquare;
    if (kind == TokenKind::leftBrace)
      ++braces;
    else if (kind == TokenKind::rightBrace)
      --braces;
    else if (isOpening(kind) && pieces[i + 1].breakBefore)
      open.push_back({indent + step, indent, isSquare});
    else if (isOpening(kind))
      open.push_back({column, column, isSquare});
    else if (isClosing(kind))
      open.pop_back();
  }

  std::optional<Choice> choice(uint32_t first, uint32_t i) const {
    if (i == first)
      return std::nullopt;
    std::optional<unsigned> loose = looseness(pieces[i - 1]);
    if (!loose)
      return std::nullopt;
    // Outer brackets first; lists of dimensions stay together if they can.
    constexpr unsigned insideSquare = 1000;
    auto rank = static_cast<unsigned>(open.size());
    bool inSquare = std::ranges::any_of(open, &Open::square);
    return Choice{rank + (inSquare ? insideSquare : 0), *loose, i};
  }

  bool breakAt(const std::optional<Choice> &best) {
    if (best)
      pieces[best->piece].breakBefore = true;
    return best.has_value();
  }

  /// The line from `first` is too long at `i`. A body on the line gets lines of its own; else a
  /// definition goes to the next line; else the result of a function.
  bool breakByForm(uint32_t first, uint32_t i) {
    if (first < plainUntil)
      return false;
    uint32_t arrow = 0, k = first;
    for (; k < pieces.size() && (k == first || !pieces[k].breakBefore); ++k) {
      if (pieces[k].kind == TokenKind::leftBrace && !pieces[pieces[k].match].breakBefore &&
          pieces[k].match != k + 1)
        return expand(k);
      if (k > first && pieces[k].startsDefinition)
        return pieces[k].breakBefore = true;
      if (k > first && pieces[k].kind == TokenKind::arrow)
        arrow = k;
      if (k > i && pieces[k].startsStatement)
        break;
    }
    if (arrow == 0) {
      plainUntil = k; // so that a very long line is searched once, not for each line made of it
      return false;
    }
    return pieces[arrow].breakBefore = true;
  }

  /// Puts a body, and that of its `else`, on lines of its own.
  bool expand(uint32_t brace) {
    while (true) {
      uint32_t close = pieces[brace].match;
      pieces[brace + 1].breakBefore = pieces[close].breakBefore = true;
      if (pieces[close + 1].kind != TokenKind::kwElse)
        return true;
      brace = close + 2;
      if (pieces[pieces[brace].match].breakBefore || pieces[brace].match == brace + 1)
        return true;
    }
  }

  void alignComments() {
    auto has = [](const Line &line) { return !line.comment.empty(); };
    for (auto begin = lines.begin(); begin != lines.end();) {
      begin = std::find_if(begin, lines.end(), has);
      auto end = std::find_if_not(begin, lines.end(), has);
      unsigned column = 0;
      for (auto line = begin; line != end; ++line)
        column = std::max(column, displayWidth(line->text));
      for (auto line = begin; line != end; ++line)
        line->text += std::string(column + 2 - displayWidth(line->text), ' ');
      begin = end;
    }
  }

  std::vector<Piece> pieces;
  std::vector<Line> lines;
  std::vector<Open> open;
  unsigned braces = 0;
  uint32_t plainUntil = 0; ///< no brace, definition or result from here to there
};

} // namespace

std::string formatting::layOut(std::vector<Piece> pieces) {
  return Layout(std::move(pieces)).run();
}
