// Keeping launches of several runs, and doing them side by side.
#include "runtime/machine/Lockstep.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

Lockstep::Lockstep(const WeftNamedKernel *kernels, size_t sizes,
                   std::vector<std::span<const char>> common)
    : kernels(kernels), common(std::move(common)), joined(sizes) {}

void Lockstep::begin(const WeftCall &call) {
  runs.push_back({&call, {}, {}});
}

void Lockstep::add(const WeftNamedKernel *kernel, int64_t amount, void *const *buffers,
                   size_t count) {
  Run &run = runs.back();
  run.steps.push_back({kernel, amount, run.buffers.size()});
  run.buffers.insert(run.buffers.end(), buffers, buffers + count);
}

const WeftNamedKernel *Lockstep::find(WeftKernel kernel) const {
  // Mostly a run launches what the first one did.
  const std::vector<Step> &first = runs.front().steps;
  if (size_t next = runs.back().steps.size();
      next < first.size() && first[next].kernel && first[next].kernel->kernel == kernel)
    return first[next].kernel;
  for (const WeftNamedKernel *each = kernels; each && each->kernel; ++each)
    if (each->kernel == kernel)
      return each;
  return nullptr;
}

void Lockstep::launch(WeftKernel kernel, void *const *buffers, int64_t tasks) noexcept {
  const WeftNamedKernel *known = find(kernel);
  if (refused || !known)
    return refuse();
  try {
    add(known, tasks, buffers, known->buffers);
  } catch (...) { // memory: nothing else is thrown here
    refuse();
  }
}

bool Lockstep::isCommon(const void *place, int64_t bytes) const {
  auto *begin = static_cast<const char *>(place);
  return std::any_of(common.begin(), common.end(), [&](std::span<const char> each) {
    return begin < each.data() + each.size() && each.data() < begin + bytes;
  });
}

void Lockstep::copy(void *to, const void *from, int64_t bytes) noexcept {
  // A copy of all rows would be one of those that another run is yet to write.
  if (refused || isCommon(to, bytes) || isCommon(from, bytes))
    return refuse();
  try {
    void *const places[] = {to, const_cast<void *>(from)};
    add(nullptr, bytes, places, 2);
  } catch (...) {
    refuse();
  }
}

bool Lockstep::fits() const {
  auto same = [](const Step &a, const Step &b) { return a.kernel == b.kernel; };
  return !refused && std::all_of(runs.begin(), runs.end(), [&](const Run &run) {
    const std::vector<Step> &first = runs.front().steps;
    return std::equal(run.steps.begin(), run.steps.end(), first.begin(), first.end(), same);
  });
}

void Lockstep::play(Pool &pool) {
  std::vector<LaunchPart> parts(runs.size());
  for (size_t i = 0; i < runs.front().steps.size() && !pool.skips(); ++i) {
    for (size_t r = 0; r < runs.size(); ++r) {
      const Step &step = runs[r].steps[i];
      parts[r] = {runs[r].call, runs[r].buffers.data() + step.first, step.amount};
    }
    if (const WeftNamedKernel *kernel = runs.front().steps[i].kernel) {
      if (!joined.launch(pool, *kernel, parts))
        runLaunch(pool, kernel->kernel, parts);
    } else
      for (const LaunchPart &part : parts)
        memcpy(part.buffers[0], part.buffers[1], static_cast<size_t>(part.tasks));
  }
}
