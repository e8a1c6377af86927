// How large the pieces are that a side of a product can be copied in.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_PIECES_H
#define WEFT_CODEGEN_GPU_CONTRACTION_PIECES_H

#include "ir/kernel/Walk.h"

namespace weft::gpu {

struct Pieces {
  bool alongDepth;   ///< else across
  unsigned elements; ///< a power of two that lie side by side, from every multiple of it on
};

/// Of elements of `bytes` in a buffer at a multiple of `alignment` bytes: pieces of at most 16
/// bytes that are certain to lie at multiples of their size, whatever the sizes of a run.
Pieces piecesOf(const kernel::Walk &batch, const kernel::Walk &across, const kernel::Walk &depth,
                unsigned bytes, unsigned alignment);

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_PIECES_H
