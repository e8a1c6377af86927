// What the lanes of a warp tell each other: shuffles, votes, sums, and who does it for all.
#include "runtime/emulator/Cluster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace weft::emulator;

namespace {
struct Shuffled {
  uint32_t value;
  unsigned from; // a lane
};

void exchange(Meeting &meeting) {
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    if (meeting.mask >> lane & 1) {
      unsigned from = meeting.from<Shuffled>(lane).from;
      if (!(meeting.mask >> from & 1))
        Cluster::current().fail("lane " + std::to_string(lane) + " takes at " +
                                std::to_string(meeting.site) + " the value of lane " +
                                std::to_string(from) + ", which does not take part");
      memcpy(meeting.takes[lane], &meeting.from<Shuffled>(from).value, sizeof(uint32_t));
    }
}

void ballot(Meeting &meeting) {
  uint32_t votes = 0;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    if (meeting.mask >> lane & 1)
      votes |= uint32_t(meeting.from<bool>(lane)) << lane;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    if (meeting.mask >> lane & 1)
      memcpy(meeting.takes[lane], &votes, sizeof votes);
}

enum Shift : uint32_t { up, down, butterfly, index };
enum Fold : uint32_t { add, least, most, leastSigned, mostSigned, bitAnd, bitOr, bitXor };

template <class T> T fold(uint32_t how, T a, T b) {
  switch (how) {
  case add:
    return a + b;
  case least:
  case leastSigned:
    return std::min(a, b);
  case most:
  case mostSigned:
    return std::max(a, b);
  case bitAnd:
    return a & b;
  case bitOr:
    return a | b;
  default:
    return a ^ b;
  }
}

struct Folded {
  uint32_t value, how;
};

void foldAll(Meeting &meeting) {
  uint32_t all = 0;
  bool first = true;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
    if (!(meeting.mask >> lane & 1))
      continue;
    const Folded &next = meeting.from<Folded>(lane);
    bool isSigned = next.how == leastSigned || next.how == mostSigned;
    all = first      ? next.value
          : isSigned ? uint32_t(fold(next.how, int32_t(all), int32_t(next.value)))
                     : fold(next.how, all, next.value);
    first = false;
  }
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    if (meeting.mask >> lane & 1)
      memcpy(meeting.takes[lane], &all, sizeof all);
}
} // namespace

extern "C" {

/// The value of another lane, and in bit 32 whether there is one within the lane's segment. It puts
/// no accesses to memory in order. `bounds` has the segments in bits 8 to 12, their end in 0 to 4.
uint64_t weft_emulated_shuffle(uint32_t mask, uint32_t value, uint32_t by, uint32_t bounds,
                               uint32_t shift, uint16_t site) {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.shuffles;
  int lane = Cluster::running().lane(), segment = bounds >> 8 & 31, end = bounds & 31;
  int last = (lane & segment) | (end & ~segment), from = lane;
  by &= 31;
  bool is = true;
  switch (shift) {
  case up:
    from = lane - int(by);
    is = from >= last;
    break;
  case down:
    from = lane + int(by);
    is = from <= last;
    break;
  case butterfly:
    from = lane ^ int(by);
    is = from <= last;
    break;
  default:
    from = (lane & segment) | (int(by) & ~segment & 31);
    is = from <= last;
  }
  Shuffled brings{value, unsigned(is ? from : lane)};
  uint32_t taken = 0;
  cluster.meet(mask, "a shuffle", site, &brings, &taken, exchange);
  return taken | uint64_t(is) << 32;
}

/// The lanes that say yes.
uint32_t weft_emulated_ballot(uint32_t mask, bool yes, uint16_t site) {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.votes;
  uint32_t votes = 0;
  cluster.meet(mask, "a vote", site, &yes, &votes, ballot);
  return votes;
}

uint32_t weft_emulated_fold(uint32_t value, uint32_t mask, uint32_t how, uint16_t site) {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.votes;
  Folded brings{value, how};
  uint32_t all = 0;
  cluster.meet(mask, "a reduction of the warp", site, &brings, &all, foldAll);
  return all;
}

/// The lane that is elected of these: always the same one of the same lanes, but not a known one.
uint32_t weft_emulated_elect(uint32_t mask, uint16_t site) {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.votes;
  cluster.meet(mask, "an election", site, nullptr, nullptr, nullptr);
  uint32_t rest = mask;
  for (unsigned skip = cluster.mode.seed % __builtin_popcount(mask); skip; --skip)
    rest &= rest - 1;
  return __builtin_ctz(rest);
}

} // extern "C"
