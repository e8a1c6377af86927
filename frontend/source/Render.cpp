// Diagnostics as text: the message, the place, a window of source with labels, notes and help.
#include "frontend/source/Diagnostic.h"
#include "frontend/source/SourceWindow.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

using namespace weft;

namespace {

enum class Paint { plain, bold, error, warning, frame };

/// Writes one diagnostic.
class Renderer {
public:
  Renderer(const Diagnostic &diagnostic, const SourceManager &sources, RenderOptions options)
      : diagnostic(diagnostic), sources(sources), options(options) {}

  std::string run();

private:
  std::string paint(Paint paint, std::string_view text) const;
  Paint severityPaint() const {
    return diagnostic.severity == Severity::error ? Paint::error : Paint::warning;
  }
  /// `   |` and the like: a frame sign behind the column of line numbers.
  std::string frame(std::string_view sign) const {
    return paint(Paint::frame, fmt::format("{:{}}{}", "", gutter, sign));
  }
  void header();
  void windows();
  void window(FileId file, const std::map<uint32_t, std::vector<Mark>> &lines);
  void remarks();

  const Diagnostic &diagnostic;
  const SourceManager &sources;
  RenderOptions options;
  size_t gutter = 1;
  std::string out;
};

std::string Renderer::paint(Paint paint, std::string_view text) const {
  constexpr std::string_view codes[] = {"", "\x1b[1m", "\x1b[1;31m", "\x1b[1;33m", "\x1b[1;34m"};
  if (!options.colour || paint == Paint::plain || text.empty())
    return std::string(text);
  return fmt::format("{}{}\x1b[0m", codes[static_cast<size_t>(paint)], text);
}

void Renderer::header() {
  std::string_view kind = diagnostic.severity == Severity::error ? "error" : "warning";
  std::string title = fmt::format("{}[{}]", kind, info(diagnostic.code).name);
  out += paint(severityPaint(), title) + paint(Paint::bold, ": " + diagnostic.message) + "\n";
}

void Renderer::windows() {
  // Files in the order in which labels name them; within a file, lines in order.
  std::vector<FileId> files;
  std::map<FileId, std::map<uint32_t, std::vector<Mark>>> marks;
  uint32_t lastLine = 1;
  for (const Label &label : diagnostic.labels) {
    const SourceFile &file = sources.file(label.span.file);
    uint32_t line = file.lineOf(label.span.begin);
    uint32_t start = file.startOf(line);
    // Of a label over several lines the first is marked.
    auto lineEnd = static_cast<uint32_t>(file.line(line).size());
    uint32_t begin = std::min(label.span.begin - start, lineEnd);
    uint32_t end = std::clamp(label.span.end - start, begin, lineEnd);
    marks[label.span.file][line].push_back(
        {begin, end, label.text, &label == &diagnostic.labels.front()});
    lastLine = std::max(lastLine, line);
    if (std::ranges::find(files, label.span.file) == files.end())
      files.push_back(label.span.file);
  }
  gutter = fmt::formatted_size("{}", lastLine);
  for (FileId file : files)
    window(file, marks[file]);
}

void Renderer::window(FileId id, const std::map<uint32_t, std::vector<Mark>> &lines) {
  const SourceFile &file = sources.file(id);
  auto place = std::ranges::find(diagnostic.labels, id, [](const Label &l) { return l.span.file; });
  bool first = place == diagnostic.labels.begin();
  out += frame(first ? "--> " : "::: ") + sources.describe(place->span) + "\n";
  out += frame(" |") + "\n";
  uint32_t previous = 0;
  for (const auto &[line, marks] : lines) {
    if (previous != 0 && line > previous + 1)
      out += frame("...") + "\n";
    previous = line;
    bool isFirstRow = true;
    for (const WindowRow &row : sourceWindow(file.line(line), marks, options.width)) {
      std::string text;
      for (const WindowRow::Piece &piece : row.pieces)
        text += paint(piece.style == WindowRow::Style::plain     ? Paint::plain
                      : piece.style == WindowRow::Style::primary ? severityPaint()
                                                                 : Paint::frame,
                      piece.text);
      std::string head =
          isFirstRow ? paint(Paint::frame, fmt::format("{:>{}} |", line, gutter)) : frame(" |");
      out += head + (text.empty() ? "" : " ") + text + "\n";
      isFirstRow = false;
    }
  }
}

void Renderer::remarks() {
  auto remark = [&](std::string_view text, std::string_view name) {
    std::string indented;
    for (char c : text) {
      indented += c;
      if (c == '\n')
        indented += std::string(gutter + 3, ' ');
    }
    out += frame(" = ") + paint(Paint::bold, name) + indented + "\n";
  };
  if (!diagnostic.labels.empty() && (!diagnostic.notes.empty() || !diagnostic.help.empty()))
    out += frame(" |") + "\n";
  for (const std::string &note : diagnostic.notes)
    remark(note, "");
  if (!diagnostic.help.empty())
    remark(diagnostic.help, "help: ");
}

std::string Renderer::run() {
  header();
  windows();
  remarks();
  return std::move(out);
}

} // namespace

std::string weft::render(const Diagnostic &diagnostic, const SourceManager &sources,
                         RenderOptions options) {
  return Renderer(diagnostic, sources, options).run();
}

std::string weft::render(const Diagnostics &diagnostics, const SourceManager &sources,
                         RenderOptions options) {
  std::string out;
  size_t shown = 0;
  for (const Diagnostic &diagnostic : diagnostics.all()) {
    out += (out.empty() ? "" : "\n") + render(diagnostic, sources, options);
    shown += diagnostic.severity == Severity::error;
  }
  if (size_t dropped = diagnostics.errorCount() - shown)
    out += fmt::format("\n{} more {}\n", dropped, dropped == 1 ? "error" : "errors");
  return out;
}
