// In which order the warps of a block run, and their lanes: what a program must not depend on.
#ifndef WEFT_RUNTIME_EMULATOR_SCHEDULE_H
#define WEFT_RUNTIME_EMULATOR_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace weft::emulator {

/// Seed 0 runs in turn from the first warp on, seed 1 from the last one. All others draw: an order
/// that is kept for a while, so that one warp runs far ahead of the others, and lanes in any order.
class Schedule {
public:
  Schedule(uint64_t seed, unsigned threads);

  /// All threads, in the order in which they may run next.
  const std::vector<unsigned> &order() const { return threads; }
  /// Whether the first warps of the order run as far as they can before the others begin.
  bool isStrict() const { return seed > 1; }
  /// A new order, some of the times it is called.
  void next();
  /// Whether a thread that has just told others something stops there for a while.
  bool pauses();

private:
  uint64_t draw();
  void shuffle();

  uint64_t seed, state;
  std::vector<unsigned> threads;
};

} // namespace weft::emulator
#endif
