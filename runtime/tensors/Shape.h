// Shapes of tensors as lists of sizes, and how people read them.
#ifndef WEFT_RUNTIME_TENSORS_SHAPE_H
#define WEFT_RUNTIME_TENSORS_SHAPE_H

#include <cstdint>
#include <string>
#include <vector>

namespace weft::runtime {

/// How many elements there are: the product, 1 for a scalar. It must be in range.
int64_t countOf(const std::vector<int64_t> &shape);

/// "[2, 3]"; "[]" for a scalar.
std::string shapeText(const std::vector<int64_t> &shape);

/// Where element `number` of a row-major tensor lies: "[1, 2]".
std::string positionText(const std::vector<int64_t> &shape, int64_t number);

} // namespace weft::runtime
#endif
