// Any bytes that parse: the checker ends with a verdict, and says why if it is no.
#include "frontend/check/Checker.h"
#include "frontend/syntax/parse/Parser.h"

#include <cstdio>
#include <cstdlib>

using namespace weft;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  {
    // Most inputs end here; without the library, that is quick.
    SourceManager sources;
    Diagnostics diagnostics;
    parse(sources, sources.add("fuzz.weft", text), diagnostics);
    if (diagnostics.hasErrors())
      return 0;
  }
  SourceManager sources;
  Diagnostics diagnostics;
  ast::Program tree = loadProgram("/nowhere/fuzz.weft", text, sources, diagnostics);
  bool right(check(tree, diagnostics));
  render(diagnostics, sources, {.colour = true});
  renderJson(diagnostics, sources);
  if (!right && !diagnostics.hasErrors()) {
    std::fprintf(stderr, "fuzz-checker: refused without an error\n");
    std::abort();
  }
  return 0;
}
