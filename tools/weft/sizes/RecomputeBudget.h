// --recompute-budget, or `recompute` of a config: how much of the forward pass is kept for
// gradients, so that a step's intermediate values fit so many bytes.
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
  std::string said; ///< what asks for it, for messages
  int64_t bytes = 0;
  std::map<std::string, int64_t> sizes; ///< of what comes with the data
};

/// Reads `2GiB,batch=4,seq=256` into `budget`, or gives what is wrong with it.
std::optional<std::string> readBudget(const std::string &text, RecomputeBudget &budget);

/// One way to save memory: at which price what is kept is computed again (passes/model/Keep.h),
/// and whether logits are computed in chunks (passes/model/chunks/Chunks.h).
struct RecomputeWay {
  double price = -1;
  bool chunks = false;
};

/// What a program's gradients take in one of these ways.
struct RecomputeLevel {
  RecomputeWay way;
  std::string where;     ///< at which sizes: " where batch = 64"
  int64_t bytes = 0;     ///< of the largest arena
  double operations = 0; ///< of one run of all of them; 0 where nothing was chosen
};
/// Of a plan's entries of kind `gradient`. Nothing, and a diagnostic, where there is none, or a
/// size is not known.
std::optional<RecomputeLevel> levelOf(mlir::ModuleOp plan, const RecomputeBudget &budget,
                                      RecomputeWay way);

/// The first way in which the gradients fit: from the highest price on, and at each one with whole
/// logits before chunks of them. `first` is that without a budget and `chosen` the one found; or
/// why there is none. `lower` gives the plan of a way, and null where it fails, or is that of a way
/// before.
std::optional<std::string>
chooseLevel(const RecomputeBudget &budget,
            const std::function<mlir::OwningOpRef<mlir::ModuleOp>(RecomputeWay way)> &lower,
            RecomputeLevel &first, RecomputeLevel &chosen);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_SIZES_RECOMPUTEBUDGET_H
