// Text that is part of the compiler: the library's sources and the pages of the error codes.
#pragma once

#include <span>
#include <string_view>

namespace weft {

/// One embedded file: its name without folder ("norms.weft", "E0300.md") and its text.
struct EmbeddedFile {
  std::string_view name;
  std::string_view text;
};

/// frontend/library/*.weft, by name.
std::span<const EmbeddedFile> embeddedLibrary();
/// docs/errors/E*.md, by name.
std::span<const EmbeddedFile> embeddedErrorPages();

} // namespace weft
