// The kinds of data.
#include "frontend/Minimize.h"

namespace weft {

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
