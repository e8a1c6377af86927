// Sizes and offsets of a plan at one size of whatever comes with the data: formulas as numbers.
#ifndef WEFT_PASSES_PLAN_SAMPLE_H
#define WEFT_PASSES_PLAN_SAMPLE_H

#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"
#include "ir/plan/Plan.h"

namespace weft::plan {

/// What promises about formulas are looked at with.
constexpr int64_t sampleSizes[] = {1, 3, 48, 720};

/// Bytes at one size of every dimension that comes with the data.
class Sample {
public:
  Sample(const model::Dims &dims, int64_t size) : dims(dims), size(size) {}

  /// Whether every division was exact, so that the numbers mean something.
  bool isExact() const { return exact; }

  int64_t at(const Size &formula);
  int64_t largest(mlir::ArrayAttr sizes);
  /// The end of what a kernel touches of a tensor that lies as `layout` says.
  int64_t reach(mlir::Attribute layout, model::NamedTensorType type);
  /// How far into its place a buffer begins, in the last pass of the loops. `buffer` becomes the
  /// place.
  int64_t offset(mlir::Value &buffer);

private:
  const model::Dims &dims;
  int64_t size;
  bool exact = true;
};

} // namespace weft::plan

#endif // WEFT_PASSES_PLAN_SAMPLE_H
