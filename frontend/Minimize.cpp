// What is logged, and the kinds of data.
#include "frontend/Minimize.h"

#include <algorithm>

namespace weft {

bool isLogged(std::string_view name) {
  static constexpr std::string_view own[] = {
      "step",    "loss",   "norm", "rate",      "tokens_per_second",
      "seconds", "tokens", "rows", "perplexity"};
  return name.starts_with("validation_") ||
         std::find(std::begin(own), std::end(own), name) != std::end(own);
}

static constexpr std::string_view text[] = {"tokens", "next"};
static constexpr std::string_view pairs[] = {"source", "valid", "target", "label"};
static constexpr std::string_view images[] = {"image", "label"};

const DataKind *findDataKind(std::string_view name) {
  static constexpr DataKind kinds[] = {
      {"text", text}, {"pairs", pairs}, {"images", images}, {"tensors", {}}};
  for (const DataKind &kind : kinds)
    if (kind.name == name)
      return &kind;
  return nullptr;
}

} // namespace weft
