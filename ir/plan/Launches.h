// What an entry has a device launch: one kernel, or several that are one launch.
#ifndef WEFT_IR_PLAN_LAUNCHES_H
#define WEFT_IR_PLAN_LAUNCHES_H

#include "ir/plan/Plan.h"

namespace weft::plan {

/// Several if they have the same number `together`, else one.
using Launch = llvm::SmallVector<LaunchOp, 1>;

/// All launches of an entry, those of `prepare` first, in their order.
llvm::SmallVector<Launch> launchesOf(EntryOp entry);

/// The launches of one kernel within a Launch of several, by their places in it.
struct LaunchPart {
  llvm::StringRef kernel;
  llvm::SmallVector<unsigned> launches;
};
/// By the names of the kernels: what launches the same kernels equally often has the same parts.
llvm::SmallVector<LaunchPart> partsOf(llvm::ArrayRef<LaunchOp> together);

} // namespace weft::plan

#endif // WEFT_IR_PLAN_LAUNCHES_H
