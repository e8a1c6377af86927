// Threads with room for recursion along long chains of operations.
#include "codegen/host/LargeStack.h"

#include <algorithm>
#include <atomic>
#include <pthread.h>
#include <thread>

namespace weft {

// Passes and kernels recurse along uses, in frames of up to a kilobyte; a gradient is three times
// as long as what it is of. Memory is taken as it is touched.
static constexpr size_t stackBytes = size_t(1) << 30;

void runOnLargeStacks(std::vector<std::function<void()>> works) {
  std::atomic<size_t> next = 0;
  auto workOff = [&] {
    for (size_t i; (i = next++) < works.size();)
      works[i]();
  };
  pthread_attr_t attributes;
  bool large = pthread_attr_init(&attributes) == 0 &&
               pthread_attr_setstacksize(&attributes, stackBytes) == 0;
  auto start = [](void *all) -> void * {
    (*static_cast<decltype(workOff) *>(all))();
    return nullptr;
  };
  size_t most = std::max(std::thread::hardware_concurrency(), 1u);
  std::vector<pthread_t> threads;
  for (pthread_t thread; large && threads.size() < std::min(most, works.size());
       threads.push_back(thread))
    if (pthread_create(&thread, &attributes, start, &workOff) != 0)
      break;
  if (threads.empty())
    workOff();
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

} // namespace weft
