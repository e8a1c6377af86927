// Lines and columns of source text.
#include "frontend/source/Source.h"

#include <algorithm>
#include <fmt/format.h>

using namespace weft;

SourceFile::SourceFile(std::string name, std::string text, bool library)
    : fileName(std::move(name)), contents(std::move(text)), library(library) {
  lineStarts.push_back(0);
  for (size_t at = contents.find('\n'); at != std::string::npos; at = contents.find('\n', at + 1))
    lineStarts.push_back(static_cast<uint32_t>(at + 1));
}

uint32_t SourceFile::lineOf(uint32_t offset) const {
  auto after = std::upper_bound(lineStarts.begin(), lineStarts.end(), offset);
  return static_cast<uint32_t>(after - lineStarts.begin());
}

uint32_t SourceFile::startOf(uint32_t line) const {
  return lineStarts[line - 1];
}

std::string_view SourceFile::line(uint32_t line) const {
  uint32_t begin = startOf(line);
  uint32_t end =
      line < lineCount() ? startOf(line + 1) - 1 : static_cast<uint32_t>(contents.size());
  std::string_view text = std::string_view(contents).substr(begin, end - begin);
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  return text;
}

Position SourceFile::position(uint32_t offset) const {
  uint32_t line = lineOf(offset);
  Position position{line, 1};
  for (uint32_t at = startOf(line); at < offset && at < contents.size(); ++at)
    if ((contents[at] & 0xC0) != 0x80) // not a continuation byte of UTF-8
      ++position.column;
  return position;
}

FileId SourceManager::add(std::string name, std::string text, bool library) {
  files.emplace_back(std::move(name), std::move(text), library);
  return static_cast<FileId>(files.size() - 1);
}

std::string SourceManager::describe(Span span) const {
  Position at = position(span);
  return fmt::format("{}:{}:{}", files[span.file].name(), at.line, at.column);
}
