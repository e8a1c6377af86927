// What is known of each word of memory where races are looked for.
#ifndef WEFT_RUNTIME_EMULATOR_WORDS_H
#define WEFT_RUNTIME_EMULATOR_WORDS_H

#include "runtime/emulator/Clock.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace weft::emulator {

constexpr unsigned wordBytes = 4;

/// Of four bytes: the last writes, of halves by two threads where elements are small, and the last
/// reads of three threads: a writer that races with any reader races with one of them, unless more
/// than three read and only the others are in order with it.
struct Word {
  Access writes[2], reads[3];
  uint16_t writer = 0;              ///< the operation under way that writes it; 0: none
  uint16_t reader = 0, readers = 0; ///< the last of those that read it, how many there are
};

/// The words of global memory that were touched, in pages; blocks on several threads of this
/// machine ask at once.
class GlobalWords {
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

} // namespace weft::emulator
#endif
