// What a call may bring, what else it could call, and two shapes beside each other.
#include "frontend/check/Matching.h"

#include <algorithm>
#include <fmt/format.h>

namespace weft::sema {

bool Matching::speaksOf(const Dim *dim) const {
  if (callee.spoken.count(dim))
    return true;
  return std::any_of(passed.begin(), passed.end(),
                     [&](const FunctionInfo *fn) { return fn->spoken.count(dim) > 0; });
}

std::string alternatives(const Module &module, const FunctionInfo &wanted, const SlotUse &use,
                         bool fromLibrary) {
  constexpr size_t most = 3;
  std::vector<std::string> names = {wanted.name};
  auto add = [&](const std::map<std::string, FunctionInfo *, std::less<>> &functions) {
    for (const auto &[name, fn] : functions)
      if (names.size() < most && fn != &wanted && fn->signature.known &&
          mismatch(wanted, *fn, use).empty())
        names.push_back(name);
  };
  if (!fromLibrary)
    add(module.tree.own);
  add(module.tree.library);
  return fmt::format("`{}` would fit", fmt::join(names, "` or `"));
}

std::string alignShapes(const std::vector<std::pair<std::string, std::string>> &columns) {
  std::string expected = "expected [ ", found = "   found [ ";
  for (const auto &[above, below] : columns) {
    size_t width = std::max(above.size(), below.size());
    std::string_view gap = &columns.back().first == &above ? "" : "  ";
    expected += fmt::format("{:<{}}{}", above, width, gap);
    found += fmt::format("{:<{}}{}", below, width, gap);
  }
  return expected + " ]\n" + found + " ]";
}

} // namespace weft::sema
