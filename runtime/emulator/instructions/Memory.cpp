// Plain accesses to memory, where kernels tell of them; atomic ones; fences.
#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/Profile.h"

using namespace weft::emulator;

namespace {
/// How memory is accessed: bits, and the logarithm of the alignment from bit 8 on.
enum How : uint32_t { writes = 1, isAtomic = 2 };
} // namespace

extern "C" {

/// Before each access to memory that threads share.
void weft_emulated_touch(const void *place, uint32_t bytes, uint32_t how, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  if (!cluster.shadow && !cluster.profile && !cluster.mode.memory)
    return;
  ++cluster.counts.plain;
  uintptr_t address = reinterpret_cast<uintptr_t>(place);
  Block *block = cluster.blockOf(address);
  auto refuse = [&](const std::string &text) {
    cluster.fail(cluster.named(thread) + " at " + std::to_string(site) + ": " + text);
  };
  if (address & ((1u << (how >> 8)) - 1))
    refuse("an address is not a multiple of " + std::to_string(1u << (how >> 8)) +
           ", as the instruction wants it");
  if (block) {
    size_t offset = address - reinterpret_cast<uintptr_t>(block->shared);
    if (offset + bytes > cluster.grid.shared)
      refuse("shared memory + " + std::to_string(offset) + " is not within the " +
             std::to_string(cluster.grid.shared) + " bytes that the block has");
    if (block != thread.block && !block->alive)
      refuse("shared memory of " + block->named() + ", whose threads have ended");
  }
  const Memory *memory = cluster.mode.memory;
  if (!block && memory && !memory->holds(address, bytes))
    refuse(std::string(how & writes ? "writes " : "reads ") + std::to_string(bytes) +
           " bytes that are no memory of the device: " + memory->describe(address));
  if (cluster.profile)
    cluster.profile->note(thread, address, bytes, how & writes, block != nullptr, site);
  if (cluster.shadow)
    touch(cluster, address, bytes, how & writes, how & isAtomic ? Access::atomic : Access::plain,
          site);
}

/// Before an atomic access, which may go on with what others released, and hand on what it knows.
void weft_emulated_atomic(void *, uint32_t) {
  ++Cluster::current().counts.atomics;
}

void weft_emulated_fence() {
  ++Cluster::current().counts.fences;
}

/// What this thread knows to be written is seen by copies and matrix products too.
void weft_emulated_cross() {
  Cluster &cluster = Cluster::current();
  ++cluster.counts.fences;
  if (!cluster.shadow)
    return;
  Thread &thread = Cluster::running();
  Knowledge &knows = thread.knows;
  // Of the eras before everything is known, and up to when that was.
  auto all = std::make_shared<Times>(cluster.timesOfEra());
  std::shared_ptr<const Times> crossed = std::move(all);
  join(crossed, knows.seen);
  note(crossed, thread.index, thread.time++);
  join(knows.crossed, crossed);
}

} // extern "C"
