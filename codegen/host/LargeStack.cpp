// Threads with room for recursion along long chains of operations.
#include "codegen/host/LargeStack.h"

#include <pthread.h>

namespace weft {

// Passes and kernels recurse along uses, in frames of up to a kilobyte; a gradient is three times
// as long as what it is of. Memory is taken as it is touched.
static constexpr size_t stackBytes = size_t(1) << 30;

void runOnLargeStacks(std::vector<std::function<void()>> works) {
  pthread_attr_t attributes;
  bool large = pthread_attr_init(&attributes) == 0 &&
               pthread_attr_setstacksize(&attributes, stackBytes) == 0;
  auto start = [](void *work) -> void * {
    (*static_cast<std::function<void()> *>(work))();
    return nullptr;
  };
  std::vector<pthread_t> threads;
  for (std::function<void()> &work : works) {
    pthread_t thread;
    if (large && pthread_create(&thread, &attributes, start, &work) == 0)
      threads.push_back(thread);
    else
      work();
  }
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

} // namespace weft
