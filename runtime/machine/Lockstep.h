// Several runs of one entry, launch by launch and task by task: what one of them has loaded, the
// others find in the cache.
#ifndef WEFT_RUNTIME_MACHINE_LOCKSTEP_H
#define WEFT_RUNTIME_MACHINE_LOCKSTEP_H

#include "runtime/machine/JoinedRows.h"

#include <cstddef>
#include <span>

namespace weft::runtime {

/// Keeps what runs ask for in place of doing it, then does it: launch i of all runs before launch
/// i + 1 of any. Rows that a kernel computes to the same bits beside others are one launch
/// (JoinedRows); of other launches task j of all runs, in their order, comes before task j + 1, by
/// the code and at the sizes that each run has alone. So each gives the bits that it has alone.
///
/// A run may read what an earlier one writes: in another launch, for tasks of one are independent.
class Lockstep {
public:
  /// `kernels`: all that may be launched. `sizes`: how many a call has. `common`: memory that
  /// several runs write parts of.
  Lockstep(const WeftNamedKernel *kernels, size_t sizes, std::vector<std::span<const char>> common);

  /// The launches that come next are of this run; the call stays until play().
  void begin(const WeftCall &call);
  /// Called by the functions of Abi.h, through code that nothing may be thrown through.
  void launch(WeftKernel kernel, void *const *buffers, int64_t tasks) noexcept;
  void copy(void *to, const void *from, int64_t bytes) noexcept;
  /// Random numbers are drawn by runs alone.
  void refuse() noexcept { refused = true; }

  /// Whether the runs can go in lockstep: all have asked for the same launches, and for nothing
  /// that would have to be done before the next one asks.
  bool fits() const;
  /// Does all of it.
  void play(Pool &pool);

private:
  struct Step {
    const WeftNamedKernel *kernel; // nullptr: a copy
    int64_t amount;                // tasks, or bytes
    size_t first;                  // of the buffers; a copy's are to and from
  };
  struct Run {
    const WeftCall *call;
    std::vector<Step> steps;
    std::vector<void *> buffers;
  };
  void add(const WeftNamedKernel *kernel, int64_t amount, void *const *buffers, size_t count);
  /// What is known of a kernel, or null.
  const WeftNamedKernel *find(WeftKernel kernel) const;
  bool isCommon(const void *place, int64_t bytes) const;

  const WeftNamedKernel *kernels;
  std::vector<std::span<const char>> common;
  std::vector<Run> runs;
  JoinedRows joined;
  bool refused = false;
};

} // namespace weft::runtime
#endif
