// Finds the size of every dimension of a run from the tensors that come in.
#ifndef WEFT_IR_REFERENCE_BINDSIZES_H
#define WEFT_IR_REFERENCE_BINDSIZES_H

#include "ir/model/obligations/Obligations.h"
#include "ir/reference/Interpreter.h"

namespace weft::reference {

/// A tensor from outside, as errors call it: "input `tokens`".
struct Incoming {
  std::string name;
  model::NamedTensorType type;
  const Array *array;
  /// The dimension that the elements are positions of, or null.
  DimAttr indexed;
};

using Report = std::function<mlir::InFlightDiagnostic()>;

class BindSizes {
public:
  BindSizes(mlir::ModuleOp module, Report report) : dims(module), report(std::move(report)) {}

  /// Checks the tensor's elements and number of dimensions, and binds the sizes that come with the
  /// data.
  llvm::LogicalResult add(const Incoming &tensor);
  /// Binds a size that the caller gives.
  llvm::LogicalResult give(llvm::StringRef name, int64_t size);
  /// Computes the sizes that follow from those, then checks what is `asked` and every tensor added.
  /// Dimensions without a size stay unknown.
  llvm::FailureOr<Sizes> finish(llvm::ArrayRef<model::RequireAttr> asked = {},
                                llvm::StringRef entry = {});

private:
  struct Known {
    int64_t size;
    std::string source;
  };

  llvm::LogicalResult take(DimAttr dim, int64_t size, const std::string &source);
  llvm::LogicalResult isSize(llvm::StringRef dim, int64_t size, const std::string &source);
  std::optional<int64_t> valueOf(const Size &size) const;
  llvm::LogicalResult refuse(llvm::StringRef entry, const std::string &text,
                             model::RequireAttr what);
  llvm::LogicalResult knowsIndexed(const Incoming &tensor);
  llvm::LogicalResult check(const Incoming &tensor, const Sizes &sizes);

  model::Dims dims;
  Report report;
  llvm::StringMap<Known> known;
  std::vector<Incoming> tensors;
};

} // namespace weft::reference

#endif // WEFT_IR_REFERENCE_BINDSIZES_H
