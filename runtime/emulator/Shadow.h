// Who wrote and read each word of memory last: two accesses of which one writes, and that nothing
// puts in order, are a race.
#ifndef WEFT_RUNTIME_EMULATOR_SHADOW_H
#define WEFT_RUNTIME_EMULATOR_SHADOW_H

#include "runtime/emulator/Block.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace weft::emulator {

/// Of one word of four bytes, or of one byte where elements are smaller; memory that is used as
/// both within one launch is seen as apart. Of reads, the last ones of two threads: a writer that
/// races with any reader races with one of them, unless it is that reader itself.
struct Word {
  Access write, reads[2];
};

/// The words of all memory that was touched, in pages.
class Shadow {
public:
  /// The word at `address`; its page is locked as long as `guard` lives.
  Word &word(uintptr_t address, std::unique_lock<std::mutex> &guard);

private:
  static constexpr size_t wordsOfPage = 1024, locks = 64;
  struct Part {
    std::mutex mutex;
    std::unordered_map<uintptr_t, std::unique_ptr<Word[]>> pages;
  };
  Part parts[locks];
};

/// Notes that the current thread reads or writes `bytes` at `address`; fails its block on a race.
void touch(Shadow &shadow, uint32_t launch, uintptr_t address, unsigned bytes, bool writes,
           uint16_t site);

} // namespace weft::emulator
#endif
