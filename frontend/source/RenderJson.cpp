// Diagnostics for editors and scripts: one JSON object a line.
#include "frontend/source/Diagnostic.h"

#include <nlohmann/json.hpp>

using namespace weft;
using Json = nlohmann::ordered_json;

static Json place(const Label &label, const SourceManager &sources) {
  const SourceFile &file = sources.file(label.span.file);
  Position begin = file.position(label.span.begin);
  Position end = file.position(label.span.end);
  return {{"file", file.name()},   {"line", begin.line},      {"column", begin.column},
          {"endLine", end.line},   {"endColumn", end.column}, {"begin", label.span.begin},
          {"end", label.span.end}, {"text", label.text}};
}

std::string weft::renderJson(const Diagnostic &diagnostic, const SourceManager &sources) {
  Json labels = Json::array();
  for (const Label &label : diagnostic.labels)
    labels.push_back(place(label, sources));
  Json object = {{"severity", diagnostic.severity == Severity::error ? "error" : "warning"},
                 {"code", info(diagnostic.code).name},
                 {"message", diagnostic.message},
                 {"labels", std::move(labels)},
                 {"notes", diagnostic.notes},
                 {"help", diagnostic.help}};
  if (diagnostic.fix)
    object["fix"] = place({diagnostic.fix->span, diagnostic.fix->text}, sources);
  // File names may be any bytes.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string weft::renderJson(const Diagnostics &diagnostics, const SourceManager &sources) {
  std::string out;
  for (const Diagnostic &diagnostic : diagnostics.all())
    out += renderJson(diagnostic, sources);
  return out;
}
