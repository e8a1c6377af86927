// A tensor as people read it: its dimensions by name, rows of numbers, large ones shortened.
#ifndef WEFT_RUNTIME_TENSORS_TENSORTEXT_H
#define WEFT_RUNTIME_TENSORS_TENSORTEXT_H

#include "runtime/tensors/ElementType.h"

#include <string>
#include <vector>

namespace weft::runtime {

/// What is printed: `data` holds the elements, row-major.
struct NamedTensor {
  std::string name;
  std::vector<std::string> dims;
  std::vector<int64_t> shape;
  Element element;
  const void *data;
};

/// A line with name and sizes, then the last two dimensions as rows and columns, once for each
/// place along the others. Numbers have four decimals, or four digits and an exponent where that
/// hides them.
std::string tensorText(const NamedTensor &tensor);

} // namespace weft::runtime
#endif
