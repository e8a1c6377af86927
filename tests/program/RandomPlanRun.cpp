// What a random plan is run on: numbers and sizes by its seed.
#include "RandomPlan.h"

#include <algorithm>

namespace weft::test {

std::vector<std::string> RandomPlan::split(const std::string &dims) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < dims.size();) {
    size_t end = std::min(dims.find(", ", begin), dims.size());
    parts.push_back(dims.substr(begin, end - begin));
    begin = end + 2;
  }
  return parts;
}

reference::Array RandomPlan::numbers(const std::string &dims, uint64_t number, double scale) const {
  reference::Array array;
  for (const std::string &dim : split(dims))
    array.shape.push_back(size(dim));
  std::mt19937_64 numbers(seed * 1000 + number);
  reference::Floats floats(reference::countOf(array.shape));
  for (double &x : floats)
    x = float(scale * (double(numbers() >> 11) * 0x1p-52 - 1));
  array.data = std::move(floats);
  return array;
}

reference::NamedArrays RandomPlan::inputs() const {
  reference::NamedArrays all;
  for (const Tensor &argument : arguments)
    all[argument.name] = numbers(argument.dims, all.size(), 1);
  return all;
}

reference::NamedArrays RandomPlan::parameters() const {
  reference::NamedArrays all;
  for (const Tensor &storage : storages)
    all[storage.name] = numbers(storage.dims, 100 + all.size(), 0.5);
  return all;
}

llvm::StringMap<int64_t> RandomPlan::sizes() const {
  return {{"known", size("known")}};
}

} // namespace weft::test
