// --recompute-budget: how much of the forward pass is kept for gradients, so that a step's
// intermediate values fit so many bytes.
#ifndef WEFT_TOOLS_WEFT_SIZES_RECOMPUTEBUDGET_H
#define WEFT_TOOLS_WEFT_SIZES_RECOMPUTEBUDGET_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace weft {

struct RecomputeBudget {
  int64_t bytes = 0;
  std::map<std::string, int64_t> sizes; ///< of what comes with the data
};

/// Reads `2GiB,batch=4,seq=256` into `budget`, or gives what is wrong with it.
std::optional<std::string> readBudget(const std::string &text, RecomputeBudget &budget);

/// What a program's gradients take at one price (passes/model/Keep.h).
struct RecomputeLevel {
  double price = -1;
  int64_t bytes = 0;     ///< of the largest arena
  double operations = 0; ///< of one run of all of them
};
/// Of a plan's entries of kind `gradient`. Nothing, and a diagnostic, where there is none, or a
/// size is not known.
std::optional<RecomputeLevel> levelOf(mlir::ModuleOp plan, const RecomputeBudget &budget,
                                      double price);

/// The highest price at which the gradients fit, `first` is that without a budget and `chosen`
/// the one found; or why there is none. `lower` gives the plan at a price, and null where it fails,
/// or nothing is kept or computed otherwise than at the price before.
std::optional<std::string>
chooseLevel(const RecomputeBudget &budget,
            const std::function<mlir::OwningOpRef<mlir::ModuleOp>(double price)> &lower,
            RecomputeLevel &first, RecomputeLevel &chosen);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SIZES_RECOMPUTEBUDGET_H
