// Stacks, and going from one to another and back.
#include "runtime/emulator/fibers/Fiber.h"

#include <new>
#include <sys/mman.h>
#include <utility>

#ifdef WEFT_TELLS_ADDRESSES
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef WEFT_TELLS_THREADS
#include <sanitizer/tsan_interface.h>
#endif

// Saves what a function must keep (System V ABI, x86-64) on this stack, and goes on from another.
asm(R"(
  .text
  .p2align 4
  .globl weft_emulator_switch
  .hidden weft_emulator_switch
  .type weft_emulator_switch, @function
weft_emulator_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  retq
  .size weft_emulator_switch, . - weft_emulator_switch
)");

namespace weft::emulator {

[[maybe_unused]] static thread_local Fiber *left;
constinit thread_local Fiber *Fiber::entered = nullptr;

void Fiber::prepare(char *bottom, char *top, Body body) {
  this->body = body;
  this->bottom = bottom;
  bytes = top - bottom;
#ifdef WEFT_TELLS_ADDRESSES
  shadow = nullptr;
#endif
#ifdef WEFT_TELLS_THREADS
  // Bodies do not return, so the sanitizer's list of their calls grows with each; it has room for
  // 65,536, and another fiber takes long to make.
  constexpr int most = 1000;
  if (shadow && ++bodies % most == 0)
    __tsan_destroy_fiber(std::exchange(shadow, nullptr));
  if (!shadow)
    shadow = __tsan_create_fiber(0);
#endif
  // As weft_emulator_switch left it: six registers, then where to go, aligned as after a call.
  void **place = reinterpret_cast<void **>(top) - 3;
  *--place = reinterpret_cast<void *>(&Fiber::enter);
  for (int i = 0; i < 6; ++i)
    *--place = nullptr;
  own = place;
}

void Fiber::enter() {
  Fiber *self = entered;
  self->arrived();
  self->body();
  __builtin_trap(); // bodies do not return
}

void Fiber::arrived() {
#ifdef WEFT_TELLS_ADDRESSES
  __sanitizer_finish_switch_fiber(shadow, &left->bottom, &left->bytes);
#endif
}

/// Itself it tells nothing: what is said at its entry would be of one fiber, and at its end of the
/// other, whose list of calls may be empty.
#ifdef WEFT_TELLS_THREADS
[[clang::disable_sanitizer_instrumentation]]
#endif
void Fiber::tellBefore([[maybe_unused]] Fiber &from, [[maybe_unused]] Fiber &to) {
#ifdef WEFT_TELLS_ADDRESSES
  left = &from;
  __sanitizer_start_switch_fiber(&from.shadow, to.bottom, to.bytes);
#endif
#ifdef WEFT_TELLS_THREADS
  if (!from.bottom) // a thread's own stack; whose, may be another each time
    from.shadow = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.shadow, 0);
#endif
}

static constexpr size_t guard = 4096, stackBytes = 256 << 10, stacksOfChunk = 32,
                        chunkBytes = (guard + stackBytes) * stacksOfChunk;

Stacks::~Stacks() {
  for (char *chunk : chunks)
    munmap(chunk, chunkBytes);
}

void Stacks::grow() {
  void *memory = mmap(nullptr, chunkBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  chunks.push_back(static_cast<char *>(memory));
  for (size_t i = stacksOfChunk; i-- > 0;) {
    char *begin = chunks.back() + (guard + stackBytes) * i;
    mprotect(begin, guard, PROT_NONE);
    // Stacks begin at other places of a page each: their hot ends share no lines of the cache.
    char *top = begin + guard + stackBytes - i * (4096 / stacksOfChunk);
    all.push_back(std::make_unique<Stack>());
    all.back()->bottom = begin + guard;
    all.back()->top = top;
    free.push_back(all.back().get());
  }
}

Fiber *Stacks::take(Fiber::Body body) {
  if (free.empty())
    grow();
  Stack *stack = free.back();
  free.pop_back();
  stack->fiber.prepare(stack->bottom, stack->top, body);
  return &stack->fiber;
}

void Stacks::giveBack(Fiber *fiber) {
  free.push_back(reinterpret_cast<Stack *>(fiber)); // its first member
}

} // namespace weft::emulator
