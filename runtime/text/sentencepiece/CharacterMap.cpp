// Walking the double array. Nothing in it is trusted: each step looks whether it stays inside.
#include "runtime/text/sentencepiece/CharacterMap.h"

#include <cstring>
#include <string>

using namespace weft::runtime;

// Of a unit: the byte that leads to it (a value has the top bit instead), whether a string ends
// there, and the distance to its children.
static bool leadsHere(uint32_t unit, unsigned char byte) {
  return (unit & 0x800000ffu) == byte;
}
static bool endsString(uint32_t unit) {
  return unit >> 8 & 1;
}
static uint32_t toChildren(uint32_t unit) {
  return unit >> 10 << ((unit & 0x200u) >> 6);
}

Result<CharacterMap> CharacterMap::read(std::string_view precompiled) {
  CharacterMap map;
  if (precompiled.empty())
    return map;
  uint32_t size = 0;
  if (precompiled.size() >= sizeof size)
    memcpy(&size, precompiled.data(), sizeof size);
  precompiled.remove_prefix(std::min(precompiled.size(), sizeof size));
  if (size < sizeof(uint32_t) || size % sizeof(uint32_t) != 0 || size > precompiled.size())
    return Error{Code::Value, "the precompiled character map is broken off"};
  map.units.resize(size / sizeof(uint32_t));
  memcpy(map.units.data(), precompiled.data(), size);
  map.strings = precompiled.substr(size);
  if (map.strings.empty() || map.strings.back() != '\0')
    return Error{Code::Value, "the precompiled character map's strings are broken off"};
  return map;
}

CharacterMap::Replacement CharacterMap::find(std::string_view text) const {
  Replacement longest{"", 0};
  if (units.empty())
    return longest;
  size_t node = toChildren(units[0]);
  for (size_t i = 0; i < text.size(); ++i) {
    auto byte = static_cast<unsigned char>(text[i]);
    node ^= byte;
    if (node >= units.size() || !leadsHere(units[node], byte))
      break;
    bool ends = endsString(units[node]);
    node ^= toChildren(units[node]);
    if (!ends || node >= units.size())
      continue;
    size_t place = units[node] & 0x7fffffffu;
    if (place < strings.size())
      longest = {strings.data() + place, i + 1};
  }
  return longest;
}

bool CharacterMap::changesAscii(unsigned char first) const {
  size_t node = units.empty() ? 0 : toChildren(units[0]) ^ first;
  if (node >= units.size() || !leadsHere(units[node], first))
    return false;
  bool changes = endsString(units[node]);
  node ^= toChildren(units[node]);
  for (unsigned char next = 0; next < 0x80; ++next)
    changes |= (node ^ next) < units.size() && leadsHere(units[node ^ next], next);
  return changes;
}
