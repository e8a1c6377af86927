// A product of matrices that lie in scratch, over register tiles; what attention is made of.
#ifndef WEFT_CODEGEN_CPU_TILES_PRODUCT_H
#define WEFT_CODEGEN_CPU_TILES_PRODUCT_H

#include "codegen/cpu/tiles/MicroKernel.h"

namespace weft::cpu {

/// out[rows][panels * 16] (+)= left[rows][k] * right[k][panels * 16].
struct Product {
  Core core; // left: matrix or transposed; of tiles, which are shaped for 32 rows, a matrix
  llvm::Value *rows, *panels, *k;
  llvm::Value *left, *leftStride;
  llvm::Value *right, *rightStride; // as in CoreCall
  llvm::Value *out, *outStride;
  llvm::Value *accumulate; // i1
  /// Rows are a multiple of it, and no others are touched. Without it they are rounded up to whole
  /// tiles, where the left side is read and the result written.
  int64_t rowUnit = 0;
};

/// Has the left side be halves where a tile of floats was, `width` of these a row: its rows begin
/// where those did, and what is multiplied is from `first` on.
void takeHalves(llvm::IRBuilderBase &builder, Product &product, llvm::Value *tile,
                llvm::Value *first, int64_t width);

/// Emits the loops: panels of the right side outside, rows inside, so that the panels of a tile
/// stay in the first-level cache.
void emitProduct(llvm::IRBuilderBase &builder, Emission &emission, const Product &product);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_PRODUCT_H
