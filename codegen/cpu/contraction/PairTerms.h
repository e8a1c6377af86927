// Which products of a contraction multiply pairs of bfloat16.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_PAIRTERMS_H
#define WEFT_CODEGEN_CPU_CONTRACTION_PAIRTERMS_H

#include "codegen/cpu/base/IsaEmission.h"
#include "ir/cpu/Cpu.h"

namespace weft::cpu {

/// How a kernel multiplies where both sides are stored as bfloat16, on the machine of `emission`.
/// Tiles multiply all terms of a kernel or none: its rows and columns are cut into register tiles
/// of one size.
PairProducts pairProductsOf(const Emission &emission, kernel::FusedOp op);

/// `schedule` with the tiles of AMX, and with blocks that are multiples of them. Few rows have no
/// tile of their own: of a wider one they would not fill more.
ContractionAttr withTiles(ContractionAttr schedule);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_PAIRTERMS_H
