// Cores available to the process: the affinity mask, the topology and the control groups' quota.
#include "runtime/machine/Cores.h"

#include "runtime/machine/ControlGroup.h"

#include <algorithm>
#include <sched.h>

using namespace weft::runtime;

int weft::runtime::availableCores() {
  int cores = static_cast<int>(coresOf(allowedProcessors()).size());
  int quota = coresOfControlGroups();
  return quota > 0 ? std::min(cores, quota) : cores;
}

void weft::runtime::stayOn(const std::vector<int> &processors) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int processor : processors)
    CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}
