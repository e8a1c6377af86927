// What the runtime computes for each element of a long list, by the threads of a pool.
#ifndef WEFT_RUNTIME_MACHINE_RANGES_H
#define WEFT_RUNTIME_MACHINE_RANGES_H

#include "runtime/machine/Denormals.h"
#include "runtime/machine/RunLaunch.h"

#include <algorithm>

namespace weft::runtime {

/// Calls body(begin, end) for ranges that cover [0, count), which do not depend on threads. `name`,
/// a literal, is what a profile says of it. Denormal numbers count as zero, on the calling thread
/// as on the pool's own.
template <class Body>
void overRanges(Pool &pool, const char *name, int64_t count, const Body &body) {
  constexpr int64_t each = 1 << 16;
  struct Ranges {
    const Body &body;
    int64_t count;
  } ranges{body, count};
  auto runSome = [](void *context, const Chunks &chunks, int64_t chunk, int) {
    const auto &[body, count] = *static_cast<Ranges *>(context);
    for (int64_t task = chunks.first(chunk), end = chunks.first(chunk + 1); task < end; ++task)
      body(task * each, std::min(count, (task + 1) * each));
  };
  DenormalsIgnored denormals;
  runChunks(pool, {nullptr, nullptr, name}, (count + each - 1) / each, runSome, &ranges);
}

} // namespace weft::runtime
#endif
