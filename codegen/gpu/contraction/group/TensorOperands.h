// The sides of a kernel's products as tensors: what the host describes, and where a tile lies.
#ifndef WEFT_CODEGEN_GPU_CONTRACTION_GROUP_TENSOROPERANDS_H
#define WEFT_CODEGEN_GPU_CONTRACTION_GROUP_TENSOROPERANDS_H

#include "codegen/gpu/contraction/Group.h"
#include "codegen/gpu/contraction/TensorTiles.h"

namespace weft::gpu {

/// Each is one tensor, by number: what is both sides of a product, or of several, once for each way
/// in which tiles of it are copied.
class TensorOperands {
public:
  /// Of a kernel whose schedule is legal.
  TensorOperands(cuda::KernelCase kernel, const ContractionForm &form, const GroupTiles &tiles);

  struct Operand {
    unsigned number; ///< of the kernel's operands
    cuda::TensorSide side;
    std::pair<unsigned, unsigned> box;
    bool operator==(const Operand &other) const;
  };
  unsigned size() const { return unsigned(all.size()); }
  const Operand &operator[](unsigned number) const { return all[number]; }
  unsigned left(const Term &term) const;
  unsigned right(const Segment &segment, const Term &term) const;

  /// Whether all begin where tensors may, in every launch.
  bool begin(llvm::ArrayRef<unsigned> alignments) const;
  /// In the host's frame.
  llvm::SmallVector<TensorOfMap> tensors(Frame frame) const;
  /// Of a box of operand `number`, from those of its first element (i32) at a position of the batch
  /// (i64): one for each dimension of the tensor, i32.
  llvm::SmallVector<llvm::Value *> coordinates(Frame frame, unsigned number, llvm::Value *batch,
                                               llvm::Value *across, llvm::Value *deep) const;

private:
  Operand sideOf(mlir::Value value, llvm::ArrayRef<DimAttr> across, llvm::ArrayRef<DimAttr> depth,
                 bool isLeft) const;
  unsigned numberOf(const Operand &operand) const;

  cuda::KernelCase kernel;
  const ContractionForm &form;
  const GroupTiles &tiles;
  llvm::SmallVector<Operand, 0> all;
};

} // namespace weft::gpu

#endif // WEFT_CODEGEN_GPU_CONTRACTION_GROUP_TENSOROPERANDS_H
