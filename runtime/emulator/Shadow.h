// Finds accesses that nothing puts in order: two of a word, one of them a write, and what touches
// memory that a copy or a matrix product still uses.
#ifndef WEFT_RUNTIME_EMULATOR_SHADOW_H
#define WEFT_RUNTIME_EMULATOR_SHADOW_H

#include "runtime/emulator/Words.h"

#include <vector>

namespace weft::emulator {

class Cluster;

/// Memory as an operation uses it: pieces of whole bytes.
struct Piece {
  uintptr_t address;
  uint32_t bytes;
};
using Pieces = std::vector<Piece>;

/// The current thread reads or writes; fails its cluster on a race.
void touch(Cluster &cluster, uintptr_t address, unsigned bytes, bool writes, Access::Kind kind,
           uint16_t site);

/// By which path an operation looks at memory: that of loads and stores, or its own one.
enum class Path { threads, copies };
/// The current thread asks for an operation that reads or writes these pieces until it ends.
void begins(Cluster &cluster, uint16_t operation, const Pieces &pieces, bool writes, Path path,
            uint16_t site);
/// It has ended; `as` is what others have to be after from here on.
void ends(Cluster &cluster, const Pieces &pieces, bool writes, Access as);

} // namespace weft::emulator
#endif
