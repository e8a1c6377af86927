// Which NUMA nodes memory is of.
#ifndef WEFT_RUNTIME_BASE_NODES_H
#define WEFT_RUNTIME_BASE_NODES_H

#include <cstdint>
#include <span>

namespace weft::runtime {

/// The pages from `start` on, which nobody has touched, come from each of these nodes in turn; of
/// no nodes, from the one beside the thread that touches them. Left alone are processes that
/// somebody has given a policy (numactl), and those that may not say where pages come from. Gives
/// whether it has done so.
bool spreadOver(std::span<const int> nodes, void *start, int64_t bytes);

} // namespace weft::runtime
#endif
