// Any bytes: the parser ends with a tree or errors, errors can be rendered, and what parses is
// formatted without changing its meaning, once and for all.
#include "frontend/format/Formatter.h"
#include "frontend/syntax/parse/Parser.h"

#include <cstdio>
#include <cstdlib>

using namespace weft;

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "fuzz-parser: %s\n", what);
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  Diagnostics diagnostics;
  FileId file = sources.add("fuzz.weft", std::string(reinterpret_cast<const char *>(data), size));
  std::string tree = ast::dump(parse(sources, file, diagnostics));
  render(diagnostics, sources, {.colour = true});
  renderJson(diagnostics, sources);
  if (diagnostics.hasErrors())
    return 0;

  std::optional<std::string> once = format(sources, file, diagnostics);
  require(once.has_value(), "a program without errors was not formatted");
  FileId second = sources.add("once.weft", *once);
  require(ast::dump(parse(sources, second, diagnostics)) == tree, "formatting changed the meaning");
  require(format(sources, second, diagnostics) == once, "formatting twice changed the text");
  return 0;
}
