// A line of source as it is shown in a diagnostic: tabs expanded, cut to a width, with marks below.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// A stretch of a line that is marked, in bytes of the line, and what is said about it.
struct Mark {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::string text;
  bool primary = false; ///< `^`, the others `-`
};

/// A row of a window. Pieces of a style follow each other.
struct WindowRow {
  enum class Style { plain, primary, secondary };
  struct Piece {
    std::string text;
    Style style = Style::plain;
  };
  std::vector<Piece> pieces;
};

/// The line `text`, the row of marks below it, and rows for what does not fit beside a mark. At
/// most `width` columns of the line are shown, around the first primary mark or else the first
/// mark.
std::vector<WindowRow> sourceWindow(std::string_view text, std::vector<Mark> marks, unsigned width);

/// Columns that UTF-8 `text` takes on a terminal.
unsigned displayWidth(std::string_view text);

} // namespace weft
