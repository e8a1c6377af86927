// Contractions as text, with small blocks, and what they give in f64.
#ifndef WEFT_TESTS_UNIT_CODEGEN_CONTRACTIONCASE_H
#define WEFT_TESTS_UNIT_CODEGEN_CONTRACTIONCASE_H

#include "KernelHarness.h"

namespace weft::test {

/// result[dims] = sum[over](a * b)
Tensor product(const std::vector<std::string> &dims, const std::vector<std::string> &over,
               const Tensor &a, const Tensor &b, const Sizes &sizes);

/// What a schedule of small blocks has beside them: a tile for few rows, of so many of the other's
/// widths.
struct Beside {
  bool rowsFirst = false;
  int64_t fewRows = 1, fewWidths = 1;
  bool nonTemporal = false;
};

/// Schedules with small blocks: rows and columns are rounded up to whole tiles.
std::string blocks(int64_t rows, int64_t columns, int64_t k, Beside beside = {});

/// A module of run-time dimensions (names) and static ones (name and size). In the kernel,
/// `SCHEDULE` stands for `schedule`.
std::string module(const std::vector<std::string> &dims, std::string kernel,
                   const std::string &schedule = "");

/// x[m, k] * w[k, n]
std::string plain(const std::vector<std::string> &dims, const std::string &schedule);
/// Runs that on random numbers.
void checkPlain(Kernel &kernel, int64_t m, int64_t n, int64_t k);

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_CODEGEN_CONTRACTIONCASE_H
