// Values over named dimensions: what kernels on trial are fed with, and what they are compared to.
#ifndef WEFT_TOOLS_KERNEL_NAMEDTENSOR_H
#define WEFT_TOOLS_KERNEL_NAMEDTENSOR_H

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace weft::trial {

using Sizes = std::map<std::string, int64_t>;
/// A position along every dimension.
using Index = std::map<std::string, int64_t>;

/// Values over named dimensions, row-major; whole numbers and switches are exact in double.
struct Tensor {
  std::vector<std::string> dims;
  std::vector<int64_t> shape;
  std::vector<double> data;

  /// All zero.
  Tensor(std::vector<std::string> dims, const Sizes &sizes);
  /// Normally distributed; the same for the same seed.
  static Tensor normal(std::vector<std::string> dims, const Sizes &sizes, unsigned seed);
  /// Whole numbers from 0 to below - 1.
  static Tensor whole(std::vector<std::string> dims, const Sizes &sizes, int64_t below,
                      unsigned seed);
  /// By a function of the position.
  static Tensor of(std::vector<std::string> dims, const Sizes &sizes,
                   const std::function<double(const Index &)> &value);

  /// The element at `index`, which may name further dimensions.
  double &at(const Index &index);
  double at(const Index &index) const { return const_cast<Tensor *>(this)->at(index); }
};

/// Calls `body` at every position of `dims`, the last one innermost.
void everywhere(const std::vector<std::string> &dims, const Sizes &sizes,
                const std::function<void(const Index &)> &body);

/// What elements of `got`, which are rounded to bfloat16, may have been before: of the numbers that
/// are rounded to each the one nearest to what is wanted.
Tensor beforeRounding(const Tensor &got, const Tensor &want);

/// `want` where an element of `got` is off by at most its `bound`, else moved towards it by that.
Tensor within(const Tensor &got, const Tensor &want, const Tensor &bound);

/// The largest |got - want| of an element, divided by |want| plus the largest finite |want| of all;
/// infinite where only one of them is NaN or infinite, or where the dimensions differ. Where all of
/// a result cancels to nothing, as the gradient of a query that has one key, a hundredth of
/// `others` is what it is off by: the largest of the kernel's results.
double difference(const Tensor &got, const Tensor &want, double others = 0);
/// The largest finite magnitude of all.
double largestOf(llvm::ArrayRef<Tensor> tensors);

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_NAMEDTENSOR_H
