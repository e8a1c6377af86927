// Values over named dimensions: made, walked over, compared.
#include "tools/kernel/NamedTensor.h"

#include "ir/model/Bfloat16.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace weft::trial {

Tensor::Tensor(std::vector<std::string> names, const Sizes &sizes) : dims(std::move(names)) {
  int64_t count = 1;
  for (const std::string &dim : dims) {
    shape.push_back(sizes.at(dim));
    count *= shape.back();
  }
  data.resize(count);
}

Tensor Tensor::normal(std::vector<std::string> dims, const Sizes &sizes, unsigned seed) {
  Tensor result(std::move(dims), sizes);
  std::mt19937 engine(seed);
  std::normal_distribution<float> draw;
  for (double &x : result.data)
    x = draw(engine);
  return result;
}

Tensor Tensor::whole(std::vector<std::string> dims, const Sizes &sizes, int64_t below,
                     unsigned seed) {
  Tensor result(std::move(dims), sizes);
  std::mt19937 engine(seed);
  for (double &x : result.data)
    x = double(engine() % below);
  return result;
}

Tensor Tensor::of(std::vector<std::string> dims, const Sizes &sizes,
                  const std::function<double(const Index &)> &value) {
  Tensor result(std::move(dims), sizes);
  everywhere(result.dims, sizes, [&](const Index &index) { result.at(index) = value(index); });
  return result;
}

double &Tensor::at(const Index &index) {
  int64_t place = 0;
  for (size_t i = 0; i < dims.size(); ++i)
    place = place * shape[i] + index.at(dims[i]);
  return data.at(place);
}

static void everywhereFrom(const std::vector<std::string> &dims, size_t from, const Sizes &sizes,
                           Index &index, const std::function<void(const Index &)> &body) {
  if (from == dims.size())
    return body(index);
  for (int64_t i = 0; i < sizes.at(dims[from]); ++i) {
    index[dims[from]] = i;
    everywhereFrom(dims, from + 1, sizes, index, body);
  }
}

void everywhere(const std::vector<std::string> &dims, const Sizes &sizes,
                const std::function<void(const Index &)> &body) {
  Index index;
  everywhereFrom(dims, 0, sizes, index, body);
}

Tensor beforeRounding(const Tensor &got, const Tensor &want) {
  Tensor before = got;
  if (got.data.size() != want.data.size())
    return before;
  for (auto [x, wanted] : llvm::zip_equal(before.data, want.data)) {
    auto [low, high] = model::roundedTo(x);
    if (!std::isnan(x) && !std::isnan(wanted))
      x = std::clamp(wanted, low, high);
  }
  return before;
}

Tensor within(const Tensor &got, const Tensor &want, const Tensor &bound) {
  Tensor moved = got;
  if (got.data.size() != want.data.size() || got.data.size() != bound.data.size())
    return moved;
  for (auto [x, wanted, most] : llvm::zip_equal(moved.data, want.data, bound.data))
    if (std::isfinite(x) && std::isfinite(wanted) && std::isfinite(most))
      x = std::clamp(wanted, x - most, x + most);
  return moved;
}

double largestOf(llvm::ArrayRef<Tensor> tensors) {
  double largest = 0;
  for (const Tensor &tensor : tensors)
    for (double x : tensor.data)
      if (std::isfinite(x))
        largest = std::max(largest, std::abs(x));
  return largest;
}

double difference(const Tensor &got, const Tensor &want, double others) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (got.dims != want.dims || got.shape != want.shape)
    return infinite;
  constexpr double nothing = 1e-7, share = 1e-2;
  double scale = largestOf(want), largest = 0;
  if (scale < nothing * others)
    scale = share * others;
  for (auto [a, b] : llvm::zip_equal(got.data, want.data)) {
    if (a == b || (std::isnan(a) && std::isnan(b)))
      continue;
    if (!std::isfinite(a) || !std::isfinite(b))
      return infinite;
    largest = std::max(largest, std::abs(a - b) / (std::abs(b) + scale));
  }
  return largest;
}

} // namespace weft::trial
