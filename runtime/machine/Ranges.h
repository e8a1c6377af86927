// What the runtime computes for each element of a long list, by the threads of a pool.
#ifndef WEFT_RUNTIME_MACHINE_RANGES_H
#define WEFT_RUNTIME_MACHINE_RANGES_H

#include "runtime/machine/LaunchTimes.h"
#include "runtime/machine/Pool.h"

#include <algorithm>

namespace weft::runtime {

/// Calls body(begin, end) for ranges that cover [0, count), which do not depend on threads. `name`,
/// a literal, is what a profile says of it.
template <class Body>
void overRanges(Pool &pool, const char *name, int64_t count, const Body &body) {
  constexpr int64_t each = 1 << 16;
  struct Ranges {
    const Body &body;
    int64_t count;
    LaunchTimes *times;
  } ranges{body, count, pool.times};
  auto runOne = [](void *context, int64_t number, int worker) {
    auto &[body, count, times] = *static_cast<Ranges *>(context);
    auto compute = [&body = body, begin = number * each,
                    end = std::min(count, (number + 1) * each)] { body(begin, end); };
    if (times)
      return times->chunk(worker, compute);
    compute();
  };
  int64_t tasks = (count + each - 1) / each;
  auto runAll = [&] {
    if (!pool.times || !pool.times->notesTasks())
      return pool.run(tasks, runOne, &ranges);
    for (int64_t task = 0; task < tasks; ++task)
      runOne(&ranges, task, 0);
  };
  if (pool.times)
    return pool.times->launch(name, tasks, runAll);
  runAll();
}

} // namespace weft::runtime
#endif
