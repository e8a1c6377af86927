// Diagnostics: what went wrong, where, and what to write instead; and the sink that collects them.
#pragma once

#include "frontend/source/Codes.h"
#include "frontend/source/Source.h"

#include <deque>
#include <string>
#include <vector>

namespace weft {

enum class Severity { error, warning };

/// A place and what is to say about it ("shape [batch, seq]"; may be empty).
struct Label {
  Span span;
  std::string text;
};

/// Text that may stand in the place of a span to mend the program, for editors.
struct Fix {
  Span span;
  std::string text;
};

/// One problem. Message: lower case, one sentence, no full stop, in the words of the user's
/// program.
struct Diagnostic {
  Severity severity = Severity::error;
  Code code = Code::E0001;
  std::string message;
  std::vector<Label> labels; ///< the first is the place of the error; all may be in other files
  std::vector<std::string>
      notes;              ///< further facts; a note may have several lines (`expected [ … ]`)
  std::string help;       ///< program text to paste, or empty
  std::optional<Fix> fix; ///< what `help` says as an edit, where one edit is enough

  // For building one in a chain: `sink.error(…).label(…).note(…).suggest(…)`.
  Diagnostic &label(Span span, std::string text);
  Diagnostic &note(std::string text);
  Diagnostic &suggest(std::string text);
  Diagnostic &replace(Span span, std::string text);
  /// The same mistake at a further place: marked beside the first, a few times.
  void again(Span span);
};

/// Collects the diagnostics of one run, in the order they were found.
class Diagnostics {
public:
  /// Errors kept; what comes later is counted but dropped.
  static constexpr size_t limit = 100;

  /// Starts an error at `place`, whose label may say more. The reference stays valid.
  Diagnostic &error(Code code, Span place, std::string message, std::string label = "");
  Diagnostic &warning(Code code, Span place, std::string message, std::string label = "");
  /// An error that belongs to no place in a file, e.g. a file that cannot be read.
  Diagnostic &error(Code code, std::string message);

  /// Puts those after the first `count` in the order of their places, file by file.
  void sortFrom(size_t count);
  /// Puts warnings behind errors: who must mend something sees that first.
  void putErrorsFirst();

  bool hasErrors() const { return errors != 0; }
  /// All errors that were reported, also those that were dropped.
  size_t errorCount() const { return errors; }
  bool full() const { return list.size() >= limit; }
  bool empty() const { return list.empty(); }
  const std::deque<Diagnostic> &all() const { return list; }

  /// One that was made elsewhere.
  Diagnostic &add(Diagnostic diagnostic);

private:
  std::deque<Diagnostic> list;
  Diagnostic dropped; // where what is over the limit is written
  size_t errors = 0;
};

/// How diagnostics are written as text.
struct RenderOptions {
  bool colour = false;
  unsigned width = 140; ///< columns of source that are shown; longer lines are cut around the label
};

/// One diagnostic as text, in the layout of `error[E0300]: …`, ending with a newline.
std::string render(const Diagnostic &diagnostic, const SourceManager &sources,
                   RenderOptions options = {});
/// All of them, separated by empty lines, and a last line if some were dropped.
std::string render(const Diagnostics &diagnostics, const SourceManager &sources,
                   RenderOptions options = {});
/// One, and all of them, for other programs: one JSON object a line.
std::string renderJson(const Diagnostic &diagnostic, const SourceManager &sources);
std::string renderJson(const Diagnostics &diagnostics, const SourceManager &sources);

} // namespace weft
