// How much memory this process has, and how much it may have.
#ifndef WEFT_RUNTIME_MACHINE_MEMORY_MEMORY_H
#define WEFT_RUNTIME_MACHINE_MEMORY_MEMORY_H

#include <cstdint>
#include <string>

namespace weft::runtime {

/// Bytes of this process's pages that are in memory now.
int64_t residentBytes();
/// The most that it has been so far (ru_maxrss).
int64_t mostResidentBytes();

/// What a process can have at most, and who says so: "this machine", "its control group",
/// "WEFT_MEMORY".
struct MemoryGrant {
  int64_t bytes;
  const char *by;
};
/// The least of the machine's memory and swap, of what its control groups grant, and of WEFT_MEMORY
/// (bytes), if there is such a variable; nothing where it is no number of bytes. What other
/// processes have is not taken off: they may give it back. `root` stands before every path that is
/// read, for tests.
MemoryGrant memoryGrant(const std::string &root = "");

} // namespace weft::runtime
#endif
