// A range of addresses, pieces of it, and what is said to who touches it from outside.
#include "runtime/device/emulated/EmulatedMemory.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace weft::runtime;

namespace {
// Of the memories that there are, for a handler of signals, which may take no lock.
constexpr size_t mostRanges = 16;
struct Range {
  std::atomic<uintptr_t> begin, length;
};
Range ranges[mostRanges];
struct sigaction before;

void sayWhoseMemory(int signal, siginfo_t *info, void *) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  for (const Range &range : ranges)
    if (address - range.begin.load() < range.length.load()) {
      char text[160];
      int count = snprintf(text, sizeof text,
                           "this machine touches memory of the emulated device, at %p, while the "
                           "device is not at work\n",
                           info->si_addr);
      (void)!write(STDERR_FILENO, text, static_cast<size_t>(count));
    }
  sigaction(signal, &before, nullptr); // what follows is as if we had not been here
}

void watch(uintptr_t begin, uintptr_t length) {
  static std::atomic<bool> watches{false};
  for (Range &range : ranges)
    if (uintptr_t none = 0;
        range.length.load() == 0 && range.begin.compare_exchange_strong(none, begin)) {
      range.length.store(length);
      break;
    }
  if (watches.exchange(true))
    return;
  struct sigaction ours{};
  ours.sa_sigaction = sayWhoseMemory;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGSEGV, &ours, &before);
}

void unwatch(uintptr_t begin) {
  for (Range &range : ranges)
    if (range.begin.load() == begin) {
      range.length.store(0);
      range.begin.store(0);
    }
}
} // namespace

Result<std::unique_ptr<EmulatedMemory>> EmulatedMemory::reserve(int64_t capacity) {
  std::unique_ptr<EmulatedMemory> memory(new EmulatedMemory(capacity));
  constexpr size_t range = size_t(1) << 38;
  void *start = mmap(nullptr, range, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED)
    return Error{Code::Memory, "the system gives the emulated device no range of addresses"};
  memory->begin = memory->next = reinterpret_cast<uintptr_t>(start);
  memory->length = range;
  watch(memory->begin, memory->length);
  return memory;
}

EmulatedMemory::~EmulatedMemory() {
  if (length > 0) {
    unwatch(begin);
    munmap(reinterpret_cast<void *>(begin), length);
  }
}

void *EmulatedMemory::take(int64_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  constexpr size_t alignment = 256;
  size_t asked = (static_cast<size_t>(bytes) + alignment - 1) / alignment * alignment,
         pages = (asked + page - 1) / page * page;
  if (bytes < 0 || bytes > free() || pages + page > begin + length - next)
    return nullptr;
  char *start = reinterpret_cast<char *>(next);
  next += pages + page; // the last one stays without rights
  char *piece = start + pages - asked;
  if (mprotect(start, pages, PROT_READ | PROT_WRITE) != 0)
    return nullptr;
  memset(start, 0xff, pages); // NaN: nobody has written it
  mprotect(start, pages, PROT_NONE);
  pieces[reinterpret_cast<uintptr_t>(piece)] = {bytes, start, pages};
  used += bytes;
  return piece;
}

void EmulatedMemory::giveBack(void *memory) {
  auto found = pieces.find(reinterpret_cast<uintptr_t>(memory));
  if (found == pieces.end())
    return;
  madvise(found->second.pages, found->second.pageBytes, MADV_DONTNEED);
  used -= found->second.bytes;
  pieces.erase(found);
}

bool EmulatedMemory::holds(uintptr_t address, size_t bytes) const {
  auto behind = pieces.upper_bound(address);
  if (behind == pieces.begin())
    return false;
  auto [start, piece] = *--behind;
  return address - start + bytes <= static_cast<size_t>(piece.bytes);
}

std::string EmulatedMemory::describe(uintptr_t address) const {
  std::string at = text("0x%zx", size_t(address));
  if (!hasAddress(address))
    return at + " is of this machine";
  auto behind = pieces.upper_bound(address);
  if (behind == pieces.begin())
    return at + " was given back, or never taken";
  auto [start, piece] = *--behind;
  return at + text(" lies %lld bytes behind the beginning of a piece of %lld",
                   wide(int64_t(address - start)), wide(piece.bytes));
}

void EmulatedMemory::protect(int rights) {
  for (const auto &[start, piece] : pieces)
    mprotect(piece.pages, piece.pageBytes, rights);
}

void EmulatedMemory::open() {
  protect(PROT_READ | PROT_WRITE);
}

void EmulatedMemory::close() {
  protect(PROT_NONE);
}
