// `weft init`: initial parameters, the same that a training program starts from.
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/Weights.h"

#include <fmt/format.h>

namespace weft {

int runInit(const Arguments &arguments) {
  std::optional<uint64_t> seed = wholeNumber(arguments, "seed");
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
    return compilation.exitCode();
  Weights weights(compilation.module(), *seed);
  if (!weights.parameters)
    return weights.facts ? exitUser : exitInternal;
  runtime::Status status = weights.parameters->save(arguments.get("output"), runtime::isWeight);
  if (!status) {
    fmt::print(stderr, "weft init: {}\n", status.error().message);
    return exitUser;
  }
  return exitOk;
}

} // namespace weft
