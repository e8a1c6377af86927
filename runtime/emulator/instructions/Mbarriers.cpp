// Barriers in shared memory (mbarrier): phases of arrivals and of bytes that copies bring.
#include "runtime/emulator/Mbarriers.h"

using namespace weft::emulator;

namespace {
constexpr int64_t mostBytes = (1 << 20) - 1;

[[noreturn]] void refuse(uint16_t site, const std::string &text) {
  Thread &thread = Cluster::running();
  thread.block->cluster.fail(thread.block->cluster.named(thread) + " at " + std::to_string(site) +
                             ": " + text);
}

std::string wants(uintptr_t of) {
  const Mbarrier &barrier = *reinterpret_cast<Mbarrier *>(of);
  return "the barrier made at " + std::to_string(barrier.site) + ", in its phase " +
         std::to_string(barrier.phase) + ", wants " + std::to_string(barrier.pending) + " of " +
         std::to_string(barrier.count) + " arrivals and " + std::to_string(barrier.bytes) +
         " bytes";
}

/// If all are there that this phase wants, the next one begins.
void complete(Cluster &cluster, Mbarrier &barrier) {
  if (barrier.pending || barrier.bytes)
    return;
  ++barrier.phase;
  barrier.pending = barrier.count;
  barrier.hands = std::move(barrier.gathers);
  barrier.gathers = Knowledge();
  for (Thread *thread : barrier.waiting)
    cluster.wake(*thread);
  barrier.waiting.clear();
}

void arrive(Mbarrier &barrier, uint16_t site) {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.arrivals;
  if (!barrier.pending)
    refuse(site, "more arrivals than a phase of the barrier wants: " +
                     wants(reinterpret_cast<uintptr_t>(&barrier)));
  if (cluster.shadow)
    barrier.gathers.join(cluster.release());
  --barrier.pending;
  complete(cluster, barrier);
  cluster.maybePause();
}

bool isOver(const Mbarrier &barrier, uint32_t parity) {
  return (barrier.phase & 1) != (parity & 1);
}
} // namespace

namespace weft::emulator {

Mbarrier &mbarrierAt(char *address, uint16_t site) {
  Cluster &cluster = Cluster::current();
  Thread &thread = Cluster::running();
  Block *block = cluster.blockOf(reinterpret_cast<uintptr_t>(address));
  if (!block)
    refuse(site, "a barrier that is not in shared memory");
  if (!block->alive)
    refuse(site, "a barrier of " + block->named() + ", whose threads have ended");
  auto found = block->mbarriers.find(uint32_t(address - block->shared));
  if (found == block->mbarriers.end())
    refuse(site,
           "no barrier was made in shared memory + " + std::to_string(address - block->shared));
  Mbarrier &barrier = found->second;
  const Access &made = barrier.made;
  if (cluster.shadow && made.thread != thread.index && made.era >= cluster.era &&
      timeOf(thread.knows.seen, made.thread) < made.time)
    refuse(site, "race: the barrier that thread " + std::to_string(made.thread) + " made at " +
                     std::to_string(made.site) + ", and nothing puts them in order");
  return barrier;
}

void expectCopies(Mbarrier &barrier, uint16_t site) {
  Cluster &cluster = Cluster::current();
  if (cluster.shadow && !barrier.madeForCopies &&
      timeOf(Cluster::running().knows.crossed, barrier.made.thread) < barrier.made.time)
    refuse(site, "a copy is counted by the barrier made at " + std::to_string(barrier.made.site) +
                     ", and no fence (fence.mbarrier_init) has said it to copies");
}

void bring(Cluster &cluster, Mbarrier &barrier, uint32_t bytes) {
  barrier.bytes -= bytes;
  if (cluster.shadow)
    note(barrier.gathers.landed, barrier.agent, barrier.landings);
  complete(cluster, barrier);
}

} // namespace weft::emulator

extern "C" {

void weft_emulated_mbarrier_init(char *address, uint32_t count, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  if (!thread.block->holds(reinterpret_cast<uintptr_t>(address)) ||
      reinterpret_cast<uintptr_t>(address) % 8 || count == 0 || count >= 1 << 20)
    refuse(site, "a barrier is made at a multiple of 8 in the block's shared memory, for 1 to "
                 "2^20 - 1 arrivals, not for " +
                     std::to_string(count));
  Mbarrier &barrier = thread.block->mbarriers[uint32_t(address - thread.block->shared)];
  barrier = Mbarrier();
  barrier.count = barrier.pending = count;
  barrier.site = site;
  barrier.agent = cluster.agents++;
  barrier.made = {cluster.launch, cluster.number, cluster.era, thread.time, thread.index, site};
}

void weft_emulated_mbarrier_invalidate(char *address, uint16_t site) {
  mbarrierAt(address, site);
  Block &block = *Cluster::running().block;
  block.mbarriers.erase(uint32_t(address - block.shared));
}

/// What this thread made is known to copies.
void weft_emulated_mbarrier_fence() {
  Thread &thread = Cluster::running();
  ++thread.block->cluster.counts.fences;
  for (auto &[place, barrier] : thread.block->mbarriers)
    if (barrier.made.thread == thread.index)
      barrier.madeForCopies = true;
}

/// An arrival, after which the phase wants `bytes` more; the phase that it belongs to.
uint64_t weft_emulated_mbarrier_arrive(char *address, uint32_t bytes, uint32_t times,
                                       uint16_t site) {
  Mbarrier &barrier = mbarrierAt(address, site);
  uint64_t phase = barrier.phase;
  barrier.bytes += bytes;
  if (barrier.bytes > mostBytes || barrier.bytes < -mostBytes)
    refuse(site, "a phase of a barrier wants at most 2^20 - 1 bytes, not " +
                     std::to_string(barrier.bytes));
  for (uint32_t i = 0; i < times; ++i)
    arrive(barrier, site);
  return phase;
}

void weft_emulated_mbarrier_expect(char *address, uint32_t bytes, uint16_t site) {
  weft_emulated_mbarrier_arrive(address, bytes, 0, site);
}

/// Whether the phase of this parity is over. `blocks`: it waits for a while, and may give up.
uint32_t weft_emulated_mbarrier_wait(char *address, uint32_t parity, bool blocks, uint16_t site) {
  Mbarrier &barrier = mbarrierAt(address, site);
  Cluster &cluster = Cluster::current();
  uintptr_t of = reinterpret_cast<uintptr_t>(&barrier);
  ++cluster.counts.waits;
  if (!isOver(barrier, parity)) {
    if (!blocks || cluster.schedule.givesUp()) {
      cluster.poll("a barrier in shared memory", site, wants, of);
      return false;
    }
    barrier.waiting.push_back(&Cluster::running());
    cluster.wait("a barrier in shared memory", site, wants, of);
    if (!isOver(barrier, parity))
      return false;
  }
  if (cluster.shadow)
    cluster.acquire(barrier.hands);
  return true;
}

/// The same of a phase that an arrival named.
uint32_t weft_emulated_mbarrier_wait_phase(char *address, uint64_t phase, bool blocks,
                                           uint16_t site) {
  return weft_emulated_mbarrier_wait(address, phase & 1, blocks, site);
}

} // extern "C"
