// Shapes of foreign tensors.
#include "frontend/weights/Plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

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

using Axes = llvm::ArrayRef<std::vector<ForeignTensor::Factor>>;

/// Cuts what is left of the axes, from dimension `from` of the first on, into axes of the sizes
/// `found`; false where that cannot be.
static bool cut(Axes axes, size_t from, llvm::ArrayRef<int64_t> found,
                std::vector<std::string> &into) {
  if (axes.empty() || found.empty())
    return axes.empty() && found.empty();
  const std::vector<ForeignTensor::Factor> &axis = axes.front();
  int64_t size = 1;
  std::vector<std::string> dims;
  for (size_t to = from; to <= axis.size(); ++to) { // the first size of the file is [from, to)
    if (to > from) {
      size *= axis[to - 1].size;
      dims.push_back(axis[to - 1].dim);
    }
    if (size != found.front() || (to == from && !axis.empty()))
      continue;
    std::string names = fmt::format("{}", fmt::join(dims, ", "));
    into.push_back(dims.size() > 1 ? "(" + names + ")" : names);
    if (to == axis.size() ? cut(axes.drop_front(), 0, found.drop_front(), into)
                          : cut(axes, to, found.drop_front(), into))
      return true;
    into.pop_back();
  }
  return false;
}

std::string ForeignTensor::finerLayout(llvm::ArrayRef<int64_t> found) const {
  std::vector<std::string> cutAxes;
  return cut(axes, 0, found, cutAxes) ? fmt::format("[{}]", fmt::join(cutAxes, ", ")) : "";
}

/// Where the elements of a part lie in the parameter, said in one way: neighbours are one loop.
static std::vector<int64_t> placesOf(const ForeignPart &part) {
  std::vector<int64_t> places{part.first}; // then count and step of each loop
  for (const ForeignPart::Loop &loop : part.loops) {
    if (loop.count == 1)
      continue;
    if (places.size() > 1 && places.back() == loop.count * loop.stride) {
      places.back() = loop.stride;
      places[places.size() - 2] *= loop.count;
      continue;
    }
    places.insert(places.end(), {loop.count, loop.stride});
  }
  return places;
}

bool ForeignTensor::holdsWhat(const ForeignTensor &other) const {
  auto all = [](const ForeignTensor &tensor) {
    std::multiset<std::pair<std::string, std::vector<int64_t>>> held;
    for (const ForeignPart &part : tensor.parts)
      held.emplace(part.parameter, placesOf(part));
    return held;
  };
  return all(*this) == all(other);
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
