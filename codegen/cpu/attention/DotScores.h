// Scores of a few queries, from keys where they lie.
#ifndef WEFT_CODEGEN_CPU_ATTENTION_DOTSCORES_H
#define WEFT_CODEGEN_CPU_ATTENTION_DOTSCORES_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/emit/Stored.h"

namespace weft::cpu {

/// scores[row][key] = sum over `depth` of queries[row][…] * keys[key][…]: rows are contiguous,
/// their strides in elements. Pointers are to float, but for keys, all else is i64.
struct DotScores {
  llvm::Value *queries, *queryStride, *rows;
  llvm::Value *keys, *keyStride; // the first key of the block
  Stored key;                    // how an element of a key is stored
  llvm::Value *first, *end;      // the keys to do, from the block's first; multiples of 16
  llvm::Value *exist;            // keys of the block; beyond them the last one is read again
  llvm::Value *depth;
  llvm::Value *scores, *scoreStride;
};

/// Emits the loops: lanes lie along the depth, and every key is read once from memory.
void emitDotScores(llvm::IRBuilderBase &builder, Emission &emission, const DotScores &dots);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_ATTENTION_DOTSCORES_H
