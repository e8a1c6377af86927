// All places at once, then the longest of them: a text is gone through once, however many pieces
// there are.
#include "runtime/text/sentencepiece/LongestFirst.h"

#include <algorithm>
#include <tuple>

using namespace weft::runtime;

static std::vector<Cut> occurrences(const PrefixTrie &pieces, std::string_view text) {
  std::vector<Cut> all;
  for (size_t begin = 0; begin < text.size(); ++begin) {
    int32_t node = PrefixTrie::root;
    for (size_t end = begin; end < text.size();) {
      node = pieces.step(node, static_cast<unsigned char>(text[end++]));
      if (node == PrefixTrie::none)
        break;
      if (int32_t id = pieces.valueAt(node); id != PrefixTrie::none)
        all.push_back({begin, end - begin, id});
    }
  }
  return all;
}

std::vector<Cut> weft::runtime::cutLongestFirst(const PrefixTrie &pieces, std::string_view text) {
  std::vector<Cut> all = occurrences(pieces, text), cuts;
  std::sort(all.begin(), all.end(), [](const Cut &a, const Cut &b) {
    return std::tuple(b.length, a.id, a.begin) < std::tuple(a.length, b.id, b.begin);
  });
  // What was cut is at least as long, so that it reaches over an end of what it overlaps.
  std::vector<bool> taken(all.empty() ? 0 : text.size());
  for (const Cut &cut : all) {
    size_t last = cut.begin + cut.length - 1;
    if (taken[cut.begin] || taken[last])
      continue;
    std::fill(taken.begin() + static_cast<std::ptrdiff_t>(cut.begin),
              taken.begin() + static_cast<std::ptrdiff_t>(last + 1), true);
    cuts.push_back(cut);
  }
  std::sort(cuts.begin(), cuts.end(), [](const Cut &a, const Cut &b) { return a.begin < b.begin; });
  return cuts;
}
