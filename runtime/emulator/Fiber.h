// Code on a stack of its own, which stops in the middle and goes on later: a thread of a device.
#ifndef WEFT_RUNTIME_EMULATOR_FIBER_H
#define WEFT_RUNTIME_EMULATOR_FIBER_H

#include <cstddef>

namespace weft::emulator {

/// Stacks for the threads of one block, reused from block to block; a page that nothing may touch
/// lies below each.
class Stacks {
public:
  /// Throws std::bad_alloc.
  explicit Stacks(unsigned count);
  Stacks(const Stacks &) = delete;
  ~Stacks();
  char *bottom(unsigned number) const;
  static constexpr size_t bytes = 256 << 10;

private:
  char *memory;
  unsigned count;
};

class Fiber {
public:
  using Body = void (*)(void *context);
  /// `body` must not return, but yield when it is done: its stack is then given to another.
  void prepare(char *bottom, Body body, void *context);
  /// From outside: goes on where the fiber yielded, and returns when it yields again.
  void resume();
  /// From inside.
  void yield();

private:
  static void enter();

  void *own = nullptr, *outside = nullptr; // stack pointers of who does not run
  char *bottom = nullptr;
  Body body = nullptr;
  void *context = nullptr;
  // What the address sanitizer asks to be told of stacks.
  [[maybe_unused]] void *ownShadow = nullptr, *outsideShadow = nullptr;
  [[maybe_unused]] const void *outsideBottom = nullptr;
  [[maybe_unused]] size_t outsideBytes = 0;
};

} // namespace weft::emulator
#endif
