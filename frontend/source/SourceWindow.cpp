// Lays out one line of source with its marks.
#include "frontend/source/SourceWindow.h"
#include "runtime/base/Utf8.h"

#include <algorithm>
#include <tuple>

using namespace weft;

namespace {

constexpr unsigned tabWidth = 4;

/// One character as it is shown, and where it stands.
struct Cell {
  std::string text;
  uint32_t byte = 0;
  unsigned column = 0;
};

unsigned widthOf(char32_t c) {
  struct Range {
    char32_t first, last;
  };
  constexpr Range none[] = {{0x300, 0x36F}, {0x200B, 0x200F}, {0xFE00, 0xFE0F}};
  constexpr Range wide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                            {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                            {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
  auto in = [c](const Range &range) { return c >= range.first && c <= range.last; };
  if (std::ranges::any_of(none, in))
    return 0;
  return std::ranges::any_of(wide, in) ? 2 : 1;
}

/// The cells of a line, and one more behind its end.
std::vector<Cell> cellsOf(std::string_view line) {
  std::vector<Cell> cells;
  unsigned column = 0;
  for (size_t at = 0; at < line.size();) {
    runtime::CodePoint c = runtime::nextCodePoint(line.substr(at));
    bool valid = c.value != runtime::CodePoint::invalid;
    std::string shown(line.substr(at, c.length));
    unsigned width = widthOf(c.value);
    if (c.value == '\t') {
      width = tabWidth - column % tabWidth;
      shown = std::string(width, ' ');
    } else if (!valid || c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0) ||
               (c.value >= 0x202A && c.value <= 0x202E) ||
               (c.value >= 0x2066 && c.value <= 0x2069)) {
      shown = "\uFFFD"; // no control sequence reaches the terminal
      width = 1;
    }
    cells.push_back({std::move(shown), static_cast<uint32_t>(at), column});
    column += width;
    at += c.length;
  }
  cells.push_back({"", static_cast<uint32_t>(line.size()), column});
  return cells;
}

unsigned columnOf(const std::vector<Cell> &cells, uint32_t byte) {
  auto after = std::ranges::upper_bound(cells, byte, {}, &Cell::byte);
  return after == cells.begin() ? 0 : std::prev(after)->column;
}

/// The columns of a line that are shown.
struct Cut {
  unsigned begin = 0;
  unsigned end = 0;
  bool left = false;
  bool right = false;

  /// Where column `c` is shown; what is cut away is at the edge.
  unsigned shown(unsigned c) const {
    return c < begin ? 0 : std::min(c, end) - begin + (left ? 1 : 0);
  }
};

Cut cutAround(unsigned focusBegin, unsigned focusEnd, unsigned lineWidth, unsigned width) {
  if (lineWidth <= width)
    return {0, lineWidth, false, false};
  unsigned focus = std::min(focusEnd - focusBegin, width / 2);
  unsigned before = (width - focus) / 2;
  unsigned begin = focusBegin > before ? focusBegin - before : 0;
  begin = std::min(begin, lineWidth - width);
  return {begin, begin + width, begin > 0, begin + width < lineWidth};
}

std::string cutText(const std::vector<Cell> &cells, const Cut &cut) {
  std::string text = cut.left ? "…" : "";
  for (size_t i = 0; i + 1 < cells.size(); ++i)
    if (cells[i].column >= cut.begin && cells[i + 1].column <= cut.end)
      text += cells[i].text;
  return text + (cut.right ? "…" : "");
}

/// A mark in shown columns.
struct Placed {
  unsigned begin;
  unsigned end;
  const Mark *mark;
};

using Style = WindowRow::Style;
Style styleOf(const Mark &mark) {
  return mark.primary ? Style::primary : Style::secondary;
}

WindowRow underline(const std::vector<Placed> &placed, unsigned &columns) {
  columns = 0;
  for (const Placed &one : placed)
    columns = std::max(columns, one.end);
  std::vector<const Mark *> owner(columns, nullptr);
  for (const Placed &one : placed)
    for (unsigned c = one.begin; c < one.end; ++c)
      if (!owner[c] || one.mark->primary)
        owner[c] = one.mark;
  WindowRow row;
  for (const Mark *mark : owner) {
    Style style = mark ? styleOf(*mark) : Style::plain;
    if (row.pieces.empty() || row.pieces.back().style != style)
      row.pieces.push_back({"", style});
    row.pieces.back().text += !mark ? ' ' : mark->primary ? '^' : '-';
  }
  return row;
}

/// What is said about `one`, below its mark, with a `|` under every mark left of it that waits.
WindowRow labelRow(const Placed &one, const std::vector<Placed> &waiting) {
  WindowRow row;
  unsigned column = 0;
  for (const Placed &other : waiting) {
    if (other.begin >= one.begin || other.begin < column)
      continue;
    row.pieces.push_back({std::string(other.begin - column, ' '), Style::plain});
    row.pieces.push_back({"|", styleOf(*other.mark)});
    column = other.begin + 1;
  }
  row.pieces.push_back({std::string(one.begin - column, ' '), Style::plain});
  row.pieces.push_back({one.mark->text, styleOf(*one.mark)});
  return row;
}

} // namespace

unsigned weft::displayWidth(std::string_view text) {
  return cellsOf(text).back().column;
}

std::vector<WindowRow> weft::sourceWindow(std::string_view text, std::vector<Mark> marks,
                                          unsigned width) {
  std::vector<Cell> cells = cellsOf(text);
  std::vector<Placed> placed;
  const Placed *focus = nullptr;
  for (const Mark &mark : marks) {
    unsigned begin = columnOf(cells, mark.begin);
    placed.push_back({begin, std::max(begin + 1, columnOf(cells, mark.end)), &mark});
  }
  for (const Placed &one : placed)
    if (!focus || (one.mark->primary && !focus->mark->primary))
      focus = &one;
  Cut cut{0, cells.back().column, false, false};
  if (focus)
    cut = cutAround(focus->begin, focus->end, cells.back().column, std::max(width, 20u));
  std::vector<WindowRow> rows = {{{{cutText(cells, cut), Style::plain}}}};
  if (placed.empty())
    return rows;

  for (Placed &one : placed) {
    one.begin = cut.shown(one.begin);
    one.end = std::max(one.begin + 1, cut.shown(one.end));
  }
  std::ranges::sort(placed, [](const Placed &a, const Placed &b) {
    return std::tie(a.begin, a.mark) < std::tie(b.begin, b.mark);
  });
  unsigned columns = 0;
  rows.push_back(underline(placed, columns));
  std::erase_if(placed, [](const Placed &one) { return one.mark->text.empty(); });
  if (!placed.empty() && placed.back().end >= columns) {
    const Mark &last = *placed.back().mark;
    rows.back().pieces.push_back({" " + last.text, styleOf(last)});
    placed.pop_back();
  }
  for (; !placed.empty(); placed.pop_back())
    rows.push_back(labelRow(placed.back(), placed));
  return rows;
}
