// Affinity masks, /sys/devices/system/cpu and /sys/devices/system/node.
#include "runtime/base/Topology.h"

#include "runtime/base/Text.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <linux/mempolicy.h>
#include <memory>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace weft::runtime;

static constexpr int mostNumbers = 1 << 16;

std::vector<int> weft::runtime::readList(const std::string &list) {
  std::vector<int> numbers;
  const char *at = list.c_str();
  while (*at >= '0' && *at <= '9') {
    char *end = nullptr;
    long first = strtol(at, &end, 10), last = first;
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
      last = strtol(end + 1, &end, 10);
    if (last < first || last >= mostNumbers)
      return {};
    for (long number = first; number <= last; ++number)
      numbers.push_back(static_cast<int>(number));
    if (*end != ',')
      return *end && *end != '\n' ? std::vector<int>() : numbers;
    at = end + 1;
  }
  return {};
}

/// The list that a small file of the kernel is; none if there is no such file.
static std::vector<int> listIn(const std::string &path) {
  std::unique_ptr<FILE, int (*)(FILE *)> file(fopen(path.c_str(), "re"), fclose);
  char line[4096];
  return file && fgets(line, sizeof line, file.get()) ? readList(line) : std::vector<int>();
}

std::vector<std::vector<int>> weft::runtime::coresOf(const std::vector<int> &processors,
                                                     const std::string &root) {
  std::vector<std::vector<int>> cores;
  for (int processor : processors) {
    bool isTogether = std::any_of(cores.begin(), cores.end(), [&](const std::vector<int> &core) {
      return std::find(core.begin(), core.end(), processor) != core.end();
    });
    if (isTogether)
      continue;
    std::string folder = root + text("/sys/devices/system/cpu/cpu%d/topology/", processor);
    std::vector<int> siblings = listIn(folder + "core_cpus_list");
    if (siblings.empty()) // before Linux 5.3
      siblings = listIn(folder + "thread_siblings_list");
    std::erase_if(siblings, [&](int each) {
      return std::find(processors.begin(), processors.end(), each) == processors.end();
    });
    if (std::find(siblings.begin(), siblings.end(), processor) == siblings.end())
      siblings = {processor};
    cores.push_back(std::move(siblings));
  }
  return cores;
}

std::vector<int> weft::runtime::nodesOf(const std::vector<int> &processors,
                                        const std::string &root) {
  std::vector<int> nodes;
  for (int node : listIn(root + "/sys/devices/system/node/online")) {
    std::vector<int> own = listIn(root + text("/sys/devices/system/node/node%d/cpulist", node));
    if (std::find_first_of(own.begin(), own.end(), processors.begin(), processors.end()) !=
        own.end())
      nodes.push_back(node);
  }
  return nodes;
}

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

const std::vector<int> &weft::runtime::availableNodes() {
  static const std::vector<int> nodes = nodesOf(allowedProcessors());
  return nodes;
}

bool weft::runtime::spreadOverNodes(void *start, int64_t bytes) {
  constexpr int mostNodes = 1024, bits = 8 * sizeof(unsigned long);
  const std::vector<int> &nodes = availableNodes();
  int policy = MPOL_DEFAULT;
  if (nodes.size() < 2 || nodes.back() >= mostNodes ||
      syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0) != 0 || policy != MPOL_DEFAULT)
    return false;
  unsigned long mask[mostNodes / bits] = {};
  for (int node : nodes)
    mask[node / bits] |= 1ul << (node % bits);
  return syscall(SYS_mbind, start, bytes, MPOL_INTERLEAVE, mask, mostNodes, 0) == 0;
}
