// What a kernel of a GPU takes by value: sizes, addresses of buffers, an address of scratch.
#ifndef WEFT_IR_CUDA_PARAMETERS_H
#define WEFT_IR_CUDA_PARAMETERS_H

#include "ir/kernel/DimTable.h"

#include <algorithm>

namespace weft::cuda {

/// Words of 8 bytes that PTX takes as parameters on every device that it is made for.
inline constexpr unsigned parameterWords = 4096 / 8;

/// How many sizes every kernel of a program takes.
inline unsigned sizesOf(const kernel::DimTable &dims) {
  unsigned count = 1; // a parameter of no bytes is none
  for (const auto &each : dims.dims)
    count = std::max<unsigned>(count, each.second.number + 1);
  return count;
}

/// How many buffers fit in beside them; 0 where the sizes leave no room.
inline unsigned mostBuffers(const kernel::DimTable &dims) {
  unsigned taken = sizesOf(dims) + 1; // and scratch
  return parameterWords - std::min(taken, parameterWords);
}

} // namespace weft::cuda

#endif // WEFT_IR_CUDA_PARAMETERS_H
