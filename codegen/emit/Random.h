// Random numbers in code: the same function of seed, step, path and index as ir/reference/Random.h.
#ifndef WEFT_CODEGEN_EMIT_RANDOM_H
#define WEFT_CODEGEN_EMIT_RANDOM_H

#include "llvm/IR/IRBuilder.h"

namespace weft::emit {

/// What a kernel draws from (`plan.random_key`), i64 each.
struct RandomKey {
  llvm::Value *seed, *step, *first;

  /// Reads it behind the operands and results, of which there are `buffers`.
  static RandomKey load(llvm::IRBuilderBase &builder, llvm::Value *list, unsigned buffers);
};

/// Uniform in [0, 1), as `type` (float or double): a number, or one a lane where `index` has lanes.
/// `index` is that of the element, `key.first` included; `path` stands for the place in the
/// program.
llvm::Value *randomUnit(llvm::IRBuilderBase &builder, const RandomKey &key, uint32_t path,
                        llvm::Value *index, llvm::Type *type);

} // namespace weft::emit

#endif // WEFT_CODEGEN_EMIT_RANDOM_H
