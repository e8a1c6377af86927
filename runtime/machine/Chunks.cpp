// Cutting launches into chunks, and playing through what the pool does with them.
#include "runtime/machine/Chunks.h"

#include <algorithm>
#include <functional>

using namespace weft::runtime;

static constexpr int64_t chunksPerThread = 8;

int64_t weft::runtime::chunksOf(int64_t tasks, int threads) {
  return threads == 1 ? std::min<int64_t>(tasks, 1) : std::min(tasks, threads * chunksPerThread);
}

// A thread that is free takes the next chunk (Pool::work).
double weft::runtime::secondsOnThreads(const std::vector<double> &tasks, int threads) {
  const auto count = static_cast<int64_t>(tasks.size());
  const int64_t chunks = chunksOf(count, threads);
  std::vector<double> freeAt(static_cast<size_t>(threads), 0); // a heap: who is free first
  double last = 0;
  for (int64_t chunk = 0; chunk < chunks; ++chunk) {
    std::pop_heap(freeAt.begin(), freeAt.end(), std::greater<>());
    double &end = freeAt.back();
    for (int64_t i = firstTaskOf(chunk, count, chunks); i < firstTaskOf(chunk + 1, count, chunks);
         ++i)
      end += tasks[static_cast<size_t>(i)];
    last = std::max(last, end);
    std::push_heap(freeAt.begin(), freeAt.end(), std::greater<>());
  }
  return last;
}
