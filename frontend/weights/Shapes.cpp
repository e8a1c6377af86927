// Shapes of foreign tensors.
#include "frontend/weights/Plan.h"

#include <fmt/format.h>

namespace weft {

int64_t ForeignPart::count() const {
  int64_t count = 1;
  for (const Loop &loop : loops)
    count *= loop.count;
  return count;
}

std::vector<int64_t> ForeignTensor::shape() const {
  std::vector<int64_t> result;
  for (const std::vector<Factor> &axis : axes) {
    result.push_back(1);
    for (const Factor &factor : axis)
      result.back() *= factor.size;
  }
  return result;
}

/// Whether `found` are the sizes of what is left of the axes: from dimension `from` of the first
/// on.
static bool fitsFrom(llvm::ArrayRef<std::vector<ForeignTensor::Factor>> axes, size_t from,
                     llvm::ArrayRef<int64_t> found) {
  if (axes.empty() || found.empty())
    return axes.empty() && found.empty();
  const std::vector<ForeignTensor::Factor> &axis = axes.front();
  int64_t size = 1;
  for (size_t to = from; to <= axis.size(); ++to) { // the first size of the file is [from, to)
    if (to > from)
      size *= axis[to - 1].size;
    if (size != found.front() || (to == from && !axis.empty()))
      continue;
    if (to == axis.size() ? fitsFrom(axes.drop_front(), 0, found.drop_front())
                          : fitsFrom(axes, to, found.drop_front()))
      return true;
  }
  return false;
}

bool ForeignTensor::fits(llvm::ArrayRef<int64_t> found) const {
  return fitsFrom(axes, 0, found);
}

std::string ForeignTensor::layout() const {
  std::string text;
  for (const std::vector<Factor> &axis : axes) {
    std::string dims;
    for (const Factor &factor : axis)
      dims += fmt::format("{}{} = {}", dims.empty() ? "" : ", ", factor.dim, factor.size);
    if (axis.size() > 1)
      dims = "(" + dims + ")";
    text += (text.empty() ? "" : ", ") + (dims.empty() ? "1" : dims);
  }
  return "[" + text + "]";
}

} // namespace weft
