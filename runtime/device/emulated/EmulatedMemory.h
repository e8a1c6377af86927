// The memory of the emulated device: addresses that this machine's own memory never has, and that
// nobody may touch unless the device is at work.
#ifndef WEFT_RUNTIME_DEVICE_EMULATED_EMULATEDMEMORY_H
#define WEFT_RUNTIME_DEVICE_EMULATED_EMULATEDMEMORY_H

#include "runtime/base/Error.h"
#include "runtime/emulator/Memory.h"

#include <map>
#include <memory>

namespace weft::runtime {

/// Each piece ends where a page begins that is none of it, and what was given back is never given
/// again: what reads behind a piece, or one that is gone, ends there.
class EmulatedMemory : public emulator::Memory {
public:
  /// `capacity`: how many bytes can be had at a time.
  static Result<std::unique_ptr<EmulatedMemory>> reserve(int64_t capacity);
  ~EmulatedMemory() override;
  EmulatedMemory(const EmulatedMemory &) = delete;

  /// nullptr: there is not so much left.
  void *take(int64_t bytes);
  void giveBack(void *memory);
  int64_t capacity() const { return most; }
  int64_t free() const { return most - used; }

  bool holds(uintptr_t address, size_t bytes) const override;
  std::string describe(uintptr_t address) const override;
  bool hasAddress(uintptr_t address) const { return address - begin < length; }

  /// From open() to close() the memory may be touched.
  void open();
  void close();

private:
  explicit EmulatedMemory(int64_t capacity) : most(capacity) {}
  struct Piece {
    int64_t bytes;
    char *pages;
    size_t pageBytes;
  };
  void protect(int rights);
  std::map<uintptr_t, Piece> pieces; // by address
  uintptr_t begin = 0, next = 0;
  size_t length = 0;
  int64_t most, used = 0;
};

} // namespace weft::runtime
#endif
