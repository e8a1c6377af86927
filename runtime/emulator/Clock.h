// What is ordered before what between the threads of a cluster.
#ifndef WEFT_RUNTIME_EMULATOR_CLOCK_H
#define WEFT_RUNTIME_EMULATOR_CLOCK_H

#include <cstdint>
#include <memory>
#include <vector>

namespace weft::emulator {

constexpr unsigned lanesOfWarp = 32, mostThreads = 1024, mostWarps = 32;

/// A vector clock: up to which of its times something of each thread is known; what it does not
/// reach is 0 (Lamport 1978; Mattern 1988; as data races are found in Flanagan, Freund, FastTrack,
/// 2009). Never changed once it is shared.
using Times = std::vector<uint32_t>;

/// What a thread knows of others, or what a barrier hands on. Null: nothing.
struct Knowledge {
  /// By thread of the cluster: what it did is done. A barrier of all threads begins a new era, in
  /// which everything of the eras before is done; this says more of the era that is.
  std::shared_ptr<const Times> seen;
  /// The same of what is seen by copies and matrix instructions too, which look at memory by a path
  /// of their own: writes that a fence between the paths has crossed. Kept over eras.
  std::shared_ptr<const Times> crossed;
  /// By barrier in shared memory: which of the copies that it counts have landed. Kept over eras.
  std::shared_ptr<const Times> landed;

  void join(const Knowledge &other);
};

/// `into` knows at least what `other` does.
void join(std::shared_ptr<const Times> &into, const std::shared_ptr<const Times> &other);
/// `into` knows of `index` up to `time`.
void note(std::shared_ptr<const Times> &into, unsigned index, uint32_t time);
inline uint32_t timeOf(const std::shared_ptr<const Times> &times, unsigned index) {
  return times && index < times->size() ? (*times)[index] : 0;
}

/// An access to memory by one thread, or by a copy.
struct Access {
  uint32_t launch = 0;  ///< 0: none
  uint32_t cluster = 0; ///< its number in the grid
  uint32_t era = 0, time = 0;
  uint16_t thread = 0; ///< of the cluster; of a copy, what counts it
  uint16_t site = 0;   ///< the instruction, by number
  uint8_t bytes = 0;   ///< of the word, as a mask
  enum Kind : uint8_t { plain, atomic, landed } kind = plain;
};

} // namespace weft::emulator
#endif
