// The names of parameters in files: one tensor per pass of the repeats that a parameter lies in.
#ifndef WEFT_RUNTIME_MODEL_SLICES_H
#define WEFT_RUNTIME_MODEL_SLICES_H

#include "runtime/model/Facts.h"

namespace weft::runtime {

/// A part of a parameter under its name in files: `layer.2.attn.q.weight` of the stacked
/// `layer.attn.q.weight`.
struct Slice {
  std::string name;
  int64_t offset, count; // in elements of the stacked tensor
};

/// All slices in the order of memory; one, under the parameter's own name, where nothing repeats.
/// The number of a pass follows the first part of the path that is named like its dimension.
std::vector<Slice> slicesOf(const Facts &facts, const Parameter &parameter);

/// The shape of the whole, stacked parameter, and of one slice of it.
std::vector<int64_t> stackedShape(const Facts &facts, const Parameter &parameter);
std::vector<int64_t> sliceShape(const Facts &facts, const Parameter &parameter);
int64_t elementCount(const Facts &facts, const Parameter &parameter);

} // namespace weft::runtime
#endif
