// Building and collecting diagnostics.
#include "frontend/source/Diagnostic.h"

#include <algorithm>
#include <utility>

using namespace weft;

Diagnostic &Diagnostic::label(Span span, std::string text) {
  labels.push_back({span, std::move(text)});
  return *this;
}

Diagnostic &Diagnostic::note(std::string text) {
  notes.push_back(std::move(text));
  return *this;
}

Diagnostic &Diagnostic::suggest(std::string text) {
  help = std::move(text);
  return *this;
}

Diagnostic &Diagnostic::replace(Span span, std::string text) {
  fix = Fix{span, std::move(text)};
  return *this;
}

void Diagnostic::again(Span span) {
  constexpr size_t most = 5;
  for (const Label &label : labels)
    if (label.span == span)
      return;
  fix.reset(); // one edit is not enough
  if (labels.size() < most && !labels.empty() && span.file == labels.front().span.file)
    label(span, "");
}

Diagnostic &Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error)
    ++errors;
  if (full())
    return dropped = std::move(diagnostic);
  return list.emplace_back(std::move(diagnostic));
}

Diagnostic &Diagnostics::error(Code code, Span place, std::string message, std::string label) {
  return add({Severity::error, code, std::move(message), {{place, std::move(label)}}, {}, {}, {}});
}

Diagnostic &Diagnostics::warning(Code code, Span place, std::string message, std::string label) {
  return add(
      {Severity::warning, code, std::move(message), {{place, std::move(label)}}, {}, {}, {}});
}

Diagnostic &Diagnostics::error(Code code, std::string message) {
  return add({Severity::error, code, std::move(message), {}, {}, {}, {}});
}

void Diagnostics::sortFrom(size_t count) {
  auto place = [](const Diagnostic &diagnostic) {
    Span first = diagnostic.labels.empty() ? Span() : diagnostic.labels.front().span;
    return std::pair(first.file, first.begin);
  };
  // By insertion: there are few, and those of the parser are nearly in order.
  for (size_t i = count; i < list.size(); ++i)
    for (size_t j = i; j > count && place(list[j]) < place(list[j - 1]); --j)
      std::swap(list[j], list[j - 1]);
}

void Diagnostics::putErrorsFirst() {
  std::deque<Diagnostic> ordered;
  for (Severity severity : {Severity::error, Severity::warning})
    for (Diagnostic &diagnostic : list)
      if (diagnostic.severity == severity)
        ordered.push_back(std::move(diagnostic));
  list = std::move(ordered);
}
