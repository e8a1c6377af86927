// Cutting launches into chunks, and playing through what the pool does with them.
#include "runtime/machine/Chunks.h"

#include <algorithm>
#include <functional>

using namespace weft::runtime;

static constexpr int64_t chunksPerThread = 3;

Chunks::Chunks(int64_t tasks, int threads) : tasks(tasks), threads(threads) {
  if (threads == 1) {
    large = std::min<int64_t>(tasks, 1);
    inLarge = tasks;
    return;
  }
  const int64_t each = std::max<int64_t>(tasks / (threads * chunksPerThread), 1);
  half = each / 2;
  int64_t inSmall = 0;
  for (int64_t size = half; size > 0; size /= 2) {
    small += threads;
    inSmall += size * threads;
  }
  inLarge = tasks - inSmall;
  large = (inLarge + each - 1) / each;
}

Chunks Chunks::ofSingleTasks(int64_t tasks) {
  Chunks all;
  all.tasks = all.large = all.inLarge = tasks;
  return all;
}

// Tasks are below 2^53 / chunks in any program that fits memory, so no product overflows.
int64_t Chunks::first(int64_t chunk) const {
  if (chunk < large)
    return inLarge * chunk / large;
  int64_t begin = inLarge, further = chunk - large;
  for (int64_t size = half; size > 0 && further > 0; size /= 2) {
    const int64_t taken = std::min(further, threads);
    begin += taken * size;
    further -= taken;
  }
  return begin;
}

int64_t Chunks::firstOf(int64_t otherTasks, int64_t chunk) const {
  if (otherTasks == tasks)
    return first(chunk);
  return static_cast<int64_t>(static_cast<__int128>(otherTasks) * first(chunk) / tasks);
}

// A thread that is free takes the next chunk (Pool::work).
double weft::runtime::secondsOnThreads(const std::vector<double> &tasks, int threads) {
  const Chunks chunks(static_cast<int64_t>(tasks.size()), threads);
  std::vector<double> freeAt(static_cast<size_t>(threads), 0); // a heap: who is free first
  double last = 0;
  for (int64_t chunk = 0; chunk < chunks.count(); ++chunk) {
    std::pop_heap(freeAt.begin(), freeAt.end(), std::greater<>());
    double &end = freeAt.back();
    for (int64_t i = chunks.first(chunk); i < chunks.first(chunk + 1); ++i)
      end += tasks[static_cast<size_t>(i)];
    last = std::max(last, end);
    std::push_heap(freeAt.begin(), freeAt.end(), std::greater<>());
  }
  return last;
}
