// What AMX does, for kernels on trial on machines that have none.
#ifndef WEFT_TOOLS_KERNEL_AMX_TILES_H
#define WEFT_TOOLS_KERNEL_AMX_TILES_H

#include <cstdint>

/// A thread has tiles of its own, which are poison until they are configured. What a processor
/// would refuse ends the process, and so does what no kernel has reason to do.
namespace weft::trial::tiles {

void configure(const uint8_t *from);
void release();
void clear(uint8_t tile);
/// A stride counts bytes.
void load(uint8_t tile, const char *from, int64_t stride);
void store(uint8_t tile, char *to, int64_t stride);
/// sums += left * right, of bfloat16: the first terms of all pairs are added up, and the second
/// ones, each from zero by fused multiply-adds; then both sums, and that to what there was.
/// Subnormal numbers count as zero, read or made, whatever the thread's own arithmetic does.
void multiply(uint8_t sums, uint8_t left, uint8_t right);

/// Whether this thread has configured tiles and not released them.
bool held();
/// How often threads of this process have configured tiles.
int64_t configurations();

} // namespace weft::trial::tiles

#endif // WEFT_TOOLS_KERNEL_AMX_TILES_H
