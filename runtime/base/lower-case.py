#!/usr/bin/env python3
"""Writes LowerCase.cpp: the lower-case letters of the Unicode version that this Python knows."""
import sys
import unicodedata

mapped = [(c, ord(chr(c).lower())) for c in range(0x110000) if len(chr(c).lower()) == 1 and chr(c).lower() != chr(c)]
rows = []  # first, last, step, distance to the lower-case letter
for upper, lower in mapped:
    if rows and rows[-1][3] == lower - upper:
        first, last, step, distance = rows[-1]
        gap = upper - last
        if gap <= 2 and (first == last or gap == step):
            rows[-1] = (first, upper, gap, distance)
            continue
    rows.append((upper, upper, 1, lower - upper))
items = [f"{{{first:#x}, {last:#x}, {step}, {distance}}}" for first, last, step, distance in rows]
table = ",\n    ".join(", ".join(items[i:i + 4]) for i in range(0, len(items), 4))

sys.stdout.write(f"""// Lower case, Unicode {unicodedata.unidata_version}. Written by lower-case.py; do not edit.
#include "runtime/base/LowerCase.h"

#include "runtime/base/Utf8.h"

#include <algorithm>
#include <iterator>

using namespace weft::runtime;

namespace {{
/// The letters first, first + step, … last, and how far from each its lower case is.
struct Run {{
  uint32_t first, last, step;
  int32_t distance;
}};
}} // namespace

// clang-format off
static constexpr Run runs[] = {{
    {table}}};
// clang-format on

uint32_t weft::runtime::lowerCase(uint32_t character) {{
  const Run *after =
      std::upper_bound(std::begin(runs), std::end(runs), character,
                       [](uint32_t value, const Run &run) {{ return value < run.first; }});
  if (after == std::begin(runs))
    return character;
  const Run &run = after[-1];
  bool inside = character <= run.last && (character - run.first) % run.step == 0;
  return inside ? character + static_cast<uint32_t>(run.distance) : character;
}}

std::string weft::runtime::lowerCase(std::string_view text) {{
  std::string out;
  for (size_t i = 0; i < text.size();) {{
    CodePoint point = nextCodePoint(text.substr(i));
    auto length = static_cast<size_t>(point.length);
    bool changes = point.value != CodePoint::invalid && lowerCase(point.value) != point.value;
    out += changes ? toUtf8(lowerCase(point.value)) : text.substr(i, length);
    i += length;
  }}
  return out;
}}
""")
