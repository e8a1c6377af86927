// Barriers of a block, of a warp and of a cluster.
#include "runtime/emulator/Cluster.h"

using namespace weft::emulator;

namespace {
/// What a thread does at a barrier of its block.
enum Way : uint32_t { waits, arrives, counts, whetherAll, whetherAny };
const char *const name = "a barrier of the block";

[[noreturn]] void refuse(const std::string &text, uint16_t site) {
  Thread &thread = Cluster::running();
  thread.block->cluster.fail(thread.block->cluster.named(thread) + " at " + std::to_string(site) +
                             ": " + text);
}

std::string missing(uintptr_t of) {
  const Barrier &barrier = *reinterpret_cast<Barrier *>(of);
  return std::to_string(barrier.arrived) + " of " + std::to_string(barrier.expected) +
         " threads are there";
}

/// The last one is there.
void complete(Cluster &cluster, Block &block, Barrier &barrier, bool aligned, uint16_t site) {
  std::vector<Thread *> woken;
  for (uint16_t warp : barrier.warps) {
    if (aligned && barrier.lanes[warp] != ~0u)
      refuse("some lanes only of warp " + std::to_string(warp) +
                 " are at a barrier that is for "
                 "whole warps",
             site);
    for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
      if (barrier.waiting[warp] >> lane & 1)
        woken.push_back(
            &cluster.threadAt(block.rank * cluster.grid.threads + warp * lanesOfWarp + lane));
    barrier.lanes[warp] = barrier.waiting[warp] = 0;
  }
  if (cluster.shadow) {
    if (woken.size() == cluster.grid.threads && cluster.grid.cluster == 1)
      cluster.beginEra();
    else if (!woken.empty()) {
      woken[0]->knows.join(barrier.hands);
      cluster.synchronize(woken);
    }
    barrier.hands = Knowledge();
  }
  barrier.result = barrier.votes;
  barrier.votes = barrier.arrived = 0;
  barrier.warps.clear();
  ++barrier.round;
  for (Thread *thread : woken)
    cluster.wake(*thread);
}
} // namespace

extern "C" {

/// Barrier `id` of the block, for `count` threads of it; 0: for all.
uint32_t weft_emulated_barrier(uint32_t id, uint32_t count, bool yes, uint32_t way, bool aligned,
                               uint16_t site) {
  Thread &thread = Cluster::running();
  Block &block = *thread.block;
  Cluster &cluster = block.cluster;
  ++cluster.counts.barriers;
  if (id >= 16)
    refuse("a block has barriers 0 to 15, not " + std::to_string(id), site);
  Barrier &barrier = block.barriers[id];
  unsigned expected = count ? count : cluster.grid.threads;
  if (expected % lanesOfWarp || expected > cluster.grid.threads)
    refuse("a barrier is for whole warps of a block of " + std::to_string(cluster.grid.threads) +
               ", not for " + std::to_string(expected) + " threads",
           site);
  if (!barrier.arrived) {
    barrier.expected = expected;
    barrier.site = site;
    barrier.whole = !count;
  } else if (barrier.expected != expected) {
    refuse("barrier " + std::to_string(id) + " is for " + std::to_string(expected) +
               " threads, but at " + std::to_string(barrier.site) + " for " +
               std::to_string(barrier.expected),
           site);
  } else if (barrier.whole && barrier.site != site) {
    cluster.fail(cluster.named(thread) + " comes to " + name + " at " + std::to_string(site) +
                 " while others of its block are at " + std::to_string(barrier.site));
  }
  unsigned warp = thread.warp();
  uint32_t bit = 1u << thread.lane();
  if (barrier.lanes[warp] & bit)
    refuse("it arrives at barrier " + std::to_string(id) + " again before the others have", site);
  if (!barrier.lanes[warp])
    barrier.warps.push_back(warp);
  barrier.lanes[warp] |= bit;
  barrier.votes += yes;
  if (way == arrives) {
    if (cluster.shadow)
      barrier.hands.join(cluster.release());
  } else {
    barrier.waiting[warp] |= bit;
  }
  if (++barrier.arrived == barrier.expected) {
    complete(cluster, block, barrier, aligned, site);
    cluster.maybePause();
  } else if (way == arrives) {
    cluster.maybePause();
  } else {
    cluster.wait(name, site, barrier.whole ? nullptr : missing,
                 reinterpret_cast<uintptr_t>(&barrier));
  }
  switch (way) {
  case counts:
    return barrier.result;
  case whetherAll:
    return barrier.result == expected;
  default:
    return barrier.result != 0;
  }
}

void weft_emulated_warp_barrier(uint32_t mask, uint16_t site) {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.warpBarriers;
  auto order = [](Meeting &meeting) {
    Cluster &cluster = Cluster::current();
    if (!cluster.shadow)
      return;
    std::vector<Thread *> all;
    for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
      if (meeting.mask >> lane & 1)
        all.push_back(&cluster.warpOf(Cluster::running()).threads[lane]);
    cluster.synchronize(all);
  };
  cluster.meet(mask, "a barrier of the warp", site, nullptr, nullptr, order);
}

/// A thread says that it has come to where its cluster waits; `relaxed`: what it did does not
/// count.
void weft_emulated_cluster_arrive(bool relaxed, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  Barrier &barrier = cluster.barrier;
  ++cluster.counts.barriers;
  unsigned warp = thread.index / lanesOfWarp;
  uint32_t bit = 1u << thread.lane();
  if (barrier.lanes[warp] & bit)
    refuse("it arrives at the cluster's barrier again before the others have", site);
  barrier.lanes[warp] |= bit;
  barrier.expected = cluster.grid.cluster * cluster.grid.threads;
  if (cluster.shadow && !relaxed)
    barrier.gathers.join(cluster.release());
  if (++barrier.arrived == barrier.expected) {
    for (unsigned i = 0; i < barrier.expected / lanesOfWarp; ++i) {
      for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
        if (barrier.waiting[i] >> lane & 1)
          cluster.wake(cluster.threadAt(i * lanesOfWarp + lane));
      barrier.lanes[i] = barrier.waiting[i] = 0;
    }
    barrier.arrived = 0;
    barrier.hands = barrier.gathers;
    barrier.gathers = Knowledge();
    ++barrier.round;
  }
  thread.arrivedInCluster = true;
  cluster.maybePause();
}

void weft_emulated_cluster_wait(uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  if (!thread.arrivedInCluster)
    refuse("it waits for its cluster without having arrived", site);
  thread.arrivedInCluster = false;
  unsigned warp = thread.index / lanesOfWarp;
  uint32_t bit = 1u << thread.lane();
  if (cluster.barrier.lanes[warp] & bit) {
    cluster.barrier.waiting[warp] |= bit;
    cluster.wait("a barrier of the cluster", site, missing,
                 reinterpret_cast<uintptr_t>(&cluster.barrier));
  }
  if (cluster.shadow)
    cluster.acquire(cluster.barrier.hands);
}

} // extern "C"
