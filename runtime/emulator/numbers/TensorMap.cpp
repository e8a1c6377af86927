// What the driver asks of a tensor whose tiles are copied.
#include "runtime/emulator/numbers/TensorMap.h"

#include <algorithm>

namespace weft::emulator {

uint64_t TensorMap::boxBytes() const {
  uint64_t bytes = elementBytes;
  for (unsigned i = 0; i < rank; ++i)
    bytes *= box[i];
  return bytes;
}

std::string encode(TensorMap &map, const Tensor &tensor) {
  auto text = [](uint64_t number) { return std::to_string(number); };
  if (tensor.rank < 1 || tensor.rank > 5)
    return "a tensor has 1 to 5 dimensions, not " + text(tensor.rank);
  if (reinterpret_cast<uintptr_t>(tensor.base) % 16)
    return "a tensor begins at a multiple of 16 bytes";
  map = {};
  map.magic = TensorMap::expected;
  map.rank = tensor.rank;
  map.elementBytes = tensor.elementBytes;
  map.swizzle = tensor.swizzle;
  map.base = reinterpret_cast<uintptr_t>(tensor.base);
  for (unsigned i = 0; i < tensor.rank; ++i) {
    std::string which = "dimension " + text(i);
    if (tensor.sizes[i] < 1 || tensor.sizes[i] > uint64_t(1) << 32)
      return which + " has 1 to 2^32 elements, not " + text(tensor.sizes[i]);
    if (tensor.box[i] < 1 || tensor.box[i] > 256)
      return which + " of a box has 1 to 256 elements, not " + text(tensor.box[i]);
    if (tensor.steps[i] != 1)
      return which + " is taken in steps, which is not emulated";
    map.sizes[i] = tensor.sizes[i];
    map.box[i] = uint16_t(tensor.box[i]);
    if (i + 1 == tensor.rank)
      break;
    uint64_t stride = tensor.strides[i];
    if (stride % 16 || stride >= uint64_t(1) << 40)
      return "distances are multiples of 16 bytes below 2^40, not " + text(stride);
    map.strides[i] = stride;
  }
  uint64_t row = uint64_t(tensor.box[0]) * tensor.elementBytes;
  if (row % 16)
    return "a row of a box is a multiple of 16 bytes, not " + text(row);
  if (tensor.swizzle != TensorSwizzle::none && row > 16u << unsigned(tensor.swizzle))
    return "a row of a box has at most the " + text(16u << unsigned(tensor.swizzle)) +
           " bytes that are mixed, not " + text(row);
  return "";
}

std::string encode(TensorMap &map, const WeftTensorMap &tensor) {
  Tensor told{.base = tensor.base, .elementBytes = tensor.element_bytes, .rank = tensor.rank};
  std::ranges::copy(tensor.sizes, told.sizes);
  std::ranges::copy(tensor.strides, told.strides);
  std::ranges::copy(tensor.box, told.box);
  for (uint32_t bytes = tensor.swizzle; bytes >= 32; bytes /= 2)
    told.swizzle = TensorSwizzle(unsigned(told.swizzle) + 1);
  return encode(map, told);
}

} // namespace weft::emulator
