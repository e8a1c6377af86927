// Weights and what lies beside them, from a checkpoint to the end of a program.
#include "tools/weft/build/CarriedWeights.h"

#include "codegen/host/Facts.h"
#include "tools/weft/tokenizers/KeptTokenizers.h"

#include "runtime/data/OpenData.h"
#include "runtime/model/Slices.h"
#include "runtime/training/checkpoint/Checkpoint.h"

#include <fmt/format.h>

#include <cstring>
#include <numeric>

namespace weft {

bool CarriedWeights::load(const std::string &checkpoint, const Arguments &arguments, bool packs) {
  auto said = [](const runtime::Error &error) {
    fmt::print(stderr, "weft build: {}\n", error.message);
    return false;
  };
  if (!weights.parameters)
    return false;
  // Where they are changed, most of them would be the process's own anyway, and where they run for
  // long, somebody may cut the file short.
  const bool stays = !arguments.has("calibrate") && !arguments.has("measure");
  runtime::Parameters::Mapping mapping = stays ? &runtime::Parameters::map : nullptr;
  auto loaded = runtime::loadWeights(*weights.parameters, checkpoint, runtime::anyUse, mapping);
  if (!loaded)
    return said(loaded.error());
  runtime::sayWarning(loaded->warning);
  runtime::Result<Tokenizers> tokenizers =
      tokenizersFor(vocabulariesOf(module), arguments, &*loaded);
  if (!tokenizers)
    return said(tokenizers.error());
  for (const auto &[file, tokenizer] : *tokenizers)
    others[file] = runtime::jsonText(tokenizer->json());
  if (runtime::Json kept = runtime::stateToCarry(loaded->state); !kept.empty())
    others[runtime::trainingFile] = runtime::jsonText(kept);
  weights.facts->carried.emplace();
  auto builder = mlir::OpBuilder::atBlockBegin(module.getBody());
  if (packs) {
    model::CarriedOp::create(builder, module.getLoc(), carriedPacked, 0);
    runtime::Result<runtime::Facts> noted = runtime::readFacts(factsAsJson(module));
    if (!noted)
      return said(noted.error());
    weights.facts->packed = noted->packed;
    weights.facts->parameters = noted->parameters;
  }
  model::CarriedOp::create(builder, module.getLoc(), carriedParameters,
                           runtime::carriedLayout(*weights.facts).bytes);
  for (const auto &[name, text] : others) {
    auto bytes = static_cast<int64_t>(text.size());
    weights.facts->carried->texts.push_back({name, bytes});
    model::CarriedOp::create(builder, module.getLoc(), name, bytes);
  }
  return true;
}

bool CarriedWeights::pack() {
  auto made = PackedBytes::make(module, *weights.facts, *weights.parameters);
  if (made)
    packed = std::move(*made);
  return made.has_value();
}

static int64_t countOf(const runtime::Facts &facts, const runtime::Parameter &parameter) {
  std::vector<int64_t> shape = runtime::stackedShape(facts, parameter);
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies());
}

void CarriedWeights::copyTo(runtime::Parameters &parameters) const {
  const std::vector<runtime::Parameter> &all = weights.facts->parameters;
  for (size_t i = 0; i < all.size(); ++i)
    if (int number = parameters.program().parameter(all[i].name); number >= 0)
      memcpy(parameters.data(number), weights.parameters->data(int(i)),
             size_t(countOf(*weights.facts, all[i]) * runtime::bytesOf(all[i].element)));
  parameters.changed();
}

std::pair<float *, int64_t> CarriedWeights::floatsOf(const std::string &parameter) {
  int number = weights.facts->parameter(parameter);
  const runtime::Parameter &declared = weights.facts->parameters[size_t(number)];
  return {static_cast<float *>(weights.parameters->data(number)),
          countOf(*weights.facts, declared)};
}

} // namespace weft
