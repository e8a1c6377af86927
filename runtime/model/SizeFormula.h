// Sizes that follow from others, and the bytes that depend on them: as a program states them.
#ifndef WEFT_RUNTIME_MODEL_SIZEFORMULA_H
#define WEFT_RUNTIME_MODEL_SIZEFORMULA_H

#include <cstdint>
#include <vector>

namespace weft::runtime {

/// A whole number that a formula gives. `beyond`: there is none, for a sum or product left 64 bits,
/// or a division was not exact, or not by at least 1.
struct CheckedSize {
  int64_t value = 0;
  bool beyond = false;
};

/// A sum of products of sizes: each a coefficient and the numbers of the dimensions in it.
struct SizeTerm {
  int64_t coefficient = 0;
  std::vector<int> dims;
};
using SizeSum = std::vector<SizeTerm>;

/// `above / below`; `above` alone where `below` has no term.
struct SizeFormula {
  SizeSum above, below;

  /// `sizes` are those of all dimensions, by number.
  CheckedSize at(const int64_t *sizes) const;
  /// The dimensions that it speaks of, each once, rising.
  std::vector<int> dims() const;
};

/// Several buffers in one block, of each what it may hold at one time or another, in bytes.
using BufferSizes = std::vector<std::vector<SizeFormula>>;

/// Of each buffer the ones before it that it begins behind. Buffers for which there is no list are
/// behind all before them.
using BuffersBehind = std::vector<std::vector<int>>;

/// Where each of them begins, then where the last one ends. Each is as large as the largest that it
/// may hold, in whole lines of 64; where one is beyond every machine, so is the end.
std::vector<int64_t> startsOf(const BufferSizes &buffers, const int64_t *sizes,
                              const BuffersBehind &behind = {});

} // namespace weft::runtime
#endif
