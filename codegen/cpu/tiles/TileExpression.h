// The elementwise ops of a kernel's region, computed for the rows and columns of a tile.
#ifndef WEFT_CODEGEN_CPU_TILES_TILEEXPRESSION_H
#define WEFT_CODEGEN_CPU_TILES_TILEEXPRESSION_H

#include "codegen/cpu/tiles/TileAccess.h"
#include "codegen/emit/Random.h"

#include "llvm/ADT/DenseMap.h"

namespace weft::cpu {

/// Computes values of the region of `op` from its operands, from positions along the axes, and from
/// `given` values (say, the results of products). What is constant along the columns is computed
/// once a row, as a scalar. Use: `enterTask`, then `enterRow`, then `enterColumns`, then `value`;
/// what each emits must dominate the next.
class TileExpression {
public:
  TileExpression(Frame frame, kernel::FusedOp op, Axes axes, llvm::ArrayRef<mlir::Value> wanted,
                 llvm::ArrayRef<mlir::Value> given);

  /// A diagnostic on the kernel if an op cannot be computed.
  mlir::LogicalResult check();

  int64_t tableBytes(int64_t maxRows, int64_t maxColumns) const;
  void enterTask(const TaskRange &range, llvm::Value *tables, int64_t maxRows, int64_t maxColumns);
  void enterRow(llvm::Value *row);
  /// `values` are those of `given`, in lanes.
  void enterColumns(llvm::Value *column, unsigned lanes, llvm::Value *mask,
                    llvm::ArrayRef<llvm::Value *> values);
  /// Asks for what it will read of a row, of `count` times `lanes` columns from `column` on.
  void prefetch(llvm::Value *row, llvm::Value *column, llvm::Value *count, unsigned lanes) const;
  /// Whether it reads memory along the columns: then no lane may be beyond the last one, unless the
  /// mask has it off.
  bool readsColumns() const;
  /// A wanted value: a vector of lanes, or a scalar if it is the same in all of them.
  llvm::Value *value(mlir::Value wanted) { return known.lookup(wanted); }

private:
  bool perRow(mlir::Value value) const;
  void compute(bool perRow);
  llvm::Value *position(DimAttr dim);
  llvm::Value *random(model::RandomOp op);

  Frame frame;
  kernel::FusedOp op;
  Axes axes;
  llvm::SmallVector<mlir::Value> given;
  llvm::SmallVector<mlir::Operation *> ops;                 // in program order
  std::vector<std::pair<mlir::Value, TileAccess>> accesses; // region arguments that are read
  llvm::DenseMap<mlir::Value, llvm::Value *> known, rowPointers;
  std::optional<RandomKey> key; // of a row
  llvm::Value *batch = nullptr, *row = nullptr, *column = nullptr, *mask = nullptr;
  unsigned lanes = 0;
};

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_TILEEXPRESSION_H
