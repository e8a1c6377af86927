#!/usr/bin/env python3
"""Writes UnicodeClasses.cpp: the ranges of letters (L*) and numbers (N*) of the Unicode version that this Python knows."""
import sys, unicodedata

def ranges(major):
    out, start = [], None
    for point in range(0x110001):
        inside = point < 0x110000 and unicodedata.category(chr(point))[0] == major
        if inside and start is None:
            start = point
        if not inside and start is not None:
            out.append((start, point - 1))
            start = None
    return out

def table(name, major):
    rows = [f"{{{a:#x}, {b:#x}}}" for a, b in ranges(major)]
    lines = [", ".join(rows[i:i + 5]) for i in range(0, len(rows), 5)]
    return f"static constexpr Range {name}[] = {{\n    " + ",\n    ".join(lines) + "};\n"

sys.stdout.write(f"""// Classes of characters, Unicode {unicodedata.unidata_version}. Written by unicode-classes.py; do not edit.
#include "runtime/tokenizers/UnicodeClasses.h"

#include <algorithm>
#include <iterator>

using namespace weft::runtime;

namespace {{
struct Range {{
  uint32_t first, last;
}};
}} // namespace

// clang-format off
{table("letters", "L")}
{table("numbers", "N")}
// clang-format on

template <size_t N> static bool contains(const Range (&ranges)[N], uint32_t character) {{
  const Range *after = std::upper_bound(std::begin(ranges), std::end(ranges), character,
                                        [](uint32_t value, const Range &range) {{ return value < range.first; }});
  return after != std::begin(ranges) && character <= (after - 1)->last;
}}

CharacterClass weft::runtime::classOf(uint32_t c) {{
  if ((c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) ||
      c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000)
    return CharacterClass::Space;
  return contains(letters, c) ? CharacterClass::Letter : contains(numbers, c) ? CharacterClass::Number : CharacterClass::Other;
}}
""")
