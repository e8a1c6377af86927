// The kernels that tuning is about: each distinct one once, with how often a run launches it.
#ifndef WEFT_TOOLS_TUNE_SUBJECTS_H
#define WEFT_TOOLS_TUNE_SUBJECTS_H

#include "ir/cpu/tuning/KernelKey.h"
#include "tools/kernel/NamedTensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <functional>
#include <numeric>

namespace weft::tune {

/// Sizes of every dimension, for each `--size`.
using Points = std::vector<trial::Sizes>;

struct Subject {
  kernel::FusedOp op; ///< the first of them
  cpu::KernelKey key;
  Points points; ///< where it is launched, in the names of `op`
  std::vector<double>
      launches; ///< at each, in a run of all entries at all sizes that are asked for

  double allLaunches() const { return std::accumulate(launches.begin(), launches.end(), 0.0); }
};

/// All of the functions that `wants` names, by key. Kernels that are the same may have other sizes,
/// as those of an entry that reads one token and of one that reads many: both count. What packs
/// parameters once for many runs, in entries that do not train, is left out: nobody waits for it.
std::vector<Subject> subjectsOf(mlir::ModuleOp module,
                                const std::function<bool(mlir::func::FuncOp)> &wants,
                                const Points &points);

/// "contraction "attn.q, attn.k"": its family and label, on one line.
std::string nameOf(kernel::FusedOp op);

} // namespace weft::tune

#endif // WEFT_TOOLS_TUNE_SUBJECTS_H
