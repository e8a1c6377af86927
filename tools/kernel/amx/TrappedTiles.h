// AMX instructions as they are, for machines that have AVX-512 and trap them.
#ifndef WEFT_TOOLS_KERNEL_AMX_TRAPPEDTILES_H
#define WEFT_TOOLS_KERNEL_AMX_TRAPPEDTILES_H

namespace weft::trial {

/// From now on an instruction of AMX that the processor does not know is done by Tiles.h, so that
/// what runs is the machine code that programs carry. Others end the process as before.
void trapTiles();

} // namespace weft::trial

#endif // WEFT_TOOLS_KERNEL_AMX_TRAPPEDTILES_H
