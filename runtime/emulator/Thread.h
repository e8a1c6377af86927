// Threads of a device: what one is, and those that come together.
#ifndef WEFT_RUNTIME_EMULATOR_THREAD_H
#define WEFT_RUNTIME_EMULATOR_THREAD_H

#include "runtime/emulator/Clock.h"
#include "runtime/emulator/fibers/Fiber.h"

#include <functional>
#include <string>
#include <vector>

namespace weft::emulator {

class Block;
struct Thread;

/// Copies of one thread that go on by themselves, in the groups in which it waits for them.
struct Copies {
  struct Copy {
    std::function<void()> lands, ends;
  };
  std::vector<Copy> open;
  std::vector<std::vector<Copy>> groups; ///< that are under way, the oldest first
};
/// Ends the groups before the last `count`.
void finish(Copies &copies, uint32_t count);

struct Thread {
  Block *block = nullptr;
  Fiber *fiber = nullptr; ///< from its first instruction to its last
  uint16_t number = 0;    ///< in its block
  uint16_t index = 0;     ///< in its cluster
  bool ended = false;
  bool awaitedGrid = false; ///< the grid before, where launches overlap
  bool arrivedInCluster = false;
  uint16_t site = 0;
  const char *what = nullptr;                  ///< that it waits at, for messages
  std::string (*details)(uintptr_t) = nullptr; ///< more of what it waits for
  uintptr_t of = 0;
  Knowledge knows;
  uint32_t time = 1;
  Copies copies, bulks;

  unsigned warp() const { return number / lanesOfWarp; }
  unsigned lane() const { return number % lanesOfWarp; }
};

/// Lanes of a warp that come together: none goes on before all are there.
struct Meeting {
  uint32_t mask = 0, there = 0;
  uint16_t site = 0; ///< where the first one stands
  const void *brought[lanesOfWarp];
  void *takes[lanesOfWarp];

  /// What lane `lane` brought.
  template <class T> const T &from(unsigned lane) const {
    return *static_cast<const T *>(brought[lane]);
  }
};

struct Warp {
  Thread *threads = nullptr; ///< its lanes
  Block *block = nullptr;
  uint32_t runnable = 0, polling = 0; ///< lanes; those that poll go on when something has happened
  unsigned lane = 0;                  ///< that runs, or ran last
  bool down = false;                  ///< from which lane to which
  unsigned registers = 0;             ///< of each thread
  std::vector<Meeting> meetings;

  Meeting &meeting(uint32_t mask);
};

/// A barrier of a block by its number, or the one of a cluster.
struct Barrier {
  unsigned arrived = 0, expected = 0; ///< threads
  uint32_t round = 0;
  uint16_t site = 0;
  bool whole = false; ///< of all threads
  /// By warp of the cluster: lanes that have arrived, those of them that wait.
  uint32_t lanes[mostWarps * 8] = {}, waiting[mostWarps * 8] = {};
  std::vector<uint16_t> warps; ///< that have any
  unsigned votes = 0;          ///< of threads that said yes
  unsigned result = 0;         ///< of the round before
  Knowledge gathers, hands;    ///< of this round, of the one before
};

} // namespace weft::emulator
#endif
