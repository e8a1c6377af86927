// Copies to shared memory that a thread asks for and waits for (cp.async): in groups.
#include "runtime/emulator/Cluster.h"

#include <cstring>

using namespace weft::emulator;

namespace {
void copy(char *to, const char *from, uint32_t bytes, uint32_t given) {
  memcpy(to, from, given);
  memset(to + given, 0, bytes - given);
}

} // namespace

extern "C" {

/// `bytes` of which `given` are read, and the others are zeros.
void weft_emulated_copy(char *to, const char *from, uint32_t given, uint32_t bytes, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  auto refuse = [&](const std::string &text) {
    cluster.fail(cluster.named(thread) + " at " + std::to_string(site) + ": a copy " + text);
  };
  if (reinterpret_cast<uintptr_t>(to) % bytes || reinterpret_cast<uintptr_t>(from) % bytes)
    refuse("of " + std::to_string(bytes) + " bytes between addresses that are no multiple of that");
  if (given > bytes)
    refuse("of " + std::to_string(bytes) + " bytes is given " + std::to_string(given));
  Block *block = cluster.blockOf(reinterpret_cast<uintptr_t>(to));
  if (!block || to + bytes > block->shared + cluster.grid.shared)
    refuse("goes to where the block has no shared memory");
  ++cluster.counts.copies;
  cluster.counts.copiedBytes += given;
  cluster.counts.sharedCopyBytes += bytes;
  Copies::Copy asked;
  if (cluster.shadow) {
    if (given)
      touch(cluster, reinterpret_cast<uintptr_t>(from), given, false, Access::plain, site);
    uint16_t operation = cluster.operations.begin("a copy", site, thread.index);
    Pieces pieces = {{reinterpret_cast<uintptr_t>(to), bytes}};
    begins(cluster, operation, pieces, true, Path::threads, site);
    asked.ends = [&cluster, &thread, operation, pieces, site] {
      ends(cluster, pieces, true,
           {cluster.launch, cluster.number, cluster.era, thread.time, thread.index, site});
      cluster.operations.end(operation);
    };
  }
  if (cluster.landsNow()) {
    copy(to, from, bytes, given);
  } else {
    memset(to, 0xff, bytes);
    asked.lands = [=] { copy(to, from, bytes, given); };
  }
  thread.copies.open.push_back(std::move(asked));
}

void weft_emulated_copy_commit() {
  Copies &copies = Cluster::running().copies;
  copies.groups.push_back(std::move(copies.open));
  copies.open.clear();
}

/// Until at most `count` of the last groups are under way.
void weft_emulated_copy_wait(uint32_t count) {
  finish(Cluster::running().copies, count);
}

void weft_emulated_copy_wait_all() {
  weft_emulated_copy_commit();
  finish(Cluster::running().copies, 0);
}

} // extern "C"
