// Which products of a contraction multiply pairs of bfloat16.
#ifndef WEFT_CODEGEN_CPU_CONTRACTION_PAIRTERMS_H
#define WEFT_CODEGEN_CPU_CONTRACTION_PAIRTERMS_H

#include "codegen/cpu/base/IsaEmission.h"
#include "ir/cpu/Cpu.h"
#include "ir/kernel/ContractionForm.h"

namespace weft::cpu {

/// How a kernel multiplies where both sides are stored as bfloat16, or the right one in whole
/// numbers, on the machine of `emission`. Tiles multiply all terms of a kernel or none, but for few
/// rows of whole numbers: its rows and columns are cut into register tiles of one size.
PairProducts pairProductsOf(const Emission &emission, kernel::FusedOp op);

/// Of how many rows a launch is at most where the core itself widens weights that share scales.
int64_t fewRowsOf(const ContractionAttr &schedule, PairProducts pairs);

/// How the products of one term are computed.
struct TermProducts {
  PairProducts pairs;
  /// The right side is whole numbers that share scales: where a launch has more rows than a
  /// register tile of vectors, they are widened to pairs (ScaledPairs.h), which words or tiles
  /// multiply; else, as in decoding, both sides are widened to floats.
  bool scaled;
};

/// Of a kernel whose pairs are multiplied by `pairs`. Scaled ones are read in place on the left, so
/// they lie along k there.
TermProducts productsOf(const Emission &emission, kernel::FusedOp op, const kernel::Term &term,
                        PairProducts pairs);

/// `schedule` with the tiles of AMX, and with blocks that are multiples of them. Few rows have no
/// tile of their own: of a wider one they would not fill more.
ContractionAttr withTiles(ContractionAttr schedule);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_CONTRACTION_PAIRTERMS_H
