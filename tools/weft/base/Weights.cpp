// Parameters of a module in memory, by the runtime's own code, so that compiler and program agree
// to the bit.
#include "tools/weft/base/Weights.h"

#include "codegen/host/Facts.h"

#include "runtime/machine/Cores.h"
#include "runtime/training/checkpoint/Checkpoint.h"
#include "runtime/training/checkpoint/LoadWeights.h"

#include <fmt/format.h>

#include <charconv>

namespace weft {

Weights::Weights(mlir::ModuleOp module) {
  runtime::Result<runtime::Facts> read = runtime::readFacts(factsAsJson(module));
  if (!read) {
    fmt::print(stderr, "weft: internal error: {}\n", read.error().message);
    return;
  }
  facts = std::make_unique<runtime::Facts>(std::move(*read));
  runtime::Result<runtime::Parameters> created = runtime::Parameters::create(*facts);
  if (!created) {
    fmt::print(stderr, "weft: {}\n", created.error().message);
    return;
  }
  parameters.emplace(std::move(*created));
}

void Weights::initialize(uint64_t seed, const runtime::Kinds &kinds) {
  std::unique_ptr<runtime::Pool> pool = runtime::Pool::start(runtime::availableCores(), false);
  parameters->initialize(*pool, seed, kinds);
}

bool Weights::load(const std::string &path, const std::string &entry,
                   runtime::Parameters::Mapping mapping) {
  runtime::Result<runtime::LoadedWeights> loaded =
      runtime::loadWeights(*parameters, path, entry, mapping);
  if (!loaded)
    fmt::print(stderr, "weft: {}\n", loaded.error().message);
  else
    runtime::sayWarning(loaded->warning);
  return static_cast<bool>(loaded);
}

std::optional<uint64_t> wholeNumber(const Arguments &arguments, const std::string &option) {
  std::string text = arguments.get(option, "0");
  uint64_t value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc() && end == text.data() + text.size())
    return value;
  fmt::print(stderr, "weft: --{} takes a whole number, not `{}`\n", option, text);
  return std::nullopt;
}

} // namespace weft
