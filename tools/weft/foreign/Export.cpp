// `weft export`: a model's parameters under the names and in the layouts of another project.
#include "tools/weft/base/Commands.h"
#include "tools/weft/foreign/Foreign.h"

#include <fmt/format.h>

namespace weft {

static std::optional<runtime::ElementType> typeNamed(std::string_view name) {
  using Type = runtime::ElementType;
  for (auto [known, type] : {std::pair{"f32", Type::F32}, {"f16", Type::F16}, {"bf16", Type::BF16}})
    if (name == known)
      return type;
  return std::nullopt;
}

int runExport(const Arguments &arguments) {
  for (const char *needed : {"from", "output"})
    if (!arguments.has(needed)) {
      fmt::print(stderr, "weft export: {}\n",
                 needed == std::string("from") ? "of which weights? add `--from CHECKPOINT`"
                                               : "where to? add `-o FILE.safetensors`");
      return exitUsage;
    }
  std::optional<runtime::ElementType> type = typeNamed(arguments.get("dtype", "f32"));
  if (!type) {
    fmt::print(stderr, "weft export: --dtype {}: expected f32, f16 or bf16\n",
               arguments.get("dtype"));
    return exitUsage;
  }
  bool isLlama2c = arguments.get("output").ends_with(".bin");
  for (const char *other : {"dtype", "prefix"})
    if (isLlama2c && arguments.has(other)) {
      fmt::print(stderr, "weft export: --{}: a llama2.c file (.bin) holds float32 and no names\n",
                 other);
      return exitUsage;
    }
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  if (!compilation.model())
    return compilation.exitCode();
  std::optional<ForeignPlan> plan = planOf(compilation, "export");
  if (!plan)
    return exitUser;
  Weights weights(compilation.module());
  if (!weights.parameters)
    return exitInternal;
  if (!weights.load(arguments.get("from"), runtime::anyUse, &runtime::Parameters::map) ||
      !compilation.overwritesNoInput())
    return compilation.exitCode();
  const std::string output = arguments.get("output");
  bool written = isLlama2c ? exportLlama2c(weights, *plan, compilation.module(), output)
                           : exportWeights(weights, *plan, compilation.module(),
                                           arguments.get("prefix"), *type, output);
  if (!written)
    return exitUser;
  fmt::print("{}: {} tensors\n", output, plan->tensors().size() + plan->computed().size());
  return exitOk;
}

} // namespace weft
