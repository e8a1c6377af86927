// What the tasks of a run would take on more cores than there are here.
#ifndef WEFT_RUNTIME_PROGRAM_PROFILE_SCALING_H
#define WEFT_RUNTIME_PROGRAM_PROFILE_SCALING_H

#include "runtime/base/Json.h"
#include "runtime/machine/LaunchTimes.h"
#include "runtime/model/Model.h"

namespace weft::runtime {

/// The seconds of each task of a launch, run alone.
struct LaunchCosts {
  std::string name;
  std::vector<double> tasks;
};

/// Of the launches that were noted, by tasks.
std::vector<LaunchCosts> costsOf(const LaunchTimes &times, const Model &model);
/// The lesser of both for each task: what else a machine does only adds. Launches that are not the
/// same, of one run and another, are those of `run`.
void keepLeast(std::vector<LaunchCosts> &kept, const std::vector<LaunchCosts> &run);

/// All launches of a kernel in one run.
struct KernelScaling {
  std::string name;
  int64_t launches = 0, tasks = 0;
  double seconds = 0;          // of all tasks, one after the other
  std::vector<double> onCores; // until the last thread ends, added up over launches
};

struct Scaling {
  std::vector<int64_t> cores;
  double between = 0; // seconds of a run in which no kernel runs, on any number of cores
  std::vector<KernelScaling> kernels; // those that take longest on the most cores come first

  /// Of a run: all launches one after the other, and what is between them.
  double seconds() const;
  double secondsOn(size_t which) const;
};

Scaling scalingOf(const std::vector<LaunchCosts> &launches, std::vector<int64_t> cores,
                  double between);

/// "32,128": whole numbers, each of them once.
Result<std::vector<int64_t>> readCores(const std::string &given);

/// A table behind that of a profile.
std::string scalingText(const Scaling &scaling);
Json scalingJson(const Scaling &scaling);

} // namespace weft::runtime
#endif
