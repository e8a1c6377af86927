// The blocks that run together, most often one, and their threads: who runs, who waits for what.
#ifndef WEFT_RUNTIME_EMULATOR_CLUSTER_H
#define WEFT_RUNTIME_EMULATOR_CLUSTER_H

#include "runtime/emulator/Block.h"
#include "runtime/emulator/Counts.h"
#include "runtime/emulator/Launch.h"
#include "runtime/emulator/Operations.h"
#include "runtime/emulator/Shadow.h"
#include "runtime/emulator/fibers/Schedule.h"

#include <deque>
#include <functional>
#include <optional>

namespace weft::emulator {

class Profile;

class Cluster {
public:
  /// `shadow`: null where races are not looked for.
  Cluster(const Grid &grid, const Mode &mode, uint32_t launch, Stacks &stacks, char *shared,
          GlobalWords *shadow);
  ~Cluster();

  /// Runs the threads of the blocks from this position on to their end. What went wrong, if
  /// something did.
  std::optional<std::string> run(const unsigned (&position)[3], Kernel kernel,
                                 void *const *arguments);

  // What threads call, from their fibers.

  /// The thread that runs on this thread of the machine, or ran last.
  static Thread &running() { return *runs; }
  static Cluster &current() { return running().block->cluster; }
  /// Stops the current thread until somebody wakes it.
  void wait(const char *what, uint16_t site, std::string (*details)(uintptr_t) = nullptr,
            uintptr_t of = 0);
  void wake(Thread &thread);
  /// Stops the current thread until something has happened anywhere.
  void poll(const char *what, uint16_t site, std::string (*details)(uintptr_t), uintptr_t of);
  /// The current thread has told others something: the schedule may let them go first.
  void maybePause();
  /// Waits for the lanes of `mask`, which must stand at the same `site`. The last one runs
  /// `together` over what each brought and takes.
  void meet(uint32_t mask, const char *what, uint16_t site, const void *brings, void *takes,
            void (*together)(Meeting &));
  /// Ends the run with this message.
  [[noreturn]] void fail(std::string message);
  /// `lands` takes effect now or later, as the schedule wants it.
  void later(std::function<void()> lands);

  // Who knows what, where races are looked for.

  /// What the current thread hands on with what it tells others.
  Knowledge release();
  void acquire(const Knowledge &what);
  /// Everything that these threads did is before what they do next.
  void synchronize(const std::vector<Thread *> &threads);
  /// The same for all threads of the cluster: a new era.
  void beginEra();
  /// Of each thread, up to when everything belongs to the eras before.
  const Times &timesOfEra() const { return eraBegan; }
  bool isAfterForeign(const Thread &thread, const Access &before) const;

  Block *blockOf(uintptr_t address);
  std::string named(const Thread &thread) const;
  Warp &warpOf(const Thread &thread) { return warps[thread.index / lanesOfWarp]; }
  Thread &threadAt(unsigned index) { return threads[index]; }
  /// Whether what a thread asks for, and will wait for itself, is done at once.
  bool landsNow();

  const Grid &grid;
  const Mode &mode;
  const uint32_t launch;
  GlobalWords *const shadow;
  std::vector<std::unique_ptr<Block>> blocks;
  Barrier barrier; ///< of the cluster
  Operations operations;
  Schedule schedule;
  Counts counts;
  std::unique_ptr<Profile> profile; ///< where plain accesses are counted
  uint32_t number = 0, era = 1;
  unsigned agents = 0; ///< of `Knowledge::landed` so far

private:
  static constinit thread_local Thread *runs;
  static void body();
  Thread *next(Warp &warp);
  void begin(Thread &thread);
  void leave(Thread &thread);
  void runWarp(Warp &warp);
  bool landOne();
  std::string deadlock() const;
  std::string unfinished() const;
  std::string named(unsigned first, unsigned last) const;

  Kernel kernel = nullptr;
  void *const *arguments = nullptr;
  Stacks &stacks;
  Fiber scheduler;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  unsigned alive = 0;
  Times eraBegan;
  bool moved = false, paused = false;
  std::deque<std::function<void()>> landings;
  std::optional<std::string> problem;
};

} // namespace weft::emulator
#endif
