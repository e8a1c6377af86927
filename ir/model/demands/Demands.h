// What a program demands of the compiler: `@require(attention)` and `@forbid(attention)`, for each
// place that comes of the code behind one.
//
// The module lists them (`model.demands`), so that no pass of functions loses one. Which ops come
// of that code, their locations say: a location is what rewrites hand on, and what no pass
// compares.
#ifndef WEFT_IR_MODEL_DEMANDS_DEMANDS_H
#define WEFT_IR_MODEL_DEMANDS_DEMANDS_H

#include "ir/model/demands/Fusions.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace weft::model {

namespace attr {
/// Of a module: what its program demands (dictionaries, Demand). Ops name them by their numbers.
inline constexpr llvm::StringLiteral demands = "model.demands";
} // namespace attr

/// Why what is demanded was not done somewhere.
struct Refused {
  std::string why;
  mlir::Location at;
};

struct Demand {
  bool required; ///< or forbidden
  const Fusion *fusion;
  std::string function; ///< the function that it was built into
  mlir::Location at;    ///< the annotation; of one in the library, the call
  bool met = false;     ///< looked at: required and done; or forbidden and left alone
  std::vector<Refused> refused = {};

  /// `@require(attention)`.
  std::string text() const;
};

/// In the order of their numbers.
std::vector<Demand> demandsOf(mlir::ModuleOp module);
void setDemands(mlir::ModuleOp module, llvm::ArrayRef<Demand> demands);
/// Adds one; its number.
int64_t addDemand(mlir::ModuleOp module, const Demand &demand);
/// Whether `value` is such a list; if not, `problem` says what is wrong.
bool areDemands(mlir::Attribute value, std::string &problem);

/// The numbers of what is demanded of code from there, each once.
llvm::SmallVector<int64_t> demandsAt(mlir::Location at);
/// A place in code of which these are demanded.
mlir::Location withDemands(mlir::Location at, llvm::ArrayRef<int64_t> numbers);
/// The same place, of code of which nothing is demanded: what is derived of it is none of its
/// fusions.
mlir::Location withoutDemands(mlir::Location at);
/// `at` of an op that is also what `other` was: what was demanded of either is demanded of it.
mlir::Location heldTo(mlir::Location at, mlir::Location other);

/// What forbids to make this fusion of `ops`, which is noted as heeded; nothing if it may be made.
std::optional<Demand> forbidding(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef fusion);
/// Notes that this fusion is not made of `ops`, for those of whom it is required.
void noteRefusal(llvm::ArrayRef<mlir::Operation *> ops, llvm::StringRef fusion,
                 const std::string &why);

} // namespace weft::model

#endif // WEFT_IR_MODEL_DEMANDS_DEMANDS_H
