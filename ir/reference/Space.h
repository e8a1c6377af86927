// Walks over the positions of named dimensions, for tensors that each have some of them.
#ifndef WEFT_IR_REFERENCE_SPACE_H
#define WEFT_IR_REFERENCE_SPACE_H

#include "ir/model/Model.h"
#include "ir/reference/Array.h"

#include <array>

namespace weft::reference {

using model::DimAttr, model::DimList;
using Strides = llvm::SmallVector<int64_t>;

/// The size of every dimension of a run.
class Sizes {
public:
  void set(DimAttr dim, int64_t size) { sizes[dim] = size; }
  int64_t operator[](DimAttr dim) const { return sizes.at(dim); }
  llvm::SmallVector<int64_t> operator[](llvm::ArrayRef<DimAttr> dims) const {
    return llvm::map_to_vector(dims, [&](DimAttr dim) { return sizes.at(dim); });
  }
  int64_t count(llvm::ArrayRef<DimAttr> dims) const { return countOf((*this)[dims]); }
  std::optional<int64_t> find(llvm::StringRef name) const {
    for (const auto &[dim, size] : sizes)
      if (dim.getValue() == name)
        return size;
    return std::nullopt;
  }

  /// The strides, in elements, of a dense row-major tensor over `dims` along each dimension of
  /// `space`; 0 along those that it lacks.
  Strides strides(llvm::ArrayRef<DimAttr> dims, llvm::ArrayRef<DimAttr> space) const {
    Strides result(space.size(), 0);
    int64_t stride = 1;
    for (DimAttr dim : llvm::reverse(dims)) {
      if (const DimAttr *at = llvm::find(space, dim); at != space.end())
        result[at - space.begin()] = stride;
      stride *= sizes.at(dim);
    }
    return result;
  }

private:
  llvm::DenseMap<DimAttr, int64_t> sizes;
};

/// Calls `body` with one offset per stride list for every position of a box, in row-major order.
/// Offsets wrap.
template <size_t n, typename Body>
void walk(llvm::ArrayRef<int64_t> sizes, const std::array<Strides, n> &strides, Body body) {
  if (llvm::is_contained(sizes, 0))
    return;
  std::array<uint64_t, n> offsets{};
  llvm::SmallVector<int64_t> position(sizes.size(), 0);
  while (true) {
    body(offsets);
    size_t axis = sizes.size();
    while (axis-- > 0) {
      for (size_t i = 0; i < n; ++i)
        offsets[i] += uint64_t(strides[i][axis]);
      if (++position[axis] < sizes[axis])
        break;
      for (size_t i = 0; i < n; ++i)
        offsets[i] -= uint64_t(strides[i][axis]) * uint64_t(sizes[axis]);
      position[axis] = 0;
    }
    if (axis == size_t(-1))
      return;
  }
}

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_SPACE_H
