// What runs the kernels of `weft kernel` one by one, and what it says of each.
#ifndef WEFT_TOOLS_WEFT_KERNEL_RUNNER_H
#define WEFT_TOOLS_WEFT_KERNEL_RUNNER_H

#include "ir/kernel/DimTable.h"
#include "ir/kernel/Kernel.h"
#include "tools/kernel/NamedTensor.h"
#include "tools/weft/base/Options.h"

#include <memory>

namespace weft {

/// What may be off of results by nothing but rounding.
constexpr double tolerated = 1e-4;

/// What was asked for.
struct Wishes {
  bool time = false, check = false;
  trial::Sizes sizes; ///< of every dimension
};

class KernelRunner {
public:
  virtual ~KernelRunner() = default;
  /// "avx512, 2 threads"
  virtual std::string machine() const = 0;
  /// The heads of its columns.
  virtual std::string columns(const Wishes &wishes) const = 0;
  /// Those of a kernel that are tried one after the other; a null one is what the kernel says.
  virtual llvm::SmallVector<kernel::ScheduleAttr> schedules(kernel::FusedOp,
                                                            const kernel::DimTable &) const {
    return {kernel::ScheduleAttr()};
  }
  struct Line {
    std::string text; ///< its columns
    bool right = true;
  };
  virtual Line run(kernel::FusedOp op, kernel::ScheduleAttr schedule, const Wishes &wishes) = 0;
};

/// Null where the command line asks for what cannot be, which is said in `problem`.
std::unique_ptr<KernelRunner> cpuRunner(const Arguments &arguments, std::string &problem);
std::unique_ptr<KernelRunner> emulatedRunner(const Arguments &arguments, std::string &problem);

/// A number from 1.
std::optional<int64_t> wholeNumber(llvm::StringRef text);
/// How far a kernel is off, as a column; `right` becomes whether that may be.
std::string offBy(std::optional<double> off, bool &right);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_KERNEL_RUNNER_H
