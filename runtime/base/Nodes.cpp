// The memory policy of a range of pages: by system calls, for libnuma would be one more library.
#include "runtime/base/Nodes.h"

#include <linux/mempolicy.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace weft::runtime;

bool weft::runtime::spreadOver(std::span<const int> nodes, void *start, int64_t bytes) {
  constexpr int mostNodes = 1024, bits = 8 * sizeof(unsigned long);
  int policy = MPOL_DEFAULT;
  if (nodes.empty() || syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0) != 0 ||
      policy != MPOL_DEFAULT)
    return false;
  unsigned long mask[mostNodes / bits] = {};
  for (int node : nodes) {
    if (node < 0 || node >= mostNodes)
      return false;
    mask[node / bits] |= 1ul << (node % bits);
  }
  // The system takes one bit less than it is told.
  return syscall(SYS_mbind, start, bytes, MPOL_INTERLEAVE, mask, mostNodes + 1, 0) == 0;
}
