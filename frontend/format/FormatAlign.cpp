// Aligns neighbouring statements of one kind: the `=` of bindings, the types of parameters.
#include "frontend/format/FormatPieces.h"
#include "frontend/format/Formatter.h"

#include <algorithm>

using namespace weft;
using namespace weft::formatting;

namespace {

/// A place in a statement that moves to the right until it is below those of its neighbours.
struct Anchor {
  uint32_t piece;  ///< gets the padding
  unsigned column; ///< where it would stand
};

/// A statement that could be aligned: with others of the same kind, at as many anchors as both
/// have.
struct Row {
  enum class Kind { other, let, param, state, derived, config, weights };
  Kind kind = Kind::other;
  uint32_t first = 0; ///< its first piece
  std::vector<Anchor> anchors;
};

/// Whether words of these lengths may be padded to one: not `s` to `normalised`.
bool similar(unsigned a, unsigned b) {
  auto [least, most] = std::minmax(a, b);
  return most - least <= 4 || 2 * most <= 5 * least;
}

class Aligner {
public:
  explicit Aligner(std::vector<Piece> &pieces) : pieces(pieces) {}

  void run(const ast::File &file) {
    std::vector<Row> rows;
    for (const ast::Declaration &declaration : file.declarations) {
      rows.push_back(row(declaration));
      auto *function = declaration.as<ast::Function>();
      if (function && !function->body.isExpression)
        body(function->body);
    }
    alignAll(rows);
  }

private:
  uint32_t at(Span span) const { return pieceAt(pieces, span.begin); }

  Row row(const ast::Declaration &declaration) {
    Row row{Row::Kind::other, at(declaration.span), {}};
    auto *weights = declaration.as<ast::Weights>();
    bool isLine = weights && !pieces[pieces[row.first + 2].match].breakBefore &&
                  lineWidth(row.first) <= formatWidth;
    auto *config = declaration.as<ast::Config>();
    // entry NAME =, weights NAME {, config NAME [= NAME] with
    uint32_t words = config && config->base ? 4 : 2;
    if (declaration.as<ast::DerivedEntry>())
      row.kind = Row::Kind::derived;
    else if (config)
      row.kind = Row::Kind::config;
    else if (isLine)
      row.kind = Row::Kind::weights;
    else
      return row;
    row.anchors.push_back({row.first + words, widthOf(pieces, row.first, row.first + words - 1)});
    return row;
  }

  Row row(const ast::Stmt &stmt) {
    Row row{Row::Kind::other, at(stmt.span), {}};
    if (!stmt.annotations.empty()) // which may stand on its line
      return row;
    if (stmt.as<ast::Let>()) {
      row.kind = Row::Kind::let;
      row.anchors.push_back({row.first + 1, widthOf(pieces, row.first, row.first)});
    }
    if (auto *storage = stmt.as<ast::Storage>()) {
      bool isParam = storage->kind == ast::StorageKind::param;
      row.kind = isParam ? Row::Kind::param : Row::Kind::state;
      uint32_t type = at(storage->type.span);
      row.anchors.push_back({type, widthOf(pieces, row.first, type - 1)});
      if (storage->init) {
        uint32_t assign = at(storage->init->span) - 1;
        row.anchors.push_back({assign, widthOf(pieces, type, assign - 1)});
      }
    }
    return row;
  }

  /// Columns of a `weights` clause in one line.
  unsigned lineWidth(uint32_t first) const {
    return widthOf(pieces, first, pieces[first + 2].match);
  }

  void body(const ast::Body &body) {
    std::vector<Row> rows;
    for (const ast::Stmt &stmt : body.stmts) {
      rows.push_back(row(stmt));
      if (auto *repeat = stmt.as<ast::Repeat>())
        this->body(repeat->body);
      if (auto *branch = stmt.as<ast::If>()) {
        this->body(branch->then);
        if (branch->otherwise)
          this->body(*branch->otherwise);
      }
    }
    alignAll(rows);
  }

  bool belongTogether(const Row &above, const Row &below) const {
    const Piece &first = pieces[below.first];
    if (above.kind != below.kind || below.kind == Row::Kind::other || first.blankBefore ||
        !first.above.empty())
      return false;
    return similar(above.anchors[0].column, below.anchors[0].column);
  }

  void alignAll(const std::vector<Row> &rows) {
    for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
      end = begin + 1;
      while (end < rows.size() && belongTogether(rows[end - 1], rows[end]))
        ++end;
      for (size_t anchor = 0; anchor < 2; ++anchor)
        alignAnchor({rows.begin() + begin, rows.begin() + end}, anchor);
    }
  }

  void alignAnchor(std::span<const Row> rows, size_t anchor) {
    unsigned column = 0;
    for (const Row &row : rows)
      if (row.anchors.size() > anchor)
        column = std::max(column, row.anchors[anchor].column);
    // Padding must not make a clause too long for its line.
    for (const Row &row : rows)
      if (row.kind == Row::Kind::weights &&
          lineWidth(row.first) + column - row.anchors[0].column > formatWidth)
        return;
    for (const Row &row : rows)
      if (row.anchors.size() > anchor)
        pieces[row.anchors[anchor].piece].padding = column - row.anchors[anchor].column;
  }

  std::vector<Piece> &pieces;
};

} // namespace

void formatting::align(std::vector<Piece> &pieces, const ast::File &file) {
  Aligner(pieces).run(file);
}
