// Which processors are one core, and which nodes have memory beside them.
#ifndef WEFT_RUNTIME_BASE_TOPOLOGY_H
#define WEFT_RUNTIME_BASE_TOPOLOGY_H

#include <cstdint>
#include <string>
#include <vector>

namespace weft::runtime {

/// "0-3,8" as Linux writes lists of processors and nodes; nothing where it is none.
std::vector<int> readList(const std::string &list);

/// These processors by core: those that share one (SMT siblings) together, in the order of the
/// first of each. Where the system does not say, each is a core. `root` stands before every path
/// that is read, for tests.
std::vector<std::vector<int>> coresOf(const std::vector<int> &processors,
                                      const std::string &root = "");

/// The NUMA nodes that have some of these processors, in order; none where the system does not say.
std::vector<int> nodesOf(const std::vector<int> &processors, const std::string &root = "");

/// The processors in this process's affinity mask, in order; {0} if the system does not say.
std::vector<int> allowedProcessors();

/// The nodes of these, as they were when this was asked for the first time: a thread that is kept
/// on a core sees that one only.
const std::vector<int> &availableNodes();

/// Where this process may run beside several nodes, the pages of a new block come from each of them
/// in turn: any thread may get any task, and what one thread alone writes (weights that are read
/// from a file) would all lie beside one of them. Left alone are processes that somebody has given
/// a policy (numactl). Gives whether it has done so.
bool spreadOverNodes(void *start, int64_t bytes);

} // namespace weft::runtime
#endif
