// Cores available to the process: the affinity mask and the control groups' quota.
#include "runtime/machine/Cores.h"

#include "runtime/machine/ControlGroup.h"

#include <algorithm>
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

int weft::runtime::availableCores() {
  int cores = static_cast<int>(allowedProcessors().size());
  int quota = coresOfControlGroups();
  return quota > 0 ? std::min(cores, quota) : cores;
}

void weft::runtime::stayOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}
