// What a device's instructions are on this machine: codegen/gpu/Emulate.cpp replaces each by a call
// of one of these. `site` is the number of the instruction, for messages.
#include "runtime/emulator/State.h"

#include <cstring>

using namespace weft::emulator;

namespace {
struct Shuffled {
  uint32_t value;
  int from; // a lane
};

void exchange(Meeting &meeting) {
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane) {
    int from = static_cast<const Shuffled *>(meeting.brought[lane])->from;
    uint32_t value = static_cast<const Shuffled *>(meeting.brought[from])->value;
    memcpy(meeting.takes[lane], &value, sizeof value);
  }
}

void ballot(Meeting &meeting) {
  uint32_t votes = 0;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    votes |= uint32_t(*static_cast<const bool *>(meeting.brought[lane])) << lane;
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    memcpy(meeting.takes[lane], &votes, sizeof votes);
}

/// All lanes take part in everything that our kernels do together.
void wantsAll(uint32_t mask, const char *what) {
  Block &block = *Block::current().block;
  if (mask != 0xffffffff)
    block.fail(std::string(what) + " of some lanes only, which is not emulated: " +
               block.named(Block::current().number));
}
} // namespace

extern "C" {

uint32_t weft_emulated_thread() {
  return Block::current().number;
}
uint32_t weft_emulated_threads() {
  return Block::current().block->grid.threads;
}
uint32_t weft_emulated_block(uint32_t axis) {
  return Block::current().block->position[axis];
}
uint32_t weft_emulated_blocks(uint32_t axis) {
  return Block::current().block->grid.blocks[axis];
}
char *weft_emulated_shared() {
  return Block::current().block->shared;
}

void weft_emulated_barrier(uint16_t site) {
  ++running().counts.barriers;
  auto order = [](Meeting &) { Block::current().block->synchronize(false); };
  Block::current().block->meet(false, "a barrier of the block", site, nullptr, nullptr, order);
}

void weft_emulated_warp_barrier(uint32_t mask, uint16_t site) {
  wantsAll(mask, "a barrier of a warp");
  auto order = [](Meeting &) { Block::current().block->synchronize(true); };
  Block::current().block->meet(true, "a barrier of the warp", site, nullptr, nullptr, order);
}

/// The value of lane `from`. It puts no accesses to memory in order.
uint32_t weft_emulated_shuffle(uint32_t mask, uint32_t value, uint32_t from, uint16_t site) {
  wantsAll(mask, "a shuffle");
  ++running().counts.shuffles;
  Shuffled brings{value, int(from % lanesOfWarp)};
  uint32_t taken = 0;
  Block::current().block->meet(true, "a shuffle", site, &brings, &taken, exchange);
  return taken;
}

uint32_t weft_emulated_lane() {
  return Block::current().lane();
}

/// The lanes that say yes.
uint32_t weft_emulated_ballot(uint32_t mask, bool yes, uint16_t site) {
  wantsAll(mask, "a vote");
  ++running().counts.votes;
  uint32_t votes = 0;
  Block::current().block->meet(true, "a vote", site, &yes, &votes, ballot);
  return votes;
}

/// Fails a block that touches what is no memory of its device.
static void wantsMemory(const Memory &memory, const void *address, uint32_t bytes, bool writes,
                        uint16_t site) {
  Block &block = *Block::current().block;
  auto at = reinterpret_cast<uintptr_t>(address),
       shared = reinterpret_cast<uintptr_t>(block.shared);
  if ((at >= shared && at + bytes <= shared + mostShared) || memory.holds(at, bytes))
    return;
  block.fail(block.named(Block::current().number) + (writes ? " writes " : " reads ") +
             std::to_string(bytes) + " bytes at " + std::to_string(site) +
             " that are no memory of the device: " + memory.describe(at));
}

/// Before each access to memory that threads share.
void weft_emulated_touch(const void *address, uint32_t bytes, bool writes, uint16_t site) {
  if (running().memory)
    wantsMemory(*running().memory, address, bytes, writes, site);
  if (running().shadow)
    touch(*running().shadow, running().launch, reinterpret_cast<uintptr_t>(address), bytes, writes,
          site);
}

} // extern "C"
