// Memory that runs out when a test says so.
#ifndef WEFT_TESTS_UNIT_RUNTIME_API_FAILINGMEMORY_H
#define WEFT_TESTS_UNIT_RUNTIME_API_FAILINGMEMORY_H

#include <cstdint>

namespace weft::interface {

/// From now on the allocation `number` (1 for the next) of this thread fails, and if `forGood`
/// every one behind it: of C++ and, but under a sanitizer, of mmap.
void failAt(int64_t number, bool forGood);
/// No more. Whether one failed.
bool stopFailing();
/// Blocks that C++ has and has not given back.
int64_t blocks();

} // namespace weft::interface
#endif
