// The threads of one block: each a fiber, with what they wait for, share and race on.
#ifndef WEFT_RUNTIME_EMULATOR_BLOCK_H
#define WEFT_RUNTIME_EMULATOR_BLOCK_H

#include "runtime/emulator/Clock.h"
#include "runtime/emulator/Fiber.h"
#include "runtime/emulator/Schedule.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::emulator {

/// Where a grid stands: in blocks, and threads of a block (a multiple of 32, at most 1024).
struct Grid {
  unsigned blocks[3] = {1, 1, 1};
  unsigned threads = 32;
};

class Block;

/// Threads that come together: none goes on before all are there.
struct Meeting {
  unsigned expected = 0, there = 0;
  uint32_t round = 0;
  uint16_t site = 0; ///< where the first one stands
  const void *brought[1024];
  void *takes[1024];
};

struct Thread {
  Block *block = nullptr;
  unsigned number = 0;
  Fiber fiber;
  bool ended = false;
  const Meeting *waits = nullptr; ///< until `round` is over
  uint32_t round = 0;
  const char *what = nullptr; ///< that it waits at, for messages
  uint16_t site = 0;

  unsigned warp() const { return number / lanesOfWarp; }
  unsigned lane() const { return number % lanesOfWarp; }
};

class Block {
public:
  Block(const Grid &grid, Stacks &stacks, char *shared, uint64_t seed);

  /// Runs all threads to their end. What went wrong, if something did.
  std::optional<std::string> run(const unsigned (&position)[3],
                                 const std::function<void()> &kernel);

  // What threads call, from their fibers.

  /// The thread that runs on this thread of the machine.
  static Thread &current();
  /// Waits for all threads of the block or (`warp`) of the thread's warp, which must stand at the
  /// same `site`. The last one runs `together` over what each brought and takes, in the order of
  /// the lanes.
  void meet(bool warp, const char *what, uint16_t site, const void *brings, void *takes,
            void (*together)(Meeting &));
  /// Everything before it in each thread of the warp (or of the block) is before what follows.
  void synchronize(bool warp);
  /// Ends the run with this message.
  [[noreturn]] void fail(std::string message);
  /// A thread by its place in the grid, for messages.
  std::string named(unsigned thread) const;

  const Grid &grid;
  unsigned position[3] = {0, 0, 0};
  char *shared;
  std::vector<Clock> clocks; ///< of each warp

private:
  static void body(void *thread);
  bool runWarp(const unsigned *lanes);
  std::string deadlock() const;

  Stacks &stacks;
  Schedule schedule;
  std::vector<Thread> threads;
  std::vector<Meeting> warpMeetings;
  Meeting blockMeeting;
  const std::function<void()> *kernel = nullptr;
  unsigned alive = 0;
  bool paused = false; ///< the warp that runs lets others go first
  std::optional<std::string> problem;
};

} // namespace weft::emulator
#endif
