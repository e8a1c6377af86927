// Which block of a gradient of attention has which queries or keys.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GRADIENTGRID_H
#define WEFT_CODEGEN_GPU_ATTENTION_GRADIENTGRID_H

#include "codegen/gpu/base/DeviceEmission.h"
#include "ir/kernel/AttentionForm.h"

namespace weft::gpu {

/// Who owns a block's rows; its columns are then of the other.
enum class Owner { queries, keys };

/// Blocks for all positions of the batch: at each first those of queries, then those of keys. i64.
struct GradientGrid {
  int64_t rows;
  llvm::Value *queries, *each, *blocks;

  GradientGrid(Frame frame, const AttentionForm &form, int64_t rows);
  llvm::Value *batch(llvm::IRBuilderBase &builder, llvm::Value *block) const;
  /// Emits `tile` for both owners, and lets block `block` do the one of its first row.
  void emit(llvm::IRBuilderBase &builder, llvm::Value *block,
            llvm::function_ref<void(Owner owner, llvm::Value *first)> tile) const;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GRADIENTGRID_H
