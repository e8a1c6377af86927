// `weft export`: our parameters under the names and in the layouts of others.
#include "tools/weft/Commands.h"
#include "tools/weft/Foreign.h"

#include <fmt/format.h>

namespace weft {

int runExport(const Arguments &arguments) {
  for (const char *needed : {"from", "output"})
    if (!arguments.has(needed)) {
      fmt::print(stderr, "weft export: {}\n",
                 needed == std::string("from") ? "of which weights? add `--from CHECKPOINT`"
                                               : "where to? add `-o FILE.safetensors`");
      return exitUsage;
    }
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  if (!compilation.model())
    return exitUser;
  std::optional<ForeignPlan> plan = planOf(compilation, "export");
  if (!plan)
    return exitUser;
  Weights weights(compilation.module(), 0);
  if (!weights.parameters)
    return exitInternal;
  if (!weights.load(arguments.get("from")) ||
      !exportWeights(weights, *plan, arguments.get("prefix"), arguments.get("output")))
    return exitUser;
  fmt::print("{}: {} tensors\n", arguments.get("output"), plan->tensors().size());
  return exitOk;
}

} // namespace weft
