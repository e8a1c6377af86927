// The element types of safetensors files, and their conversion into what compiled programs compute
// with.
#ifndef WEFT_RUNTIME_TENSORS_ELEMENTTYPE_H
#define WEFT_RUNTIME_TENSORS_ELEMENTTYPE_H

#include "runtime/base/Error.h"
#include "runtime/tensors/GroupedFloats.h"

#include <cstddef>
#include <cstdint>

namespace weft::runtime {

enum class ElementType {
  Bool,
  U8,
  I8,
  F8E5M2,
  F8E4M3,
  I16,
  U16,
  F16,
  BF16,
  I32,
  U32,
  F32,
  F64,
  I64,
  U64
};

/// The spelling in a file's header ("F32"), and back.
const char *elementTypeName(ElementType type);
std::optional<ElementType> elementTypeNamed(std::string_view name);
uint64_t elementBytes(ElementType type);

/// What a program's tensor holds in memory: float32, int32, one byte 0 or 1; and, caches alone,
/// bfloat16, the upper half of a float32, or whole numbers that share scales (GroupedFloats.h).
enum class Element { Float, Int, Bool, BFloat16, GroupedInt8 };
/// Elements that have one address, and their bytes.
struct Footprint {
  int64_t bytes, together = 1;
};
constexpr Footprint footprintOf(Element element) {
  switch (element) {
  case Element::GroupedInt8:
    return {grouped::bytes, grouped::length};
  case Element::Bool:
    return {1};
  case Element::BFloat16:
    return {2};
  default:
    return {4};
  }
}
/// Of `count` elements, whole groups where they share scales.
constexpr int64_t bytesOf(Element element, int64_t count) {
  Footprint each = footprintOf(element);
  return count / each.together * each.bytes;
}
/// Of one element, of what is no cache.
constexpr int64_t bytesOf(Element element) {
  return bytesOf(element, 1);
}
/// One bfloat16, and the nearest one, ties to even.
float widened(uint16_t upper);
uint16_t narrowed(float value);
const char *elementName(Element element);
/// The type under which an element is written to files: F32, I32, BOOL. What shares scales is
/// widened first.
ElementType storedAs(Element element);

/// Whether values of `from` may stand where `to` is wanted: F16, BF16, F32 and F64 for float, whole
/// numbers for int.
bool converts(ElementType from, Element to);

/// Converts `count` elements, whole groups of them (converts(from, to) holds; the source may be
/// unaligned). Gives the position of the first value that int32 or bool cannot hold, or -1.
int64_t convert(ElementType from, const std::byte *source, int64_t count, Element to, void *target);

} // namespace weft::runtime
#endif
