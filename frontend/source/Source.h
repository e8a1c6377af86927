// Source text: the files of a program, byte spans into them, and lines and columns for people.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// Index of a file in its SourceManager.
using FileId = uint32_t;

/// Bytes `begin` to `end` (exclusive) of one file.
struct Span {
  FileId file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin == end; }
  friend bool operator==(const Span &, const Span &) = default;
};

/// From the start of `first` to the end of `last`, which lie in one file.
inline Span join(Span first, Span last) {
  return {first.file, first.begin, last.end};
}

/// A place as people count: from 1; the column in characters (UTF-8 code points), not bytes.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// One file: its name as the user wrote it, its text, and where its lines start.
class SourceFile {
public:
  SourceFile(std::string name, std::string text, bool library);

  const std::string &name() const { return fileName; }
  std::string_view text() const { return contents; }
  /// Whether it came with the compiler (its names are a scope of their own).
  bool isLibrary() const { return library; }

  uint32_t lineCount() const { return static_cast<uint32_t>(lineStarts.size()); }
  /// The line, counted from 1, that holds the byte `offset`.
  uint32_t lineOf(uint32_t offset) const;
  /// The byte at which line `line` (from 1) starts.
  uint32_t startOf(uint32_t line) const;
  /// Text of line `line` (from 1) without its end.
  std::string_view line(uint32_t line) const;
  Position position(uint32_t offset) const;

private:
  std::string fileName;
  std::string contents;
  std::vector<uint32_t> lineStarts;
  bool library;
};

/// Owns the files of one run of the compiler. References to files stay valid.
class SourceManager {
public:
  /// Largest file that is read, in bytes; programs have a few thousand.
  static constexpr uint64_t maxFileSize = 4u << 20;

  /// Adds text that is already in memory.
  FileId add(std::string name, std::string text, bool library = false);

  const SourceFile &file(FileId id) const { return files[id]; }
  size_t fileCount() const { return files.size(); }

  /// The text a span covers.
  std::string_view text(Span span) const {
    return files[span.file].text().substr(span.begin, span.end - span.begin);
  }
  Position position(Span span) const { return files[span.file].position(span.begin); }
  /// `name:line:column` of the start of `span`.
  std::string describe(Span span) const;

private:
  std::deque<SourceFile> files;
};

} // namespace weft
