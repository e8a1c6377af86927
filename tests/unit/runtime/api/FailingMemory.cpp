// operator new and mmap of the process, which the library under test finds here.
#include "tests/unit/runtime/api/FailingMemory.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static thread_local int64_t left = 0; // until one fails; 0: none
static thread_local bool forever = false, failed = false;
static std::atomic<int64_t> alive = 0;

void weft::interface::failAt(int64_t number, bool forGood) {
  failed = false;
  forever = forGood;
  left = number;
}

bool weft::interface::stopFailing() {
  left = 0;
  return failed;
}

int64_t weft::interface::blocks() {
  return alive;
}

static bool fails() {
  if (left == 0 || --left > 0)
    return false;
  left = forever ? 1 : 0;
  return failed = true;
}

static void *allocated(size_t size, size_t alignment) {
  if (fails())
    return nullptr;
  void *memory = alignment > alignof(max_align_t)
                     ? aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                     : malloc(size ? size : 1);
  alive += memory != nullptr;
  return memory;
}

static void *allocatedOrThrow(size_t size, size_t alignment = 0) {
  void *memory = allocated(size, alignment);
  if (!memory)
    throw std::bad_alloc();
  return memory;
}

static void release(void *memory) {
  alive -= memory != nullptr;
  free(memory);
}

void *operator new(size_t size) {
  return allocatedOrThrow(size);
}
void *operator new[](size_t size) {
  return allocatedOrThrow(size);
}
void *operator new(size_t size, std::align_val_t alignment) {
  return allocatedOrThrow(size, static_cast<size_t>(alignment));
}
void *operator new[](size_t size, std::align_val_t alignment) {
  return allocatedOrThrow(size, static_cast<size_t>(alignment));
}
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  return allocated(size, 0);
}
void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  return allocated(size, 0);
}
void operator delete(void *memory) noexcept {
  release(memory);
}
void operator delete[](void *memory) noexcept {
  release(memory);
}
void operator delete(void *memory, size_t) noexcept {
  release(memory);
}
void operator delete[](void *memory, size_t) noexcept {
  release(memory);
}
void operator delete(void *memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void *memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void *memory, size_t, std::align_val_t) noexcept {
  release(memory);
}
void operator delete[](void *memory, size_t, std::align_val_t) noexcept {
  release(memory);
}

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
extern "C" void *mmap(void *address, size_t size, int protection, int flags, int file, off_t at) {
  if (fails()) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void *>(syscall(SYS_mmap, address, size, protection, flags, file, at));
}
#endif
