// What the control groups of a process grant it.
#ifndef WEFT_RUNTIME_MACHINE_CONTROLGROUP_H
#define WEFT_RUNTIME_MACHINE_CONTROLGROUP_H

#include <cstdint>
#include <string>

namespace weft::runtime {

/// The smallest quota of time of this process's control group and all above it, in whole cores,
/// rounded up; 0 for none. `root` stands before every path that is read, for tests.
int coresOfControlGroups(const std::string &root = "");

/// The same of memory: the smallest limit, in bytes; 0 for none.
int64_t memoryOfControlGroups(const std::string &root = "");

} // namespace weft::runtime
#endif
