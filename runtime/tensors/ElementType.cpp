// Element types: names, sizes, conversion from unaligned bytes.
#include "runtime/tensors/ElementType.h"

#include <cstring>
#include <limits>

using namespace weft::runtime;

namespace {
struct Row {
  ElementType type;
  const char *name;
  uint64_t bytes;
};
} // namespace

// in the order of the enumeration
static constexpr Row rows[] = {
    {ElementType::Bool, "BOOL", 1},      {ElementType::U8, "U8", 1},
    {ElementType::I8, "I8", 1},          {ElementType::F8E5M2, "F8_E5M2", 1},
    {ElementType::F8E4M3, "F8_E4M3", 1}, {ElementType::I16, "I16", 2},
    {ElementType::U16, "U16", 2},        {ElementType::F16, "F16", 2},
    {ElementType::BF16, "BF16", 2},      {ElementType::I32, "I32", 4},
    {ElementType::U32, "U32", 4},        {ElementType::F32, "F32", 4},
    {ElementType::F64, "F64", 8},        {ElementType::I64, "I64", 8},
    {ElementType::U64, "U64", 8}};

const char *weft::runtime::elementTypeName(ElementType type) {
  return rows[static_cast<int>(type)].name;
}

uint64_t weft::runtime::elementBytes(ElementType type) {
  return rows[static_cast<int>(type)].bytes;
}

std::optional<ElementType> weft::runtime::elementTypeNamed(std::string_view name) {
  for (const Row &row : rows)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

const char *weft::runtime::elementName(Element element) {
  constexpr const char *names[] = {"float", "int", "bool", "bf16", "int8"};
  return names[static_cast<int>(element)];
}

ElementType weft::runtime::storedAs(Element element) {
  constexpr ElementType types[] = {ElementType::F32, ElementType::I32, ElementType::Bool,
                                   ElementType::BF16, ElementType::F32};
  return types[static_cast<int>(element)];
}

bool weft::runtime::converts(ElementType from, Element to) {
  switch (from) {
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::F32:
  case ElementType::F64:
    return to == Element::Float || to == Element::BFloat16 || to == Element::GroupedInt8;
  case ElementType::Bool:
    return to == Element::Bool;
  case ElementType::U8:
  case ElementType::I8:
  case ElementType::I16:
  case ElementType::U16:
  case ElementType::I32:
  case ElementType::U32:
  case ElementType::I64:
  case ElementType::U64:
    return to == Element::Int;
  default:
    return false;
  }
}

static float fromBits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float weft::runtime::widened(uint16_t upper) {
  return fromBits(static_cast<uint32_t>(upper) << 16);
}

uint16_t weft::runtime::narrowed(float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  if (value != value)
    return static_cast<uint16_t>(bits >> 16 | 0x40); // a quiet NaN
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// IEEE 754 binary16 to binary32, exactly.
static float fromHalf(uint16_t half) {
  uint32_t sign = static_cast<uint32_t>(half & 0x8000) << 16, exponent = half >> 10 & 0x1f,
           fraction = half & 0x3ff;
  if (exponent == 0x1f)
    return fromBits(sign | 0x7f800000 | fraction << 13);
  if (exponent == 0) // zero or subnormal: fraction * 2^-24
    return fromBits(sign | 0x3f800000) * static_cast<float>(fraction) * 0x1p-24f;
  return fromBits(sign | (exponent + 112) << 23 | fraction << 13);
}

template <class Source> static Source load(const std::byte *source, int64_t i) {
  Source value;
  memcpy(&value, source + i * static_cast<int64_t>(sizeof value), sizeof value);
  return value;
}

static float floatAt(ElementType from, const std::byte *source, int64_t i) {
  switch (from) {
  case ElementType::F64:
    return static_cast<float>(load<double>(source, i));
  case ElementType::BF16:
    return widened(load<uint16_t>(source, i));
  case ElementType::F16:
    return fromHalf(load<uint16_t>(source, i));
  default:
    return load<float>(source, i);
  }
}

static void convertGroups(ElementType from, const std::byte *source, int64_t count, char *target) {
  float group[grouped::length];
  for (int64_t first = 0; first < count; first += grouped::length, target += grouped::bytes) {
    for (int64_t i = 0; i < grouped::length; ++i)
      group[i] = floatAt(from, source, first + i);
    grouped::store(group, grouped::length, target);
  }
}

static void convertFloats(ElementType from, const std::byte *source, int64_t count, float *target) {
  if (from == ElementType::F32)
    memcpy(target, source, static_cast<size_t>(count) * sizeof *target);
  for (int64_t i = 0; i < count && from != ElementType::F32; ++i)
    target[i] = floatAt(from, source, i);
}

template <class Source>
static int64_t convertInts(const std::byte *source, int64_t count, int32_t *target) {
  for (int64_t i = 0; i < count; ++i) {
    Source value = load<Source>(source, i);
    target[i] = static_cast<int32_t>(value);
    if (static_cast<Source>(target[i]) != value || (target[i] < 0) != (value < Source(0)))
      return i;
  }
  return -1;
}

static int64_t convertBools(const std::byte *source, int64_t count, char *target) {
  for (int64_t i = 0; i < count; ++i) {
    target[i] = static_cast<char>(source[i]);
    if (target[i] != 0 && target[i] != 1)
      return i;
  }
  return -1;
}

int64_t weft::runtime::convert(ElementType from, const std::byte *source, int64_t count, Element to,
                               void *target) {
  if (count == 0) // nothing may have no address
    return -1;
  auto *ints = static_cast<int32_t *>(target);
  switch (to == Element::Int ? from : ElementType::F32) {
  case ElementType::U8:
    return convertInts<uint8_t>(source, count, ints);
  case ElementType::I8:
    return convertInts<int8_t>(source, count, ints);
  case ElementType::I16:
    return convertInts<int16_t>(source, count, ints);
  case ElementType::U16:
    return convertInts<uint16_t>(source, count, ints);
  case ElementType::I32:
    return convertInts<int32_t>(source, count, ints);
  case ElementType::U32:
    return convertInts<uint32_t>(source, count, ints);
  case ElementType::I64:
    return convertInts<int64_t>(source, count, ints);
  case ElementType::U64:
    return convertInts<uint64_t>(source, count, ints);
  default:
    break;
  }
  if (to == Element::Bool)
    return convertBools(source, count, static_cast<char *>(target));
  if (to == Element::BFloat16)
    for (int64_t i = 0; i < count; ++i)
      static_cast<uint16_t *>(target)[i] = narrowed(floatAt(from, source, i));
  else if (to == Element::GroupedInt8)
    convertGroups(from, source, count, static_cast<char *>(target));
  else
    convertFloats(from, source, count, static_cast<float *>(target));
  return -1;
}
