// What is known of scalars when a program is built: numbers, and sizes of dimensions.
#ifndef WEFT_PASSES_MODEL_SCALARS_H
#define WEFT_PASSES_MODEL_SCALARS_H

#include "ir/model/Dims.h"

namespace weft {

/// The number that `scalar` is in every run: constants, static sizes and arithmetic on them.
std::optional<double> constantOf(mlir::Value scalar, const model::Dims &dims);

/// The size that `scalar` is: a number, `size(d)`, sums, differences and products of such.
std::optional<Size> sizeOf(mlir::Value scalar, const model::Dims &dims);

} // namespace weft

#endif // WEFT_PASSES_MODEL_SCALARS_H
