// Which weights a program keeps as whole numbers: what `--weights-as` and `model.weights` of a
// module say.
#ifndef WEFT_IR_MODEL_WEIGHTS_WEIGHTSAS_H
#define WEFT_IR_MODEL_WEIGHTS_WEIGHTSAS_H

#include "ir/model/weights/WeightGroups.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <vector>

namespace weft::model {

namespace attr {
/// Of a module: which weights of products are stored as whole numbers (a string, WeightsAs).
inline constexpr llvm::StringLiteral weights = "model.weights";
} // namespace attr

/// `int8,head=int8,layer.attn=int4`: for all weights but the head's, and, behind a path, for some.
/// A path is any run of whole names in a parameter's; of those that hold a parameter the first
/// counts. `head` is no path: the weights of products that no other product hangs on, whatever they
/// are called.
struct WeightsAs {
  struct Rule {
    std::string path; ///< empty: all but the head's
    KeptAs format;
  };
  std::vector<Rule> rules;

  /// Whether it asks for anything but float32.
  bool rounds() const;
  /// The rule for a parameter; null if none is, and it stays as it is.
  const Rule *ruleFor(llvm::StringRef parameter, bool isHead) const;
};
/// The path that stands for the last products.
inline constexpr llvm::StringLiteral headPart = "head";

/// What `text` says, or nothing and what is wrong with it.
std::optional<WeightsAs> readWeightsAs(llvm::StringRef text, std::string &problem);
/// Whether `path` is a run of whole names in `parameter`.
bool isPartOf(llvm::StringRef path, llvm::StringRef parameter);

/// What the module says, which the dialect has verified; nothing if it does not.
std::optional<WeightsAs> weightsAsOf(mlir::ModuleOp module);

} // namespace weft::model

#endif // WEFT_IR_MODEL_WEIGHTS_WEIGHTSAS_H
