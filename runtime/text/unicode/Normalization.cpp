// Decomposing, ordering marks, composing.
#include "runtime/text/unicode/Normalization.h"

#include "runtime/base/Utf8.h"
#include "runtime/text/unicode/Classes.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

using namespace weft::runtime;

using Points = std::vector<uint32_t>;

// Hangul syllables are composed of L, V and T by computation.
constexpr uint32_t syllables = 0xac00, leading = 0x1100, vowels = 0x1161, trailing = 0x11a7;
constexpr uint32_t leadingCount = 19, vowelCount = 21, trailingCount = 28,
                   syllableCount = leadingCount * vowelCount * trailingCount;

static void decompose(uint32_t c, Points &into) {
  if (c - syllables < syllableCount) {
    uint32_t index = c - syllables;
    into.push_back(leading + index / (vowelCount * trailingCount));
    into.push_back(vowels + index / trailingCount % vowelCount);
    if (index % trailingCount > 0)
      into.push_back(trailing + index % trailingCount);
    return;
  }
  auto all = decompositions();
  auto found =
      std::lower_bound(all.begin(), all.end(), c, [](const Decomposition &entry, uint32_t value) {
        return entry.whole < value;
      });
  if (c < 0xc0 || found == all.end() || found->whole != c)
    return into.push_back(c);
  decompose(found->first, into);
  if (found->second)
    into.push_back(found->second); // never decomposes further
}

/// Marks by their class; those of one class keep their order.
static void sortMarks(std::span<uint32_t> marks) {
  struct Place {
    int kind;
    size_t at;
    bool operator<(const Place &other) const {
      return std::tie(kind, at) < std::tie(other.kind, other.at);
    }
  };
  std::vector<Place> places;
  for (size_t i = 0; i < marks.size(); ++i)
    places.push_back({combiningClass(marks[i]), i});
  std::sort(places.begin(), places.end());
  Points before(marks.begin(), marks.end());
  for (size_t i = 0; i < marks.size(); ++i)
    marks[i] = before[places[i].at];
}

/// NFD as code points.
static Points decomposedPoints(std::string_view text) {
  Points points;
  points.reserve(text.size());
  while (!text.empty()) {
    CodePoint point = nextCodePoint(text);
    decompose(point.value == CodePoint::invalid ? 0xfffd : point.value, points);
    text.remove_prefix(static_cast<size_t>(point.length));
  }
  for (size_t i = 0; i < points.size();) {
    size_t end = i;
    while (end < points.size() && combiningClass(points[end]) > 0)
      ++end;
    if (end - i > 1)
      sortMarks(std::span(points).subspan(i, end - i));
    i = std::max(end, i + 1);
  }
  return points;
}

/// What two code points become; 0: they stay two.
static uint32_t compositeOf(uint32_t first, uint32_t second) {
  static const std::unordered_map<uint64_t, uint32_t> composites = [] {
    std::unordered_map<uint64_t, uint32_t> out;
    for (const Decomposition &entry : decompositions())
      if (entry.composes)
        out[static_cast<uint64_t>(entry.first) << 32 | entry.second] = entry.whole;
    return out;
  }();
  if (first - leading < leadingCount && second - vowels < vowelCount)
    return syllables + ((first - leading) * vowelCount + second - vowels) * trailingCount;
  bool open = first - syllables < syllableCount && (first - syllables) % trailingCount == 0;
  if (open && second - trailing - 1 < trailingCount - 1)
    return first + second - trailing;
  auto found = composites.find(static_cast<uint64_t>(first) << 32 | second);
  return found == composites.end() ? 0 : found->second;
}

static std::string textOf(const Points &points) {
  std::string out;
  for (uint32_t c : points)
    out += toUtf8(c);
  return out;
}

std::string weft::runtime::decomposed(std::string_view text) {
  return textOf(decomposedPoints(text));
}

std::string weft::runtime::composed(std::string_view text) {
  Points points = decomposedPoints(text), out;
  size_t starter = 0; // in `out`; valid once something begins a sequence
  bool started = false;
  int previous = 0; // the class of the last one kept behind the starter
  for (uint32_t c : points) {
    int kind = combiningClass(c);
    bool reachable = started && (out.size() == starter + 1 || (previous < kind && previous > 0));
    if (uint32_t whole = reachable ? compositeOf(out[starter], c) : 0) {
      out[starter] = whole;
      continue;
    }
    if (kind == 0) {
      starter = out.size();
      started = true;
    }
    previous = kind;
    out.push_back(c);
  }
  return textOf(out);
}
