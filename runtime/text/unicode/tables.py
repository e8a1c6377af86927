#!/usr/bin/env python3
"""Writes Tables.inc: what the tokenizers must know of each character, of the Unicode version that this Python knows.

Every table is a row of varints (seven bits a byte, the lowest first), so that programs stay small; Tables.cpp reads them.
"""
import sys
import unicodedata

POINTS = range(0x110000)


def varint(value):
    out = []
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return out + [value]


def zigzag(value):
    return varint(value * 2 if value >= 0 else -value * 2 - 1)


def ranges(inside):
    """Distances between the places where membership changes."""
    out, last, state = [], 0, False
    for point in POINTS:
        if inside(chr(point)) != state:
            out += varint(point - last)
            last, state = point, not state
    return out


def runs(values):
    """(distance to the next run, its length, its step, its value) of equal values at equal steps; `values` by point."""
    points, out, last, i = sorted(values), [], 0, 0
    while i < len(points):
        step = 1
        if i + 1 < len(points) and values[points[i + 1]] == values[points[i]] and points[i + 1] - points[i] == 2:
            step = 2
        end = i + 1
        while end < len(points) and points[end] - points[end - 1] == step and values[points[end]] == values[points[i]]:
            end += 1
        out += varint(points[i] - last) + varint(end - i) + varint(step) + zigzag(values[points[i]])
        last, i = points[i], end
    return out


def decompositions():
    """(distance, first, second or 0) of each canonical decomposition; Hangul's are computed."""
    out, last = [], 0
    for point in POINTS:
        text = unicodedata.decomposition(chr(point))
        if text and not text.startswith("<"):
            parts = [int(part, 16) for part in text.split()] + [0]
            out += varint(point - last) + zigzag(parts[0] - point) + varint(parts[1])
            last = point
    return out


def table(name, says, data):
    rows = [",".join(map(str, data[i:i + 28])) + "," for i in range(0, len(data), 28)]
    return f"// {says}\nstatic constexpr unsigned char {name}Table[] = {{\n" + "\n".join(rows) + "\n};\n"


def category(*majors):
    return lambda character: unicodedata.category(character).startswith(majors)


combining = {p: unicodedata.combining(chr(p)) for p in POINTS if unicodedata.combining(chr(p))}
# singletons, characters that only others may be followed by, and those excluded by the standard do not compose
kept_apart = [p for p in POINTS if len(unicodedata.decomposition(chr(p)).split()) == 2
              and not unicodedata.decomposition(chr(p)).startswith("<")
              and unicodedata.normalize("NFC", chr(p)) != chr(p)]

sys.stdout.write(f"// Unicode {unicodedata.unidata_version}. Written by tables.py; do not edit.\n")
for name, says, data in [
    ("letters", "Changes of membership in L.", ranges(category("L"))),
    ("numbers", "In N.", ranges(category("N"))),
    ("punctuation", "In P.", ranges(category("P"))),
    ("marks", "In M.", ranges(category("M"))),
    ("nonspacing", "In Mn.", ranges(category("Mn"))),
    ("others", "In Cc, Cf, Cs or Co.", ranges(category("Cc", "Cf", "Cs", "Co"))),
    ("combiningClass", "The canonical combining class: runs.", runs(combining)),
    ("decompositions", "Canonical decompositions: distance, distance of the first, second or 0.", decompositions()),
    ("notComposed", "Pairs that are not composed again: distances.",
     [b for a, p in zip([0] + kept_apart, kept_apart) for b in varint(p - a)]),
]:
    sys.stdout.write(table(name, says, data))
    sys.stderr.write(f"{name} {len(data)}\n")
