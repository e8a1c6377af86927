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

std::vector<int64_t> weft::runtime::startsOf(const BufferSizes &buffers, const int64_t *sizes,
                                             const BuffersBehind &behind) {
  constexpr int64_t most = int64_t{1} << 56, line = 64; // of all buffers: no machine has as much
  std::vector<int64_t> starts, ends;
  int64_t end = 0;
  for (const std::vector<SizeFormula> &buffer : buffers) {
    int64_t bytes = 0, start = end;
    for (const SizeFormula &held : buffer) {
      CheckedSize size = held.at(sizes);
      bytes = std::max(bytes, size.beyond ? most : std::min(most, size.value));
    }
    if (starts.size() < behind.size()) {
      start = 0;
      for (int below : behind[starts.size()])
        start = std::max(start, ends[static_cast<size_t>(below)]);
    }
    starts.push_back(start);
    ends.push_back(std::min(most, start + (bytes + line - 1) / line * line));
    end = std::max(end, ends.back());
  }
  starts.push_back(end);
  return starts;
}
