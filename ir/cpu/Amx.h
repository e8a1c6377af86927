// The tiles of AMX, and how a kernel uses them.
#ifndef WEFT_IR_CPU_AMX_H
#define WEFT_IR_CPU_AMX_H

#include <cstdint>

namespace weft::cpu::amx {

/// There are eight, of 16 lines of 64 bytes at most.
constexpr int64_t lines = 16, lineBytes = 64;
/// Of the left side a line has 32 bfloat16, positions along k; of a panel, 16 words.
constexpr int64_t depth = 32;

/// A register tile of a kernel: sums [2][2], then the left side's rows [2], then panels [2].
constexpr int64_t rows = 2 * lines, panels = 2, leftTiles = 4, rightTiles = 6;

/// Where weights share scales, so many rows of a launch, as in decoding, are multiplied by vectors,
/// which widen weights as they read them.
constexpr int64_t fewRows = 8;
/// Registers of sums of those.
constexpr int64_t fewSums = 24;

/// What `ldtilecfg` reads: a palette, from byte 16 on the bytes of a line of each tile, as words,
/// and from byte 48 on how many lines each has.
constexpr int64_t shapeBytes = 64, lineBytesAt = 16, linesAt = 48;

} // namespace weft::cpu::amx

#endif // WEFT_IR_CPU_AMX_H
