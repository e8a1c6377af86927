// Finding the phrase that a text repeats (Saxena 2023: prompt lookup).
#include "runtime/generation/Phrases.h"

#include <algorithm>

using namespace weft::runtime;

static constexpr size_t leastMatch = 2; // one id stands in many places, mostly by chance
static constexpr size_t mostMatch = 64; // enough to tell places apart

std::vector<int32_t> weft::runtime::repeatedPhrase(std::span<const int32_t> text, size_t most) {
  if (most == 0)
    return {};
  size_t place = 0, longest = leastMatch - 1;
  for (size_t end = text.size(); end-- > 1 && longest < mostMatch;) {
    size_t limit = std::min(end, mostMatch), match = 0;
    while (match < limit && text[end - 1 - match] == text[text.size() - 1 - match])
      ++match;
    if (match > longest)
      place = end, longest = match;
  }
  std::vector<int32_t> phrase;
  for (size_t i = 0; place > 0 && i < std::min(most, longest); ++i) {
    size_t at = place + i;
    phrase.push_back(at < text.size() ? text[at] : phrase[at - text.size()]);
  }
  return phrase;
}
