// Copies of many bytes or of tiles of a tensor by one thread (cp.async.bulk, TMA): to shared memory
// counted by a barrier in it, from there in groups that the thread waits for.
#include "runtime/emulator/Mbarriers.h"
#include "runtime/emulator/numbers/TensorMap.h"

#include <cstring>

using namespace weft::emulator;

namespace {
[[noreturn]] void refuse(uint16_t site, const std::string &text) {
  Thread &thread = Cluster::running();
  thread.block->cluster.fail(thread.block->cluster.named(thread) + " at " + std::to_string(site) +
                             ": a copy " + text);
}

/// Calls `each(in memory, in the box, bytes)` with pieces that lie together on both sides: an
/// address, null outside the tensor, and a place in bytes.
template <class Each> void throughBox(const TensorMap &map, const int32_t (&at)[5], Each each) {
  constexpr unsigned piece = 16; // what is mixed
  unsigned rowBytes = map.box[0] * map.elementBytes, elements = piece / map.elementBytes;
  uint64_t rows = map.boxBytes() / rowBytes;
  for (uint64_t row = 0; row < rows; ++row) {
    uint64_t rest = row, address = map.base;
    bool inside = true;
    for (unsigned i = 1; i < map.rank; ++i) {
      int64_t place = int64_t(at[i]) + int64_t(rest % map.box[i]);
      rest /= map.box[i];
      inside &= place >= 0 && uint64_t(place) < map.sizes[i];
      address += place * map.strides[i - 1];
    }
    auto pointer = [&](int64_t place) {
      return reinterpret_cast<char *>(address + place * map.elementBytes);
    };
    for (unsigned first = 0; first < map.box[0]; first += elements) {
      int64_t place = int64_t(at[0]) + first;
      uint64_t to = row * rowBytes + first * map.elementBytes;
      int64_t end = int64_t(map.sizes[0]);
      if (!inside || place >= end || place + elements <= 0)
        each(nullptr, to, piece);
      else if (place >= 0 && place + elements <= end)
        each(pointer(place), to, piece);
      else
        for (unsigned i = 0; i < elements; ++i)
          each(place + i >= 0 && place + i < end ? pointer(place + i) : nullptr,
               to + i * map.elementBytes, map.elementBytes);
    }
  }
}

const TensorMap &mapAt(const void *address, uint16_t site) {
  const TensorMap &map = *static_cast<const TensorMap *>(address);
  if (map.magic != TensorMap::expected || reinterpret_cast<uintptr_t>(address) % 64)
    refuse(site, "goes by what is not the description of a tensor");
  return map;
}

void checkShared(Cluster &cluster, char *place, uint64_t bytes, unsigned alignment, uint16_t site) {
  Block *block = cluster.blockOf(reinterpret_cast<uintptr_t>(place));
  if (!block || place + bytes > block->shared + cluster.grid.shared)
    refuse(site, "of " + std::to_string(bytes) + " bytes goes beyond the shared memory of a block");
  if (reinterpret_cast<uintptr_t>(place) % alignment)
    refuse(site, "is not at a multiple of " + std::to_string(alignment) + " in shared memory");
  if (!block->alive)
    refuse(site, "goes to shared memory of " + block->named() + ", whose threads have ended");
}

/// Where a tile of this kind may lie: what is mixed, in whole patterns.
unsigned alignmentOf(const TensorMap &map) {
  return map.swizzle == TensorSwizzle::none ? 128 : 128u << unsigned(map.swizzle);
}

/// A copy of `bytes` to `to`, done by `write`, that `barrier` counts.
void bringTo(Cluster &cluster, char *to, Mbarrier &barrier, uint32_t bytes, uint16_t site,
             std::function<void()> write) {
  expectCopies(barrier, site);
  cluster.counts.sharedCopyBytes += bytes;
  Pieces pieces = {{reinterpret_cast<uintptr_t>(to), bytes}};
  uint16_t operation = 0;
  if (cluster.shadow) {
    operation = cluster.operations.begin("a copy", site, Cluster::running().index);
    begins(cluster, operation, pieces, true, Path::copies, site);
  }
  memset(to, 0xff, bytes);
  cluster.later([=, &cluster, &barrier] {
    write();
    if (cluster.shadow) {
      Access landed{cluster.launch,     cluster.number,          cluster.era,
                    ++barrier.landings, uint16_t(barrier.agent), site};
      landed.kind = Access::landed;
      ends(cluster, pieces, true, landed);
      cluster.operations.end(operation);
    }
    bring(cluster, barrier, bytes);
  });
}

/// The same for each block of `mask`, at the same places of its shared memory; 0: for that of `to`.
void bringToAll(char *to, char *barrier, uint32_t mask, uint32_t bytes, uint16_t site,
                const std::function<void(char *)> &write) {
  Cluster &cluster = Cluster::current();
  Block *own = cluster.blockOf(reinterpret_cast<uintptr_t>(to));
  if (!mask)
    mask = 1u << own->rank;
  if (mask >> cluster.blocks.size())
    refuse(site, "goes to blocks that the cluster does not have");
  ptrdiff_t place = to - own->shared;
  Block *counts = cluster.blockOf(reinterpret_cast<uintptr_t>(barrier));
  if (!counts)
    refuse(site, "is counted by what is not in shared memory");
  // However many blocks get it, it is read once.
  ++cluster.counts.bulkCopies;
  cluster.counts.copiedBytes += bytes;
  for (auto &block : cluster.blocks)
    if (mask >> block->rank & 1) {
      char *there = block->shared + place;
      // The barrier is that of the block that the bytes go to.
      Mbarrier &counted = mbarrierAt(block->shared + (barrier - counts->shared), site);
      bringTo(cluster, there, counted, bytes, site, [=] { write(there); });
    }
}

/// A copy from shared memory, in the thread's open group.
void takeFrom(char *from, uint32_t bytes, uint16_t site, std::function<void()> move) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  ++cluster.counts.bulkCopies;
  cluster.counts.storedBytes += bytes;
  cluster.counts.sharedCopyBytes += bytes;
  Copies::Copy asked;
  if (cluster.shadow) {
    uint16_t operation = cluster.operations.begin("a copy", site, thread.index);
    Pieces pieces = {{reinterpret_cast<uintptr_t>(from), bytes}};
    begins(cluster, operation, pieces, false, Path::copies, site);
    asked.ends = [&cluster, &thread, operation, pieces, site] {
      ends(cluster, pieces, false,
           {cluster.launch, cluster.number, cluster.era, thread.time, thread.index, site});
      cluster.operations.end(operation);
    };
  }
  if (cluster.landsNow())
    move();
  else
    asked.lands = std::move(move);
  thread.bulks.open.push_back(std::move(asked));
}

void checkGlobal(Cluster &cluster, const char *place, unsigned bytes, uint16_t site) {
  auto address = reinterpret_cast<uintptr_t>(place);
  if (const Memory *memory = cluster.mode.memory; memory && !memory->holds(address, bytes))
    refuse(site, "of a tile touches " + std::to_string(bytes) +
                     " bytes that are no memory of the device: " + memory->describe(address));
}

void readGlobal(Cluster &cluster, const char *from, unsigned bytes, uint16_t site) {
  checkGlobal(cluster, from, bytes, site);
  if (cluster.shadow)
    touch(cluster, reinterpret_cast<uintptr_t>(from), bytes, false, Access::plain, site);
}

/// What goes to global memory counts as written by the thread that asked for it.
void writeGlobal(Cluster &cluster, char *to, const char *from, unsigned bytes, uint16_t site) {
  checkGlobal(cluster, to, bytes, site);
  if (cluster.shadow)
    touch(cluster, reinterpret_cast<uintptr_t>(to), bytes, true, Access::plain, site);
  memcpy(to, from, bytes);
}
} // namespace

extern "C" {

/// A box of a tensor whose first element is at `coordinates`, to shared memory; outside are zeros.
void weft_emulated_tile_load(char *to, char *barrier, const void *tensor,
                             const int32_t *coordinates, uint32_t rank, uint32_t mask,
                             uint16_t site) {
  Cluster &cluster = Cluster::current();
  const TensorMap map = mapAt(tensor, site);
  if (map.rank != rank)
    refuse(site, "of " + std::to_string(rank) + " dimensions goes by a tensor of " +
                     std::to_string(map.rank));
  checkShared(cluster, to, map.boxBytes(), alignmentOf(map), site);
  struct At {
    int32_t is[5];
  } at{};
  memcpy(at.is, coordinates, rank * sizeof(int32_t));
  if (cluster.shadow || cluster.mode.memory)
    throughBox(map, at.is, [&](char *from, uint64_t, unsigned bytes) {
      if (from)
        readGlobal(cluster, from, bytes, site);
    });
  bringToAll(to, barrier, mask, uint32_t(map.boxBytes()), site, [=](char *there) {
    throughBox(map, at.is, [&](char *from, uint64_t place, unsigned bytes) {
      char *cell = reinterpret_cast<char *>(
          swizzled(reinterpret_cast<uintptr_t>(there) + place, map.swizzle));
      if (from)
        memcpy(cell, from, bytes);
      else
        memset(cell, 0, bytes);
    });
  });
}

/// The other way; nothing is written outside.
void weft_emulated_tile_store(char *from, const void *tensor, const int32_t *coordinates,
                              uint32_t rank, uint16_t site) {
  Cluster &cluster = Cluster::current();
  const TensorMap map = mapAt(tensor, site);
  if (map.rank != rank)
    refuse(site, "of " + std::to_string(rank) + " dimensions goes by a tensor of " +
                     std::to_string(map.rank));
  checkShared(cluster, from, map.boxBytes(), alignmentOf(map), site);
  struct At {
    int32_t is[5];
  } at{};
  memcpy(at.is, coordinates, rank * sizeof(int32_t));
  takeFrom(from, uint32_t(map.boxBytes()), site, [=, &cluster] {
    throughBox(map, at.is, [&](char *to, uint64_t place, unsigned bytes) {
      if (to)
        writeGlobal(cluster, to,
                    reinterpret_cast<char *>(
                        swizzled(reinterpret_cast<uintptr_t>(from) + place, map.swizzle)),
                    bytes, site);
    });
  });
}

void weft_emulated_bulk_load(char *to, char *barrier, const char *from, uint32_t bytes,
                             uint32_t mask, uint16_t site) {
  Cluster &cluster = Cluster::current();
  if (bytes % 16 || reinterpret_cast<uintptr_t>(from) % 16)
    refuse(site, "of many bytes takes whole pieces of 16, not " + std::to_string(bytes));
  checkShared(cluster, to, bytes, 16, site);
  if (cluster.shadow)
    touch(cluster, reinterpret_cast<uintptr_t>(from), bytes, false, Access::plain, site);
  bringToAll(to, barrier, mask, bytes, site, [=](char *there) { memcpy(there, from, bytes); });
}

void weft_emulated_bulk_store(char *to, char *from, uint32_t bytes, uint16_t site) {
  Cluster &cluster = Cluster::current();
  if (bytes % 16 || reinterpret_cast<uintptr_t>(to) % 16)
    refuse(site, "of many bytes takes whole pieces of 16, not " + std::to_string(bytes));
  checkShared(cluster, from, bytes, 16, site);
  takeFrom(from, bytes, site, [=, &cluster] { writeGlobal(cluster, to, from, bytes, site); });
}

void weft_emulated_bulk_commit() {
  Copies &copies = Cluster::running().bulks;
  copies.groups.push_back(std::move(copies.open));
  copies.open.clear();
}

/// Until at most `count` of the last groups still read shared memory.
void weft_emulated_bulk_wait(uint32_t count) {
  finish(Cluster::running().bulks, count);
}

} // extern "C"
