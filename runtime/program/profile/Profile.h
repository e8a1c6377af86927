// Where the time of a run goes, by kernel.
#ifndef WEFT_RUNTIME_PROGRAM_PROFILE_PROFILE_H
#define WEFT_RUNTIME_PROGRAM_PROFILE_PROFILE_H

#include "runtime/device/KernelTimes.h"
#include "runtime/machine/LaunchTimes.h"
#include "runtime/machine/Peaks.h"
#include "runtime/model/Model.h"
#include "runtime/program/profile/Scaling.h"

#include <optional>

namespace weft::runtime {

/// All launches of one kernel, per run.
struct KernelProfile {
  std::string name, family;    // of the plan: `layer.attn.q`, `contraction`
  std::string lines;           // of the source: "8, 9"
  std::optional<int64_t> dots; // as in KernelFacts
  double launches = 0;
  double seconds = 0; // from a launch to its end
  double busy = 0;    // what threads computed meanwhile, added up
  /// What it has to do at least. Not `known` of copies, and of what the program does not say.
  bool known = false;
  double flops = 0;
  double bytes = 0;      // of operands and results, each once
  bool isMasked = false; // `flops` counts what a mask hides too
  bool multipliesPairs = false;

  double flopsPerSecond() const { return seconds > 0 ? flops / seconds : 0; }
  double bytesPerSecond() const { return seconds > 0 ? bytes / seconds : 0; }
};

struct Profile {
  std::string subject, place; // "train"; "avx512, 2 threads"
  int64_t runs = 0;
  int threads = 1;                    // that were noted; 0: none, on a device
  double seconds = 0;                 // the mean of the runs
  std::vector<KernelProfile> kernels; // those that take longest come first
  std::optional<Peaks> peaks;         // of this machine
  std::optional<Scaling> scaling;     // where it was asked for

  /// Of all kernels.
  double launched() const;
  /// What the instructions that a kernel multiplies by do at most; there are `peaks`.
  double peakOf(const KernelProfile &kernel) const {
    return kernel.multipliesPairs && peaks->pairFlops > 0 ? peaks->pairFlops : peaks->flops;
  }
};

/// What was noted in so many runs.
std::vector<KernelProfile> kernelsOf(const LaunchTimes &times, const Model &model, int64_t runs);
/// The same of a device, which says nothing of threads, nor of what a kernel has to do.
std::vector<KernelProfile> kernelsOf(const KernelTimes &times, const Model &model, int64_t runs);

/// What was launched: a kernel, "" of one that nobody knows, or what the runtime does itself.
std::string nameOf(const LaunchTimes::Launch &launch, const Model &model);

} // namespace weft::runtime
#endif
