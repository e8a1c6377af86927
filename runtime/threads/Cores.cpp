// Cores available to the process: the affinity mask and the control group's quota.
#include "runtime/threads/Cores.h"

#include <algorithm>
#include <cstdio>
#include <sched.h>

using namespace weft::runtime;

std::vector<int> weft::runtime::allowedProcessors() {
  std::vector<int> processors;
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &set))
        processors.push_back(i);
  if (processors.empty())
    processors.push_back(0);
  return processors;
}

/// The quota of the control group in whole cores, rounded up; 0 for none.
static int coresOfControlGroup() {
  FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
  if (!file)
    return 0;
  long quota = 0, period = 0;
  int read = fscanf(file, "%ld %ld", &quota, &period); // "max 100000" reads nothing: no limit
  fclose(file);
  if (read != 2 || quota <= 0 || period <= 0)
    return 0;
  return static_cast<int>((quota + period - 1) / period);
}

int weft::runtime::availableCores() {
  int cores = static_cast<int>(allowedProcessors().size());
  int quota = coresOfControlGroup();
  return quota > 0 ? std::min(cores, quota) : cores;
}

void weft::runtime::stayOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}
