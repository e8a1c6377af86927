// Affinity masks, /sys/devices/system/cpu, /sys/devices/system/node and the control groups' quota.
#include "runtime/machine/Cores.h"

#include "runtime/base/Text.h"
#include "runtime/base/files/Lines.h"
#include "runtime/machine/ControlGroup.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <sched.h>

using namespace weft::runtime;

static constexpr int mostNumbers = 1 << 16;

namespace {
/// A set of processors 0 … count - 1: cpu_set_t alone has 1024.
struct ProcessorSet {
  explicit ProcessorSet(int count)
      : count(count), bytes(CPU_ALLOC_SIZE(count)), set(CPU_ALLOC(count)) {
    if (set)
      CPU_ZERO_S(bytes, set);
  }
  ~ProcessorSet() { CPU_FREE(set); }
  ProcessorSet(const ProcessorSet &) = delete;

  int count;
  size_t bytes;
  cpu_set_t *set;
};
} // namespace

std::vector<int> weft::runtime::allowedProcessors() {
  // The system refuses a set that is smaller than its own, of which it does not say the size.
  for (int count = CPU_SETSIZE; count <= mostNumbers; count *= 2) {
    ProcessorSet allowed(count);
    if (!allowed.set)
      break;
    if (sched_getaffinity(0, allowed.bytes, allowed.set) != 0) {
      if (errno == EINVAL)
        continue;
      break;
    }
    std::vector<int> processors;
    for (int i = 0; i < count; ++i)
      if (CPU_ISSET_S(i, allowed.bytes, allowed.set))
        processors.push_back(i);
    return processors;
  }
  return {0};
}

int weft::runtime::availableCores() {
  int cores = static_cast<int>(coresOf(allowedProcessors()).size());
  int quota = coresOfControlGroups();
  return quota > 0 ? std::min(cores, quota) : cores;
}

void weft::runtime::stayOn(const std::vector<int> &processors) {
  auto last = std::max_element(processors.begin(), processors.end());
  if (last == processors.end())
    return;
  ProcessorSet own(*last + 1);
  if (!own.set)
    return;
  for (int processor : processors)
    CPU_SET_S(processor, own.bytes, own.set);
  sched_setaffinity(0, own.bytes, own.set);
}

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

/// The list that a file is.
static std::vector<int> listIn(const std::string &path) {
  std::vector<std::string> lines = linesOf(path);
  return lines.empty() ? std::vector<int>() : readList(lines[0]);
}

static bool contains(const std::vector<int> &numbers, int number) {
  return std::find(numbers.begin(), numbers.end(), number) != numbers.end();
}

/// Those that are among `others` too.
static std::vector<int> among(std::vector<int> numbers, const std::vector<int> &others) {
  std::erase_if(numbers, [&](int each) { return !contains(others, each); });
  return numbers;
}

std::vector<std::vector<int>> weft::runtime::coresOf(const std::vector<int> &processors,
                                                     const std::string &root) {
  std::vector<std::vector<int>> cores;
  for (int processor : processors) {
    bool isTogether = std::any_of(cores.begin(), cores.end(), [&](const std::vector<int> &core) {
      return contains(core, processor);
    });
    if (isTogether)
      continue;
    std::string folder = root + text("/sys/devices/system/cpu/cpu%d/topology/", processor);
    std::vector<int> siblings = listIn(folder + "core_cpus_list");
    if (siblings.empty()) // before Linux 5.3
      siblings = listIn(folder + "thread_siblings_list");
    siblings = among(std::move(siblings), processors);
    if (!contains(siblings, processor))
      siblings = {processor};
    cores.push_back(std::move(siblings));
  }
  return cores;
}

std::vector<int> weft::runtime::nodesOfThreads(int threads, const std::vector<int> &processors,
                                               const std::string &root) {
  std::vector<int> nodes;
  for (int node : listIn(root + "/sys/devices/system/node/online")) {
    std::vector<int> beside =
        among(listIn(root + text("/sys/devices/system/node/node%d/cpulist", node)), processors);
    if (static_cast<int>(coresOf(beside, root).size()) >= threads)
      return {};
    if (!beside.empty())
      nodes.push_back(node);
  }
  return nodes.size() > 1 ? nodes : std::vector<int>();
}
