// One kernel on trial: how long it takes with a schedule on the real pool, and how far it is from
// the interpreter. What tunes schedules asks here.
//
//   KernelTrial trial(op, cpu::Isa::avx512, schedule);   // compiled in this process
//   if (!trial.problem()) {
//     Times times = trial.time(sizes, *pool);             // seconds a run
//     double off = *trial.check(sizes, *pool);            // relative to the results
//   }
#ifndef WEFT_TOOLS_KERNEL_TRIAL_H
#define WEFT_TOOLS_KERNEL_TRIAL_H

#include "runtime/machine/Pool.h"
#include "tools/kernel/CompiledKernel.h"
#include "tools/kernel/PlainMemory.h"

#include <atomic>

namespace weft::trial {

/// Seconds of one run; `lower` and `upper` are the quartiles.
struct Times {
  double median = 0, lower = 0, upper = 0;
  int64_t runs = 0;
};

struct TimeOptions {
  int64_t rounds = 15;
  /// The same buffers in every run. Else they change, as in a program that touches much between two
  /// runs of a kernel, and none is in a cache.
  bool warm = false;
};

/// What a kernel should give, however it is cut: what it is fed with, and what the float64
/// interpreter makes of it.
struct Expected {
  struct Case {
    std::vector<Tensor> inputs, results;
    std::optional<std::vector<Tensor>> bounds;
  };
  Sizes sizes; ///< of every dimension
  std::vector<Case> cases;
};

/// Nothing if the interpreter refuses.
std::optional<Expected> expect(kernel::FusedOp op, const Sizes &sizes);

class KernelTrial {
public:
  /// A copy of `op`, with its layouts, for an instruction set. Without a schedule it is what the
  /// kernel says, else the default.
  KernelTrial(kernel::FusedOp op, cpu::Isa isa, kernel::ScheduleAttr schedule = {});

  /// Why there is no code: the kernel or the schedule was refused. Nothing else may be asked then.
  const std::optional<std::string> &problem() const { return compiled.problem(); }
  /// Independent tasks of a run (of the first launch, if there are two), and bytes of scratch a
  /// thread.
  int64_t tasks(const Sizes &sizes) const { return compiled.tasks(sizes); }
  int64_t scratchBytes(const Sizes &sizes) const { return compiled.scratchBytes(sizes); }
  /// Bytes of operands and results.
  int64_t bytes(const Sizes &sizes);

  /// Runs it `rounds` times, after one run that is not counted for each set of buffers. The machine
  /// must run the instruction set. `sizes` has every dimension (`sizesOf`).
  Times time(const Sizes &sizes, WeftPool &pool, TimeOptions options = {});

  /// The largest `difference` of a result from what the float64 interpreter gives. Nothing if the
  /// interpreter refuses; infinite where something outside of the results was written, or the
  /// tiles of AMX were left configured.
  std::optional<double> check(const Sizes &sizes, WeftPool &pool);
  /// The same of what is known already.
  double check(const Expected &expected, WeftPool &pool);

  /// What the threads need beside the buffers: scratch for each, and what two launches share.
  struct Work {
    std::vector<char> scratch, shared;
    std::atomic<bool> leftTiles = false; ///< of AMX, where they are emulated: configured
    Work(const CompiledKernel &kernel, const Sizes &sizes, WeftPool &pool);
  };
  /// Runs one by one, on buffers that others may run on in between.
  class Runs {
  public:
    Runs(KernelTrial &trial, const Sizes &sizes, WeftPool &pool)
        : trial(trial), numbers(trial.compiled.numbered(sizes)), pool(pool),
          work(trial.compiled, sizes, pool) {}
    /// Seconds.
    double run(void *const *buffers);

  private:
    KernelTrial &trial;
    std::vector<int64_t> numbers;
    WeftPool &pool;
    Work work;
  };

private:
  void run(const std::vector<int64_t> &sizes, void *const *buffers, WeftPool &pool, Work &work);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  CompiledKernel compiled;
};

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_TRIAL_H
