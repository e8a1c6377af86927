// What threads know of each other when they come together.
#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/Profile.h"

namespace weft::emulator {

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

void finish(Copies &copies, uint32_t count) {
  while (copies.groups.size() > count) {
    for (Copies::Copy &each : copies.groups.front()) {
      if (each.lands)
        each.lands();
      if (each.ends)
        each.ends();
    }
    copies.groups.erase(copies.groups.begin());
  }
}

/// Blocks of one launch are in no order.
bool Cluster::isAfterForeign(const Thread &, const Access &) const {
  return false;
}

} // namespace weft::emulator
