// From the costs of tasks to launches on many cores.
#include "runtime/program/profile/Scaling.h"

#include "runtime/machine/Chunks.h"
#include "runtime/program/profile/Profile.h"

#include <algorithm>
#include <map>

using namespace weft::runtime;

std::vector<LaunchCosts> weft::runtime::costsOf(const LaunchTimes &times, const Model &model) {
  std::vector<LaunchCosts> all;
  for (const LaunchTimes::Launch &launch : times.launches())
    all.push_back({nameOf(launch, model), {}});
  for (const auto &chunks : times.chunksByThread())
    for (const LaunchTimes::Chunk &task : chunks)
      all[task.launch].tasks.push_back(task.span.seconds());
  return all;
}

void weft::runtime::keepLeast(std::vector<LaunchCosts> &kept, const std::vector<LaunchCosts> &run) {
  kept.resize(run.size());
  for (size_t i = 0; i < run.size(); ++i) {
    if (kept[i].name != run[i].name || kept[i].tasks.size() != run[i].tasks.size())
      kept[i] = run[i];
    for (size_t task = 0; task < run[i].tasks.size(); ++task)
      kept[i].tasks[task] = std::min(kept[i].tasks[task], run[i].tasks[task]);
  }
}

double Scaling::seconds() const {
  double all = between;
  for (const KernelScaling &kernel : kernels)
    all += kernel.seconds;
  return all;
}

double Scaling::secondsOn(size_t which) const {
  double all = between;
  for (const KernelScaling &kernel : kernels)
    all += kernel.onCores[which];
  return all;
}

Scaling weft::runtime::scalingOf(const std::vector<LaunchCosts> &launches,
                                 std::vector<int64_t> cores, double between) {
  std::map<std::string, KernelScaling> byName;
  for (const LaunchCosts &launch : launches) {
    KernelScaling &kernel = byName[launch.name];
    kernel.name = launch.name.empty() ? "(unknown)" : launch.name;
    kernel.onCores.resize(cores.size());
    ++kernel.launches;
    kernel.tasks += static_cast<int64_t>(launch.tasks.size());
    kernel.seconds += secondsOnThreads(launch.tasks, 1);
    for (size_t i = 0; i < cores.size(); ++i)
      kernel.onCores[i] += secondsOnThreads(launch.tasks, static_cast<int>(cores[i]));
  }
  Scaling scaling{std::move(cores), between, {}};
  for (auto &[name, kernel] : byName)
    scaling.kernels.push_back(std::move(kernel));
  size_t most = static_cast<size_t>(std::max_element(scaling.cores.begin(), scaling.cores.end()) -
                                    scaling.cores.begin());
  std::stable_sort(scaling.kernels.begin(), scaling.kernels.end(),
                   [&](const KernelScaling &a, const KernelScaling &b) {
                     return a.onCores[most] > b.onCores[most];
                   });
  return scaling;
}

Result<std::vector<int64_t>> weft::runtime::readCores(const std::string &given) {
  constexpr int64_t mostCores = 1024; // as many as a program has threads
  std::vector<int64_t> cores;
  for (size_t begin = 0; begin <= given.size();) {
    size_t end = std::min(given.find(',', begin), given.size());
    std::string item = given.substr(begin, end - begin);
    char *rest = nullptr;
    long long number = strtoll(item.c_str(), &rest, 10);
    if (item.empty() || *rest || number < 1 || number > mostCores ||
        std::find(cores.begin(), cores.end(), number) != cores.end())
      return Error{Code::Usage,
                   text("--cores %s: expected different whole numbers from 1 to %lld, as in "
                        "--cores 32,128",
                        given.c_str(), wide(mostCores))};
    cores.push_back(number);
    begin = end + 1;
  }
  return cores;
}
