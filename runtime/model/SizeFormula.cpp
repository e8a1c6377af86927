// Evaluating polynomials of sizes.
#include "runtime/model/SizeFormula.h"

#include <algorithm>

using namespace weft::runtime;

static CheckedSize sumAt(const SizeSum &sum, const int64_t *sizes) {
  CheckedSize result;
  for (const SizeTerm &term : sum) {
    int64_t product = term.coefficient;
    for (int dim : term.dims)
      result.beyond |= __builtin_mul_overflow(product, sizes[dim], &product);
    result.beyond |= __builtin_add_overflow(result.value, product, &result.value);
  }
  return result;
}

CheckedSize SizeFormula::at(const int64_t *sizes) const {
  CheckedSize result = sumAt(above, sizes);
  if (below.empty())
    return result;
  CheckedSize divisor = sumAt(below, sizes);
  if (result.beyond || divisor.beyond || divisor.value < 1 || result.value % divisor.value != 0)
    return {0, true};
  return {result.value / divisor.value, false};
}

std::vector<int> SizeFormula::dims() const {
  std::vector<int> all;
  for (const SizeSum *sum : {&above, &below})
    for (const SizeTerm &term : *sum)
      all.insert(all.end(), term.dims.begin(), term.dims.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

int64_t weft::runtime::totalBytes(const BufferSizes &buffers, const int64_t *sizes) {
  constexpr int64_t most = int64_t{1} << 56, line = 64; // of one buffer: no machine has as much
  int64_t total = 0;
  for (const std::vector<SizeFormula> &buffer : buffers) {
    int64_t bytes = 0;
    for (const SizeFormula &held : buffer) {
      CheckedSize size = held.at(sizes);
      if (size.beyond || size.value > most)
        return most;
      bytes = std::max(bytes, size.value);
    }
    total = std::min(most, total + (bytes + line - 1) / line * line);
  }
  return total;
}
