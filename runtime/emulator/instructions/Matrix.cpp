// What a warp does with small matrices: its lanes hold pieces of them (ldmatrix, stmatrix).
#include "runtime/emulator/Cluster.h"

#include <cstring>

using namespace weft::emulator;

namespace {
constexpr unsigned rows = 8, rowBytes = 16;

/// A lane's part of a load or a store of `count` matrices of 8 by 8 numbers of 16 bits.
struct Part {
  char *row; ///< of matrix lane / 8, where there is one
  unsigned count;
  bool transposed;
  uint32_t values[4];
};

/// Number `which` of the two that a lane holds of a matrix.
char *placeOf(const Meeting &meeting, unsigned matrix, unsigned lane, unsigned which,
              bool transposed) {
  unsigned row = lane / 4, column = lane % 4 * 2 + which;
  if (transposed)
    std::swap(row, column);
  return meeting.from<Part>(matrix * rows + row).row + column * 2;
}

/// Rows that lie in the same banks are served one after the other.
void countConflicts(const Meeting &meeting, unsigned count) {
  for (unsigned matrix = 0; matrix < count; ++matrix) {
    unsigned perBanks[rows] = {}, most = 0;
    for (unsigned row = 0; row < rows; ++row) {
      uintptr_t address = reinterpret_cast<uintptr_t>(meeting.from<Part>(matrix * rows + row).row);
      most = std::max(most, ++perBanks[address / rowBytes % rows]);
    }
    Cluster::current().counts.matrixConflicts += most - 1;
  }
}

/// Looks at the row that this lane names.
void look(char *row, unsigned count, bool writes, uint16_t site) {
  Thread &thread = Cluster::running();
  Cluster &cluster = thread.block->cluster;
  if (thread.lane() >= count * rows)
    return;
  uintptr_t address = reinterpret_cast<uintptr_t>(row);
  Block *block = cluster.blockOf(address);
  if (!block || row + rowBytes > block->shared + cluster.grid.shared || address % rowBytes)
    cluster.fail(cluster.named(thread) + " at " + std::to_string(site) +
                 ": a row of a matrix is not at a multiple of 16 in the block's shared memory");
  if (cluster.shadow)
    touch(cluster, address, rowBytes, writes, Access::plain, site);
}

void loadAll(Meeting &meeting) {
  const Part &first = meeting.from<Part>(0);
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    for (unsigned matrix = 0; matrix < first.count; ++matrix) {
      uint16_t pair[2];
      for (unsigned which = 0; which < 2; ++which)
        memcpy(&pair[which], placeOf(meeting, matrix, lane, which, first.transposed), 2);
      memcpy(static_cast<uint32_t *>(meeting.takes[lane]) + matrix, pair, sizeof pair);
    }
  countConflicts(meeting, first.count);
}

void storeAll(Meeting &meeting) {
  const Part &first = meeting.from<Part>(0);
  for (unsigned lane = 0; lane < lanesOfWarp; ++lane)
    for (unsigned matrix = 0; matrix < first.count; ++matrix) {
      uint16_t pair[2];
      memcpy(pair, &meeting.from<Part>(lane).values[matrix], sizeof pair);
      for (unsigned which = 0; which < 2; ++which)
        memcpy(placeOf(meeting, matrix, lane, which, first.transposed), &pair[which], 2);
    }
  countConflicts(meeting, first.count);
}
} // namespace

extern "C" {

void weft_emulated_load_matrices(uint32_t *values, char *row, uint32_t count, bool transposed,
                                 uint16_t site) {
  Cluster &cluster = Cluster::current();
  look(row, count, false, site);
  Part part{row, count, transposed, {}};
  cluster.meet(-1, "a load of matrices", site, &part, values, loadAll);
  if (Cluster::running().lane() == 0) {
    ++cluster.counts.matrixLoads;
    cluster.counts.sharedMatrixBytes += count * rows * rowBytes;
  }
}

void weft_emulated_store_matrices(char *row, const uint32_t *values, uint32_t count,
                                  bool transposed, uint16_t site) {
  Cluster &cluster = Cluster::current();
  look(row, count, true, site);
  Part part{row, count, transposed, {}};
  memcpy(part.values, values, count * sizeof *values);
  cluster.meet(-1, "a store of matrices", site, &part, nullptr, storeAll);
  if (Cluster::running().lane() == 0) {
    ++cluster.counts.matrixStores;
    cluster.counts.sharedMatrixBytes += count * rows * rowBytes;
  }
}

} // extern "C"
