// `weft init`: initial parameters, the same that a training program starts from.
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/base/WrittenWeights.h"

#include <fmt/format.h>

namespace weft {

static int failed(const runtime::Error &error) {
  fmt::print(stderr, "weft init: {}\n", error.message);
  return exitUser;
}

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
  Weights weights(compilation.module());
  if (!weights.parameters)
    return weights.facts ? exitUser : exitInternal;
  runtime::Result<WrittenWeights> file = WrittenWeights::create(weights, arguments.get("output"));
  if (!file)
    return failed(file.error());
  weights.initialize(*seed, runtime::isWeight);
  if (runtime::Status status = file->commit(); !status)
    return failed(status.error());
  return exitOk;
}

} // namespace weft
