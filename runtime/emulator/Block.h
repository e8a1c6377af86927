// One block: its shared memory, barriers and what is under way in it.
#ifndef WEFT_RUNTIME_EMULATOR_BLOCK_H
#define WEFT_RUNTIME_EMULATOR_BLOCK_H

#include "runtime/emulator/Thread.h"
#include "runtime/emulator/Words.h"

#include <map>

namespace weft::emulator {

/// Shared memory of a block: as much as a device gives at most, and the distance between those of a
/// cluster's blocks.
constexpr size_t mostShared = 227 << 10, sharedWindow = 256 << 10;

/// A barrier in shared memory: of arrivals, and of bytes that copies bring.
struct Mbarrier {
  uint32_t count = 0, pending = 0; ///< arrivals: of a phase, and that this phase still wants
  int64_t bytes = 0;               ///< that this phase still wants
  uint32_t phase = 0;              ///< its number
  std::vector<Thread *> waiting;
  unsigned agent = 0; ///< of `Knowledge::landed`
  uint32_t landings = 0;
  Access made;
  bool madeForCopies = false; ///< a fence has said it to them
  Knowledge gathers, hands;   ///< of the phase that is, of the one before
  uint16_t site = 0;          ///< where it was made
};

/// Matrix products of a group of four warps that go on by themselves, and whose sums nobody may
/// touch.
struct Products;

class Cluster;

class Block {
public:
  Block(Cluster &cluster, unsigned rank, char *shared);
  ~Block();
  void begin(const unsigned (&position)[3]);
  bool holds(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(shared) < sharedWindow;
  }
  std::string named() const;

  Cluster &cluster;
  const unsigned rank; ///< in the cluster
  unsigned position[3] = {0, 0, 0};
  unsigned alive = 0; ///< threads
  char *const shared;
  std::unique_ptr<Word[]> words; ///< of shared memory, where races are looked for
  Barrier barriers[16];
  std::map<uint32_t, Mbarrier> mbarriers;          ///< by place in shared memory
  std::vector<std::unique_ptr<Products>> products; ///< by group of four warps
  unsigned freeRegisters = 0;
};

} // namespace weft::emulator
#endif
