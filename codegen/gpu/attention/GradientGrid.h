// Which block of a gradient of attention owns which part of which results.
#ifndef WEFT_CODEGEN_GPU_ATTENTION_GRADIENTGRID_H
#define WEFT_CODEGEN_GPU_ATTENTION_GRADIENTGRID_H

#include "codegen/gpu/base/DeviceEmission.h"
#include "ir/cuda/attention/GradientOwners.h"

namespace weft::gpu {

/// Who owns a block's rows; its columns are then of the other.
enum class Owner { queries, keys };

/// Owners of the same positions of the batch have their blocks together: at each position first
/// those of the first owner, then those of the next.
class GradientGrid {
public:
  /// Of tiles of `rows` x `columns`. Owners live as long as it does.
  GradientGrid(Frame frame, llvm::ArrayRef<cuda::GradientOwner> owners, int64_t rows,
               int64_t columns);

  llvm::Value *blocks; ///< i64
  /// Where a block begins. i64.
  struct Place {
    llvm::Value *position; ///< of what the owner's `shared` has
    llvm::Value *row, *column;
  };
  using Tile = llvm::function_ref<void(const cuda::GradientOwner &owner, const Place &place)>;
  /// Emits `tile` for all owners, and lets block `block` do the one that is its own.
  void emit(llvm::Value *block, Tile tile) const;

private:
  struct Member {
    const cuda::GradientOwner *owner;
    llvm::Value *across, *tiles; ///< tiles side by side, and all of them
  };
  struct Group {
    llvm::SmallVector<Member> members;
    llvm::Value *each, *blocks; ///< of a position, and of all
  };
  void emitGroups(llvm::ArrayRef<Group> all, llvm::Value *block, Tile tile) const;
  /// Which tile, of those that the members have at a position.
  struct Number {
    llvm::Value *position, *tile;
  };
  void emitMembers(llvm::ArrayRef<Member> all, Number at, Tile tile) const;

  llvm::IRBuilderBase &b;
  int64_t rows, columns;
  llvm::SmallVector<Group> groups;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_ATTENTION_GRADIENTGRID_H
