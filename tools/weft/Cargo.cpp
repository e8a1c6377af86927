// Weights and a tokenizer, from a checkpoint to the end of a program.
#include "tools/weft/Cargo.h"

#include "runtime/carried/Carried.h"
#include "runtime/files/NewFile.h"
#include "runtime/tokenizers/Tokenizer.h"
#include "runtime/training/LoadWeights.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace weft {

bool Cargo::load(const std::string &checkpoint, const std::string &given) {
  auto said = [](const runtime::Error &error) {
    fmt::print(stderr, "weft build: {}\n", error.message);
    return false;
  };
  if (!weights.parameters)
    return false;
  auto loaded = runtime::loadWeights(*weights.parameters, checkpoint);
  if (!loaded)
    return said(loaded.error());
  std::string source = given.empty() ? loaded->file("tokenizer.json") : given;
  if (!source.empty()) {
    auto tokenizer = runtime::tokenizerWithoutText(source);
    if (!tokenizer)
      return said(tokenizer.error());
    text = runtime::jsonText((*tokenizer)->json());
  }
  weights.facts->carried = runtime::CarriedFacts{static_cast<int64_t>(text.size())};
  mlir::Builder builder(module.getContext());
  module->setAttr("weft.carries", builder.getI64IntegerAttr(static_cast<int64_t>(text.size())));
  return true;
}

bool Cargo::stow(const std::string &linked, const std::string &output) {
  runtime::Status status =
      runtime::appendCarried(linked, *weights.facts, *weights.parameters, text);
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
