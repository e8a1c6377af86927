// What comes after what, by the clocks of warps, and what does not.
#include "runtime/emulator/Shadow.h"

#include "runtime/emulator/Launch.h"

namespace weft::emulator {

Word &Shadow::word(uintptr_t address, std::unique_lock<std::mutex> &guard) {
  uintptr_t number = address / 4, page = number / wordsOfPage;
  Part &part = parts[page % locks];
  guard = std::unique_lock(part.mutex);
  std::unique_ptr<Word[]> &words = part.pages[page];
  if (!words)
    words = std::make_unique<Word[]>(wordsOfPage);
  return words[number % wordsOfPage];
}

/// Whether what `now` is comes after `before`. Blocks of one launch are in no order, but each has
/// shared memory of its own, which is here in one place.
static bool isAfter(const Access &before, const Access &now, const Thread &thread, bool isShared) {
  if (before.launch != now.launch)
    return true;
  if (before.block != now.block)
    return isShared;
  if (before.thread == thread.number)
    return true;
  unsigned warp = before.thread / lanesOfWarp;
  uint32_t seen = thread.block->clocks[thread.warp()].seen[warp];
  return warp == thread.warp() ? before.step < seen : before.step <= seen;
}

static std::string hex(uintptr_t number) {
  char text[20];
  snprintf(text, sizeof text, "0x%zx", size_t(number));
  return text;
}

void touch(Shadow &shadow, uint32_t launch, uintptr_t address, unsigned bytes, bool writes,
           uint16_t site) {
  const Thread &thread = Block::current();
  Block &block = *thread.block;
  uint32_t number =
      block.position[0] +
      block.grid.blocks[0] * (block.position[1] + block.grid.blocks[1] * block.position[2]);
  uint32_t step = block.clocks[thread.warp()].seen[thread.warp()];
  Access now{launch, number, step, uint16_t(thread.number), site};
  uintptr_t shared = reinterpret_cast<uintptr_t>(block.shared);
  bool isShared = address >= shared && address < shared + mostShared;
  // Elements of less than a word have a word of the shadow each, far away from all addresses.
  unsigned each = bytes < 4 ? 1 : 4;
  for (uintptr_t at = address; at < address + bytes; at += each) {
    std::unique_lock<std::mutex> guard;
    Word &word = shadow.word(each == 4 ? at : ~(at * 4), guard);
    const Access *other = isAfter(word.write, now, thread, isShared) ? nullptr : &word.write;
    if (writes)
      for (const Access &read : word.reads)
        if (!other && !isAfter(read, now, thread, isShared))
          other = &read;
    if (other) {
      bool wrote = other == &word.write;
      std::string text = "race at " + hex(at) + ": " + block.named(thread.number) +
                         (writes ? " writes" : " reads") + " at " + std::to_string(site) +
                         " what thread " + std::to_string(other->thread) + " of block " +
                         std::to_string(other->block) + (wrote ? " wrote" : " read") + " at " +
                         std::to_string(other->site) + ", and nothing puts them in order";
      guard.unlock();
      block.fail(std::move(text));
    }
    if (writes)
      word.write = now;
    else if (word.reads[0].thread == now.thread || isAfter(word.reads[0], now, thread, isShared))
      word.reads[0] = now;
    else
      word.reads[1] = now;
  }
}

} // namespace weft::emulator
