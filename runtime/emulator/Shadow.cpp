// What comes after what, by what threads know of each other, and what does not.
#include "runtime/emulator/Shadow.h"

#include "runtime/emulator/Cluster.h"

#include <algorithm>

namespace weft::emulator {

Word &GlobalWords::word(uintptr_t address, std::unique_lock<std::mutex> &guard) {
  uintptr_t number = address / wordBytes, page = number / wordsOfPage;
  Part &part = parts[page % locks];
  guard = std::unique_lock(part.mutex);
  std::unique_ptr<Word[]> &words = part.pages[page];
  if (!words)
    words = std::make_unique<Word[]>(wordsOfPage);
  return words[number % wordsOfPage];
}

namespace {

std::string hex(uintptr_t number) {
  char text[20];
  snprintf(text, sizeof text, "0x%zx", size_t(number));
  return text;
}

std::string at(uint16_t site) {
  return " at " + std::to_string(site);
}

/// Goes through the words of pieces of memory for one thread.
class Look {
public:
  Look(Cluster &cluster, uint16_t site)
      : cluster(cluster), thread(Cluster::running()), site(site) {}

  /// Calls `each` with every word, and which of its bytes are meant.
  template <class Each> void words(uintptr_t address, unsigned bytes, Each each) {
    Block *block = cluster.blockOf(address);
    for (uintptr_t end = address + bytes; address < end;) {
      unsigned first = address % wordBytes;
      unsigned count = std::min<uintptr_t>(wordBytes - first, end - address);
      uint8_t mask = ((1u << count) - 1) << first;
      std::string problem;
      if (block) {
        uintptr_t offset = address - reinterpret_cast<uintptr_t>(block->shared);
        problem = each(block->words[offset / wordBytes], mask, address, true);
      } else {
        std::unique_lock<std::mutex> guard;
        problem = each(cluster.shadow->word(address, guard), mask, address, false);
      }
      if (!problem.empty())
        cluster.fail(place(address, block) + ": " + problem);
      address += count;
    }
  }

  Access now(uint8_t bytes, Access::Kind kind) const {
    return {cluster.launch, cluster.number, cluster.era, thread.time,
            thread.index,   site,           bytes,       kind};
  }

  bool isAfter(const Access &before, bool isShared) const {
    if (before.launch != cluster.launch)
      return isShared || !cluster.grid.overlaps || thread.awaitedGrid ||
             before.launch + 1 != cluster.launch;
    if (before.cluster != cluster.number)
      return isShared || cluster.isAfterForeign(thread, before);
    if (before.kind == Access::landed)
      return timeOf(thread.knows.landed, before.thread) >= before.time;
    return before.thread == thread.index || before.era < cluster.era ||
           timeOf(thread.knows.seen, before.thread) >= before.time;
  }

  /// What `now` is not after, if it must be.
  const Access *unordered(const Word &word, const Access &now, bool writes, bool isShared) const {
    auto clashes = [&](const Access &before) {
      return before.launch && (before.bytes & now.bytes) &&
             !(before.kind == Access::atomic && now.kind == Access::atomic) &&
             !isAfter(before, isShared);
    };
    for (const Access &before : word.writes)
      if (clashes(before))
        return &before;
    if (writes)
      for (const Access &before : word.reads)
        if (clashes(before))
          return &before;
    return nullptr;
  }

  std::string race(const Word &word, const Access &before, const std::string &does) const {
    bool wrote = &before >= word.writes && &before < word.writes + 2;
    if (before.kind == Access::landed)
      return "race: " + does + (wrote ? " what a copy" : " what a product") + " asked for" +
             at(before.site) + (wrote ? " wrote" : " read") + ", and nothing has waited for it";
    std::string who =
        "thread " + std::to_string(before.thread) + " of " +
        (before.cluster == cluster.number ? "it" : "block " + std::to_string(before.cluster));
    return "race: " + does + " what " + who + (wrote ? " wrote" : " read") + at(before.site) +
           ", and nothing puts them in order";
  }

  std::string underWay(uint16_t operation, const std::string &does, bool writes) const {
    const Operation &other = cluster.operations[operation];
    return does + " what " + other.what + " of thread " + std::to_string(other.thread) +
           at(other.site) + (writes ? " still writes" : " still reads");
  }

  std::string says(bool writes, const char *what = nullptr) const {
    return cluster.named(thread) + (what ? std::string("'s ") + what : "") +
           (writes ? " writes" : " reads") + at(site);
  }

  void keep(Word &word, const Access &now, bool writes, bool isShared) const {
    if (writes) {
      Access &first = word.writes[0], &second = word.writes[1];
      bool covers = (first.bytes & ~now.bytes) == 0 || !isSame(first, now);
      if (!covers && ((second.bytes & ~now.bytes) == 0 || !isSame(second, now)))
        second = now;
      else {
        if (!covers)
          second = first; // the older one of three is lost
        first = now;
        if (isSame(second, now) && (second.bytes & ~now.bytes) == 0)
          second.launch = 0;
      }
      return;
    }
    for (Access &read : word.reads)
      if (!read.launch || (read.thread == now.thread && isSame(read, now)) ||
          isAfter(read, isShared)) {
        read = now;
        return;
      }
    word.reads[(now.time + now.thread) % 3] = now;
  }

private:
  static bool isSame(const Access &one, const Access &other) {
    return one.launch == other.launch && one.cluster == other.cluster;
  }

  std::string place(uintptr_t address, Block *block) const {
    return block ? "shared memory of " + block->named() + " + " +
                       hex(address - reinterpret_cast<uintptr_t>(block->shared))
                 : hex(address);
  }

  Cluster &cluster;
  const Thread &thread;
  uint16_t site;
};

} // namespace

void touch(Cluster &cluster, uintptr_t address, unsigned bytes, bool writes, Access::Kind kind,
           uint16_t site) {
  Look look(cluster, site);
  look.words(address, bytes, [&](Word &word, uint8_t mask, uintptr_t, bool isShared) {
    Access now = look.now(mask, kind);
    if (word.writer)
      return look.underWay(word.writer, look.says(writes), true);
    if (writes && word.readers)
      return look.underWay(word.reader, look.says(true), false);
    if (const Access *before = look.unordered(word, now, writes, isShared))
      return look.race(word, *before, look.says(writes));
    look.keep(word, now, writes, isShared);
    return std::string();
  });
}

void begins(Cluster &cluster, uint16_t operation, const Pieces &pieces, bool writes, Path path,
            uint16_t site) {
  Look look(cluster, site);
  const Thread &thread = Cluster::running();
  const char *what = cluster.operations[operation].what;
  for (const Piece &piece : pieces)
    look.words(piece.address, piece.bytes, [&](Word &word, uint8_t mask, uintptr_t, bool isShared) {
      if (word.writer && word.writer != operation)
        return look.underWay(word.writer, look.says(writes, what), true);
      if (writes && word.readers)
        return look.underWay(word.reader, look.says(true, what), false);
      Access now = look.now(mask, Access::plain);
      if (const Access *before = look.unordered(word, now, writes, isShared))
        return look.race(word, *before, look.says(writes, what));
      if (path == Path::copies)
        for (const Access &before : word.writes)
          if (before.launch == cluster.launch && before.cluster == cluster.number &&
              before.kind != Access::landed && (before.bytes & mask) &&
              timeOf(thread.knows.crossed, before.thread) < before.time)
            return look.says(writes, what) + " what thread " + std::to_string(before.thread) +
                   " of it wrote" + at(before.site) +
                   ", and no fence (fence.proxy.async) stands between";
      if (writes)
        word.writer = operation;
      else
        ++word.readers, word.reader = operation;
      return std::string();
    });
}

void ends(Cluster &cluster, const Pieces &pieces, bool writes, Access as) {
  Look look(cluster, as.site);
  for (const Piece &piece : pieces)
    look.words(piece.address, piece.bytes, [&](Word &word, uint8_t mask, uintptr_t, bool isShared) {
      as.bytes = mask;
      if (writes)
        word.writer = 0;
      else
        --word.readers;
      look.keep(word, as, writes, isShared);
      return std::string();
    });
}

} // namespace weft::emulator
