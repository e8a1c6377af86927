// Stacks, and going from one to another and back.
#include "runtime/emulator/Fiber.h"

#include <new>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__)
#define WEFT_TELLS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEFT_TELLS_SANITIZER 1
#endif
#endif
#ifdef WEFT_TELLS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

// Saves what a function must keep (System V ABI, x86-64) on this stack, and goes on from another.
extern "C" void weft_emulator_switch(void **from, void *to);
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

static constexpr size_t guard = 4096;

Stacks::Stacks(unsigned count) : count(count) {
  void *all = mmap(nullptr, (bytes + guard) * count, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    throw std::bad_alloc();
  memory = static_cast<char *>(all);
  for (unsigned i = 0; i < count; ++i)
    mprotect(memory + (bytes + guard) * i, guard, PROT_NONE);
}

Stacks::~Stacks() {
  munmap(memory, (bytes + guard) * count);
}

char *Stacks::bottom(unsigned number) const {
  return memory + (bytes + guard) * number + guard;
}

static thread_local Fiber *entered;

void Fiber::prepare(char *bottom, Body body, void *context) {
  *this = Fiber();
  this->bottom = bottom;
  this->body = body;
  this->context = context;
  // As weft_emulator_switch left it: six registers, then where to go, aligned as after a call.
  void **top = reinterpret_cast<void **>(bottom + Stacks::bytes) - 3;
  *--top = reinterpret_cast<void *>(&Fiber::enter);
  for (int i = 0; i < 6; ++i)
    *--top = nullptr;
  own = top;
}

void Fiber::enter() {
  Fiber *self = entered;
#ifdef WEFT_TELLS_SANITIZER
  __sanitizer_finish_switch_fiber(nullptr, &self->outsideBottom, &self->outsideBytes);
#endif
  self->body(self->context);
  __builtin_trap(); // bodies do not return
}

void Fiber::resume() {
  entered = this;
#ifdef WEFT_TELLS_SANITIZER
  __sanitizer_start_switch_fiber(&outsideShadow, bottom, Stacks::bytes);
#endif
  weft_emulator_switch(&outside, own);
#ifdef WEFT_TELLS_SANITIZER
  __sanitizer_finish_switch_fiber(outsideShadow, nullptr, nullptr);
#endif
}

void Fiber::yield() {
#ifdef WEFT_TELLS_SANITIZER
  __sanitizer_start_switch_fiber(&ownShadow, outsideBottom, outsideBytes);
#endif
  weft_emulator_switch(&own, outside);
#ifdef WEFT_TELLS_SANITIZER
  __sanitizer_finish_switch_fiber(ownShadow, nullptr, nullptr);
#endif
}

} // namespace weft::emulator
