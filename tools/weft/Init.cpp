// `weft init`: initial parameters, the same that a training program starts from.
#include "tools/weft/Commands.h"
#include "tools/weft/Compilation.h"
#include "tools/weft/Foreign.h"
#include "tools/weft/Weights.h"

#include <fmt/format.h>

namespace weft {

/// Fills the parameters from someone else's file, as a `weights` clause says.
static bool convert(Compilation &compilation, Weights &weights) {
  const Arguments &arguments = compilation.arguments;
  std::string name = arguments.get("clause");
  const ast::Weights *clause = findWeights(compilation.program(), name);
  if (!clause) {
    fmt::print(stderr, "weft init: {}\n",
               name.empty() ? "which `weights` clause? the program must have one; of several, name "
                              "it: `--clause NAME`"
                            : fmt::format("the program has no clause `weights {}`", name));
    return false;
  }
  runtime::Result<runtime::SafetensorsFile> file =
      runtime::SafetensorsFile::open(arguments.get("from"));
  if (!file) {
    fmt::print(stderr, "weft init: {}\n", file.error().message);
    return false;
  }
  std::optional<WeightsMap> map =
      WeightsMap::make(*clause, compilation.module(), compilation.diagnostics);
  return compilation.report() && map && loadForeign(weights, compilation.module(), *map, *file);
}

int runInit(const Arguments &arguments) {
  std::optional<uint64_t> seed = wholeNumber(arguments.get("seed"), 0, "seed");
  if (!seed || !arguments.has("output")) {
    if (seed)
      fmt::print(stderr, "weft init: where to? add `-o W.safetensors`\n");
    return exitUsage;
  }
  if (arguments.has("clause") && !arguments.has("from")) {
    fmt::print(stderr, "weft init: --clause says how to read --from, which is missing\n");
    return exitUsage;
  }
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  if (!compilation.model())
    return exitUser;
  Weights weights(compilation.module(), *seed);
  if (!weights.parameters)
    return weights.facts ? exitUser : exitInternal;
  if (arguments.has("from") && !convert(compilation, weights))
    return exitUser;
  runtime::Status status = weights.parameters->save(arguments.get("output"), runtime::isWeight);
  if (!status) {
    fmt::print(stderr, "weft init: {}\n", status.error().message);
    return exitUser;
  }
  return exitOk;
}

} // namespace weft
