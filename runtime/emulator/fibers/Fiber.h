// Code on a stack of its own, which stops in the middle and goes on later: a thread of a device.
#ifndef WEFT_RUNTIME_EMULATOR_FIBERS_FIBER_H
#define WEFT_RUNTIME_EMULATOR_FIBERS_FIBER_H

#include <cstddef>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_TELLS_ADDRESSES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_TELLS_ADDRESSES 1
#endif
#if __has_feature(thread_sanitizer)
#define WEFT_TELLS_THREADS 1
#endif
#endif

extern "C" void weft_emulator_switch(void **from, void *to);

namespace weft::emulator {

class Fiber {
public:
  /// What runs now, on the stack that it has: from it others are gone to.
  Fiber() = default;
  Fiber(const Fiber &) = delete;

  using Body = void (*)();
  /// `body` must not return, but go elsewhere when it is done: the stack is then given to another.
  void prepare(char *bottom, char *top, Body body);
  /// Leaves `from`, which is what runs, and goes on in `to`; returns when somebody goes to `from`.
  static void go(Fiber &from, Fiber &to) {
    entered = &to;
#if defined(WEFT_TELLS_ADDRESSES) || defined(WEFT_TELLS_THREADS)
    tellBefore(from, to);
#endif
    weft_emulator_switch(&from.own, to.own);
#ifdef WEFT_TELLS_ADDRESSES
    from.arrived();
#endif
  }

private:
  static void enter();
  static void tellBefore(Fiber &from, Fiber &to);
  void arrived();
  static constinit thread_local Fiber *entered;

  void *own = nullptr; ///< the stack pointer of what does not run
  Body body = nullptr;
  // What sanitizers ask to be told of stacks.
  [[maybe_unused]] const void *bottom = nullptr;
  [[maybe_unused]] size_t bytes = 0;
  [[maybe_unused]] void *shadow = nullptr;
  [[maybe_unused]] int bodies = 0;
};

/// Stacks for threads, each with a fiber, made when they are first asked for and used again; a page
/// that nothing may touch lies below each.
class Stacks {
public:
  Stacks() = default;
  Stacks(const Stacks &) = delete;
  ~Stacks();
  /// Throws std::bad_alloc.
  Fiber *take(Fiber::Body body);
  void giveBack(Fiber *fiber);

private:
  struct Stack {
    Fiber fiber;
    char *bottom, *top;
  };
  void grow();

  std::vector<std::unique_ptr<Stack>> all;
  std::vector<Stack *> free;
  std::vector<char *> chunks;
};

} // namespace weft::emulator
#endif
