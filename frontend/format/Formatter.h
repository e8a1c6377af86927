// `weft fmt`: one way to write a program.
#pragma once

#include "frontend/source/Diagnostic.h"

#include <optional>
#include <string>

namespace weft {

/// The longest line the formatter leaves where it can break one, in columns.
inline constexpr unsigned formatWidth = 120;

/// The file as it should be written: two spaces of indentation, one between words, `=` and comments
/// below each other in neighbouring lines, no line longer than `formatWidth` that can be broken.
/// Comments, single empty lines and the author's own line breaks stay. Formatting twice changes
/// nothing. Nothing is returned for a file with errors, which are reported.
std::optional<std::string> format(const SourceManager &sources, FileId file,
                                  Diagnostics &diagnostics);

} // namespace weft
