// The processors of this process: which of them are one core, and which nodes they are beside.
#ifndef WEFT_RUNTIME_MACHINE_CORES_H
#define WEFT_RUNTIME_MACHINE_CORES_H

#include <string>
#include <vector>

namespace weft::runtime {

/// The processors in this thread's affinity mask, in order; {0} if the system does not say.
std::vector<int> allowedProcessors();

/// The cores that the allowed processors are of, or fewer where a control group that it is in
/// grants less time than that. SMT siblings are one core: they share its multipliers and its
/// caches, which one thread of a product fills.
int availableCores();

/// Keeps the calling thread on these processors. A refusal is no error: it only costs speed.
void stayOn(const std::vector<int> &processors);

/// "0-3,8" as Linux writes lists of processors and nodes; nothing where it is none.
std::vector<int> readList(const std::string &list);

// In the following `root` stands before every path that is read, for tests.

/// These processors by core: those that share one (SMT siblings) together, in the order of the
/// first of each. Where the system does not say, each is a core.
std::vector<std::vector<int>> coresOf(const std::vector<int> &processors,
                                      const std::string &root = "");

/// The NUMA nodes that these processors are beside, in order, if none of the nodes has a core for
/// each of so many threads; else none, and none where the system does not say.
std::vector<int> nodesOfThreads(int threads, const std::vector<int> &processors,
                                const std::string &root = "");

} // namespace weft::runtime
#endif
