// In which order the warps of a cluster run, and their lanes, and when what goes on by itself is
// done: what a program must not depend on.
#ifndef WEFT_RUNTIME_EMULATOR_FIBERS_SCHEDULE_H
#define WEFT_RUNTIME_EMULATOR_FIBERS_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace weft::emulator {

/// Each warp runs as far as it can before others do. Seed 0 takes the first warp first, and copies
/// land when nobody can go on without them; seed 1 the last one, and copies land at once. All
/// others draw: an order that is kept for a while, so that one warp runs far ahead of the others;
/// how often a thread that has told others something stops there; in which order lanes run; when
/// copies land.
class Schedule {
public:
  Schedule(uint64_t seed, unsigned warps);
  /// Draws anew for the cluster of this number: the same whenever and wherever it runs.
  void begin(uint64_t cluster);

  const std::vector<unsigned> &order() const { return warps; }
  /// A new order, some of the times it is called.
  void next();
  /// Whether a thread that has just told others something stops there for a while.
  bool pauses();
  /// Whether lanes of a warp run from the last one down.
  bool down();
  enum class Landings { late, early, drawn };
  Landings landings() const {
    return seed == 0 ? Landings::late : seed == 1 ? Landings::early : Landings::drawn;
  }
  /// Where landings are drawn: whether one is now.
  bool lands() { return draw() % 2; }
  /// Which of so many is next.
  unsigned choose(unsigned count) { return seed > 1 ? draw() % count : 0; }
  /// Whether a wait ends too early, as it may.
  bool givesUp() { return seed > 1 && draw() % 8 == 0; }

private:
  uint64_t draw();
  void shuffle();

  uint64_t seed, state;
  unsigned pausesOf = 0; ///< of 4 times
  std::vector<unsigned> warps;
};

} // namespace weft::emulator
#endif
