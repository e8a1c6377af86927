// Arrays of the interpreter, from and to the memory that programs read and write.
#ifndef WEFT_TOOLS_ARRAYS_ARRAYMEMORY_H
#define WEFT_TOOLS_ARRAYS_ARRAYMEMORY_H

#include "ir/reference/Array.h"
#include "runtime/tensors/ElementType.h"

namespace weft {

/// The numbers of this shape that lie at `memory`: 4 bytes each, a bool 1.
reference::Array loadArray(const std::vector<int64_t> &shape, runtime::Element element,
                           const void *memory);

/// Writes the numbers of `array` as a program reads them; a float64 is rounded to float32.
void storeArray(const reference::Array &array, runtime::Element element, void *memory);

} // namespace weft

#endif // WEFT_TOOLS_ARRAYS_ARRAYMEMORY_H
