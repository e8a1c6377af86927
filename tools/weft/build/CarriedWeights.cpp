// Weights and what lies beside them, from a checkpoint to the end of a program.
#include "tools/weft/build/CarriedWeights.h"

#include "codegen/host/Facts.h"
#include "tools/weft/base/KeptTokenizers.h"

#include "runtime/data/OpenData.h"
#include "runtime/training/checkpoint/Checkpoint.h"

#include <fmt/format.h>

namespace weft {

bool CarriedWeights::load(const std::string &checkpoint, const Arguments &arguments) {
  auto said = [](const runtime::Error &error) {
    fmt::print(stderr, "weft build: {}\n", error.message);
    return false;
  };
  if (!weights.parameters)
    return false;
  auto loaded = runtime::loadWeights(*weights.parameters, checkpoint);
  if (!loaded)
    return said(loaded.error());
  runtime::sayWarning(loaded->warning);
  runtime::Result<Tokenizers> tokenizers =
      tokenizersFor(vocabulariesOf(module), arguments, &*loaded);
  if (!tokenizers)
    return said(tokenizers.error());
  for (const auto &[file, tokenizer] : *tokenizers)
    texts[file] = runtime::jsonText(tokenizer->json());
  if (runtime::Json kept = runtime::stateToCarry(loaded->state); !kept.empty())
    texts[runtime::trainingFile] = runtime::jsonText(kept);
  weights.facts->carried.emplace();
  auto builder = mlir::OpBuilder::atBlockBegin(module.getBody());
  model::CarriedOp::create(builder, module.getLoc(), carriedParameters,
                           runtime::carriedLayout(*weights.facts).bytes);
  for (const auto &[name, text] : texts) {
    auto bytes = static_cast<int64_t>(text.size());
    weights.facts->carried->texts.push_back({name, bytes});
    model::CarriedOp::create(builder, module.getLoc(), name, bytes);
  }
  return true;
}

} // namespace weft
