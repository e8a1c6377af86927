// Threads that wait for the next launch, each with stacks and shared memory of its own.
#include "runtime/emulator/Workers.h"

#include "runtime/emulator/Block.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <thread>

namespace weft::emulator {

Machine &Machine::own() {
  static thread_local Machine machine;
  return machine;
}

Machine::~Machine() {
  if (mapped)
    munmap(mapped, bytes);
}

char *Machine::shared(unsigned blocks) {
  size_t wanted = (blocks + 1) * sharedWindow;
  if (bytes < wanted) {
    if (mapped)
      munmap(mapped, bytes);
    mapped = mmap(nullptr, wanted, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
    bytes = mapped == MAP_FAILED ? 0 : wanted;
    if (!bytes) {
      mapped = nullptr;
      throw std::bad_alloc();
    }
  }
  uintptr_t address = reinterpret_cast<uintptr_t>(mapped);
  return reinterpret_cast<char *>((address + sharedWindow - 1) / sharedWindow * sharedWindow);
}

namespace {
/// As many as were ever wanted at once; they last as long as the process.
class Workers {
public:
  void run(unsigned count, const std::function<void()> &given) {
    std::unique_lock whole(launches, std::try_to_lock);
    if (count < 2 || !whole)
      return given();
    {
      std::lock_guard guard(mutex);
      while (started < count - 1)
        std::thread([this, number = started++, seen = round] { serve(number, seen); }).detach();
      work = &given;
      wanted = count - 1;
      busy = wanted;
      ++round;
    }
    begins.notify_all();
    given();
    std::unique_lock guard(mutex);
    ends.wait(guard, [&] { return busy == 0; });
  }

private:
  void serve(unsigned number, uint64_t seen) {
    while (true) {
      const std::function<void()> *own;
      {
        std::unique_lock guard(mutex);
        begins.wait(guard, [&] { return round != seen; });
        seen = round;
        if (number >= wanted)
          continue;
        own = work;
      }
      (*own)();
      std::lock_guard guard(mutex);
      if (--busy == 0)
        ends.notify_one();
    }
  }

  std::mutex launches, mutex;
  std::condition_variable begins, ends;
  const std::function<void()> *work = nullptr;
  unsigned started = 0, wanted = 0, busy = 0;
  uint64_t round = 0;
};
} // namespace

void onWorkers(unsigned count, const std::function<void()> &work) {
  static Workers &workers = *new Workers;
  workers.run(count, work);
}

} // namespace weft::emulator
