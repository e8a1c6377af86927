// Weights and what lies beside them, from a checkpoint to the end of a program.
#include "tools/weft/build/Cargo.h"

#include "tools/weft/foreign/KeptTokenizers.h"

#include "runtime/data/OpenData.h"
#include "runtime/files/NewFile.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace weft {

bool Cargo::load(const std::string &checkpoint, const Arguments &arguments) {
  auto said = [](const runtime::Error &error) {
    fmt::print(stderr, "weft build: {}\n", error.message);
    return false;
  };
  if (!weights.parameters)
    return false;
  auto loaded = runtime::loadWeights(*weights.parameters, checkpoint);
  if (!loaded)
    return said(loaded.error());
  runtime::Result<Tokenizers> tokenizers =
      tokenizersFor(vocabulariesOf(module), arguments, &*loaded);
  if (!tokenizers)
    return said(tokenizers.error());
  for (const auto &[file, tokenizer] : *tokenizers)
    texts[file] = runtime::jsonText(tokenizer->json());
  if (runtime::Json kept = runtime::stateToCarry(loaded->state); !kept.empty())
    texts[runtime::trainingFile] = runtime::jsonText(kept);
  weights.facts->carried.emplace();
  mlir::Builder builder(module.getContext());
  mlir::NamedAttrList lengths;
  for (const auto &[name, text] : texts) {
    auto bytes = static_cast<int64_t>(text.size());
    weights.facts->carried->texts.push_back({name, bytes});
    lengths.append(name, builder.getI64IntegerAttr(bytes));
  }
  module->setAttr("weft.carries", lengths.getDictionary(module.getContext()));
  return true;
}

bool Cargo::stow(const std::string &linked, const std::string &output) {
  runtime::Status status =
      runtime::appendCarried(linked, *weights.facts, *weights.parameters, texts);
  if (status && std::rename(linked.c_str(), output.c_str()) != 0)
    status = runtime::Error{runtime::Code::File,
                            fmt::format("{}: cannot write it: {}", output, std::strerror(errno))};
  if (status)
    return true;
  std::remove(linked.c_str());
  fmt::print(stderr, "weft build: {}\n", status.error().message);
  return false;
}

} // namespace weft
