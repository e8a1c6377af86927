// Shared memory on which nothing was written yet.
#include "runtime/emulator/Cluster.h"
#include "runtime/emulator/Products.h"

#include <cstring>

namespace weft::emulator {

Block::Block(Cluster &cluster, unsigned rank, char *shared)
    : cluster(cluster), rank(rank), shared(shared) {
  if (cluster.shadow)
    words = std::make_unique<Word[]>(sharedWindow / wordBytes);
}

Block::~Block() = default;

void Block::begin(const unsigned (&at)[3]) {
  memcpy(position, at, sizeof position);
  alive = cluster.grid.threads;
  memset(shared, 0xff, cluster.grid.shared);
  for (Barrier &each : barriers)
    if (each.arrived || each.round)
      each = Barrier();
  mbarriers.clear();
  for (auto &each : products)
    each.reset();
  products.resize((cluster.grid.threads + threadsOfGroup - 1) / threadsOfGroup);
  freeRegisters = 0;
}

} // namespace weft::emulator
