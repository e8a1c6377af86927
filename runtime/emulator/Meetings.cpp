// Lanes that come together, and what threads know of each other then.
#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/Profile.h"

namespace weft::emulator {

Meeting &Warp::meeting(uint32_t mask) {
  Meeting *idle = nullptr;
  for (Meeting &each : meetings) {
    if (each.mask == mask)
      return each;
    if (!each.there)
      idle = &each;
  }
  if (!idle) {
    meetings.reserve(lanesOfWarp); // lanes keep no addresses of meetings, but those that run do
    idle = &meetings.emplace_back();
  }
  idle->mask = mask;
  return *idle;
}

void Cluster::meet(uint32_t mask, const char *what, uint16_t site, const void *brings, void *takes,
                   void (*together)(Meeting &)) {
  Thread &thread = running();
  Warp &warp = warpOf(thread);
  uint32_t lane = thread.lane(), bit = 1u << lane;
  if (!(mask & bit)) {
    char text[16];
    snprintf(text, sizeof text, "0x%08x", mask);
    fail(named(thread) + " comes to " + what + " at " + std::to_string(site) + " whose mask " +
         text + " has not its lane");
  }
  Meeting &meeting = warp.meeting(mask);
  if (!meeting.there)
    meeting.site = site;
  else if (meeting.site != site)
    fail(named(thread) + " comes to " + what + " at " + std::to_string(site) +
         " while others of its warp are at " + std::to_string(meeting.site));
  meeting.brought[lane] = brings;
  meeting.takes[lane] = takes;
  if ((meeting.there |= bit) != mask)
    return wait(what, site);
  if (together)
    together(meeting);
  meeting.there = 0;
  warp.runnable |= mask;
  if (profile && mask == ~0u)
    profile->flush(warp);
  maybePause();
}

Knowledge Cluster::release() {
  Thread &thread = running();
  Knowledge hands = thread.knows;
  if (shadow)
    note(hands.seen, thread.index, thread.time++);
  return hands;
}

void Cluster::acquire(const Knowledge &what) {
  running().knows.join(what);
}

void Cluster::synchronize(const std::vector<Thread *> &together) {
  Knowledge all;
  for (Thread *thread : together)
    all.join(thread->knows);
  auto seen = all.seen ? std::make_shared<Times>(*all.seen) : std::make_shared<Times>();
  if (seen->size() < threads.size())
    seen->resize(threads.size());
  for (Thread *thread : together)
    (*seen)[thread->index] = thread->time++;
  all.seen = std::move(seen);
  for (Thread *thread : together)
    thread->knows = all;
}

void Cluster::beginEra() {
  Knowledge all;
  for (Thread &thread : threads)
    all.join(thread.knows);
  all.seen = nullptr;
  ++era;
  for (Thread &thread : threads) {
    thread.knows = all;
    eraBegan[thread.index] = thread.time++;
  }
}

/// Blocks of one launch are in no order.
bool Cluster::isAfterForeign(const Thread &, const Access &) const {
  return false;
}

} // namespace weft::emulator
