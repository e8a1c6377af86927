// Sizes and offsets of a plan at one size of whatever comes with the data: formulas as numbers.
#ifndef WEFT_PASSES_PLAN_SAMPLE_H
#define WEFT_PASSES_PLAN_SAMPLE_H

#include "ir/kernel/Kernel.h"
#include "ir/model/Dims.h"
#include "ir/plan/Plan.h"

#include <map>

namespace weft::plan {

/// The sizes at which promises about formulas are checked.
constexpr int64_t sampleSizes[] = {1, 3, 48, 720};

/// Bytes at one size of every dimension that comes with the data, or at others close to it where a
/// dimension that follows from them (`seq - 3`) would have no position: no run has such sizes.
class Sample {
public:
  Sample(const model::Dims &dims, int64_t size);

  /// Whether every dimension has a position and every division was exact, so that the numbers mean
  /// something.
  bool isExact() const { return exact; }
  /// `every size that comes with the data is 3, but b = 4`
  std::string str() const;

  /// Whether a run of the entry may have these sizes.
  bool suits(EntryOp entry) const;

  int64_t at(const Size &formula);
  int64_t largest(mlir::ArrayAttr sizes);
  /// The bytes that a kernel accesses of a tensor in `layout`, from its address on.
  int64_t reach(mlir::Attribute layout, model::NamedTensorType type);
  /// The bytes from what a buffer lies in (baseOf) to the buffer, in the last pass of the loops.
  int64_t offset(mlir::Value buffer);

private:
  /// How many dimensions have no position.
  unsigned empty() const;
  std::optional<int64_t> value(const Size &formula) const;

  const model::Dims &dims;
  int64_t size;
  std::map<std::string, int64_t> others; // of dimensions whose size is not `size`
  bool exact = true;
};

} // namespace weft::plan

#endif // WEFT_PASSES_PLAN_SAMPLE_H
