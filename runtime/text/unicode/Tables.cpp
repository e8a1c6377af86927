// The tables of Unicode, unpacked when first used.
#include "runtime/text/unicode/Classes.h"

#include <algorithm>
#include <vector>

using namespace weft::runtime;

namespace {
#include "runtime/text/unicode/Tables.inc"

/// The varints of a table, one after the other.
class Numbers {
public:
  explicit Numbers(std::span<const unsigned char> bytes) : rest(bytes) {}
  bool more() const { return !rest.empty(); }
  uint32_t next() {
    uint32_t value = 0;
    for (int shift = 0;; shift += 7) {
      unsigned char byte = rest.front();
      rest = rest.subspan(1);
      value |= static_cast<uint32_t>(byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
  }
  int32_t nextSigned() {
    uint32_t value = next();
    return static_cast<int32_t>(value >> 1) ^ -static_cast<int32_t>(value & 1);
  }

private:
  std::span<const unsigned char> rest;
};

/// A set of characters: the places where membership changes.
class Set {
public:
  explicit Set(std::span<const unsigned char> bytes) {
    uint32_t place = 0;
    for (Numbers numbers(bytes); numbers.more();)
      changes.push_back(place += numbers.next());
  }
  bool contains(uint32_t c) const {
    return (std::upper_bound(changes.begin(), changes.end(), c) - changes.begin()) % 2 == 1;
  }

private:
  std::vector<uint32_t> changes;
};

/// Numbers of characters: runs of equal numbers at equal steps.
class Runs {
public:
  explicit Runs(std::span<const unsigned char> bytes) {
    uint32_t place = 0;
    for (Numbers numbers(bytes); numbers.more();) {
      uint32_t first = place += numbers.next(), count = numbers.next(), step = numbers.next();
      runs.push_back({first, first + (count - 1) * step, step, numbers.nextSigned()});
    }
  }
  /// 0 for characters without.
  int32_t of(uint32_t c) const {
    // runs of step 2 may enclose others, so the nearest few are looked at
    auto after = std::upper_bound(runs.begin(), runs.end(), c,
                                  [](uint32_t value, const Run &run) { return value < run.first; });
    for (int tries = 0; tries < 3 && after != runs.begin(); ++tries) {
      --after;
      if (c <= after->last && (c - after->first) % after->step == 0)
        return after->value;
    }
    return 0;
  }

private:
  struct Run {
    uint32_t first, last, step;
    int32_t value;
  };
  std::vector<Run> runs;
};
} // namespace

CharacterClass weft::runtime::classOf(uint32_t c) {
  if (c < 0x80)
    return classOfAscii(static_cast<unsigned char>(c));
  if (c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
      c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000)
    return CharacterClass::Space;
  static const Set letters(lettersTable), numbers(numbersTable);
  return letters.contains(c)   ? CharacterClass::Letter
         : numbers.contains(c) ? CharacterClass::Number
                               : CharacterClass::Other;
}

bool weft::runtime::isPunctuation(uint32_t c) {
  static const Set set(punctuationTable);
  return set.contains(c);
}

bool weft::runtime::isMark(uint32_t c) {
  static const Set set(marksTable);
  return c >= 0x300 && set.contains(c);
}

bool weft::runtime::isNonspacingMark(uint32_t c) {
  static const Set set(nonspacingTable);
  return c >= 0x300 && set.contains(c);
}

bool weft::runtime::isOther(uint32_t c) {
  static const Set set(othersTable);
  return set.contains(c);
}

int weft::runtime::combiningClass(uint32_t c) {
  static const Runs runs(combiningClassTable);
  return c < 0x300 ? 0 : runs.of(c);
}

std::span<const Decomposition> weft::runtime::decompositions() {
  static const std::vector<Decomposition> all = [] {
    std::vector<Decomposition> out;
    uint32_t place = 0;
    for (Numbers numbers(decompositionsTable); numbers.more();) {
      place += numbers.next();
      uint32_t first = place + static_cast<uint32_t>(numbers.nextSigned());
      uint32_t second = numbers.next();
      out.push_back({place, first, second, second != 0});
    }
    place = 0;
    for (Numbers numbers(notComposedTable); numbers.more();) {
      place += numbers.next();
      auto found = std::lower_bound(
          out.begin(), out.end(), place,
          [](const Decomposition &entry, uint32_t value) { return entry.whole < value; });
      found->composes = false;
    }
    return out;
  }();
  return all;
}
