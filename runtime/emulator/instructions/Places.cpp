// Where a thread stands in its grid, and memory that others in its cluster have.
// What a device's instructions are on this machine is in this folder: codegen/gpu replaces each by
// a call of one of these functions. `site` is the number of the instruction, for messages.
#include "runtime/emulator/Cluster.h"

using namespace weft::emulator;

extern "C" {

uint32_t weft_emulated_thread() {
  return Cluster::running().number;
}
uint32_t weft_emulated_threads() {
  return Cluster::current().grid.threads;
}
uint32_t weft_emulated_lane() {
  return Cluster::running().lane();
}
uint32_t weft_emulated_block(uint32_t axis) {
  return Cluster::running().block->position[axis];
}
uint32_t weft_emulated_blocks(uint32_t axis) {
  return Cluster::current().grid.blocks[axis];
}
char *weft_emulated_shared() {
  return Cluster::running().block->shared;
}
uint32_t weft_emulated_cluster_rank() {
  return Cluster::running().block->rank;
}
uint32_t weft_emulated_cluster_blocks() {
  return Cluster::current().grid.cluster;
}

/// The same place in the shared memory of another block of the cluster.
char *weft_emulated_map(char *address, uint32_t rank, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  if (rank >= cluster.blocks.size())
    cluster.fail(cluster.named(thread) + " asks at " + std::to_string(site) + " for block " +
                 std::to_string(rank) + " of a cluster of " +
                 std::to_string(cluster.blocks.size()));
  return cluster.blocks[rank]->shared + (address - thread.block->shared);
}

/// Instructions of a basic block.
void weft_emulated_executes(uint32_t count, uint32_t floats) {
  Counts &counts = Cluster::current().counts;
  counts.instructions += count;
  counts.floats += floats;
}

/// Registers of each thread of a group of four warps: what some give back others may have.
void weft_emulated_registers(uint32_t wanted, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  Warp &warp = cluster.warpOf(thread);
  if (wanted % 8 || wanted < 24 || wanted > 256)
    cluster.fail("a thread has 24 to 256 registers, in eights, not " + std::to_string(wanted));
  cluster.meet(-1, "a change of registers", site, nullptr, nullptr, nullptr);
  auto details = [](uintptr_t thread) {
    const Thread &waits = *reinterpret_cast<Thread *>(thread);
    return std::to_string(waits.block->freeRegisters) + " registers of its block are free, its " +
           "warp has " + std::to_string(waits.block->cluster.warpOf(waits).registers) +
           " for each thread";
  };
  while (warp.registers != wanted) {
    unsigned all = warp.registers * lanesOfWarp + thread.block->freeRegisters;
    if (all >= wanted * lanesOfWarp) {
      thread.block->freeRegisters = all - wanted * lanesOfWarp;
      warp.registers = wanted;
      cluster.maybePause();
    } else {
      cluster.poll("more registers", site, details, reinterpret_cast<uintptr_t>(&thread));
    }
  }
}

/// The grid before this one has ended, and what it wrote may be read.
void weft_emulated_await_grid() {
  Cluster::running().awaitedGrid = true;
}

} // extern "C"
