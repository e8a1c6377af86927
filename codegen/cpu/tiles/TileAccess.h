// A kernel's operand or result, read and written along the rows and columns of a tile.
#ifndef WEFT_CODEGEN_CPU_TILES_TILEACCESS_H
#define WEFT_CODEGEN_CPU_TILES_TILEACCESS_H

#include "codegen/cpu/base/IsaEmission.h"
#include "codegen/cpu/tiles/Prefetch.h"
#include "codegen/emit/Frame.h"
#include "codegen/emit/Stored.h"

namespace weft::cpu {

/// A strided value seen along axes. The order of use is `enterTask`, then `row`, then `load` or
/// `store`; what each emits must dominate the next.
class TileAccess {
public:
  TileAccess(Frame frame, kernel::LayoutAttr layout, model::NamedTensorType type, unsigned buffer,
             const Axes &axes);

  /// The bytes of tables that a task of at most so many rows and columns needs.
  int64_t tableBytes(int64_t maxRows, int64_t maxColumns) const;
  /// Computes the task's base address and fills in the tables of offsets at `tables`.
  void enterTask(const TaskRange &range, llvm::Value *tables, int64_t maxRows);
  /// Constant along the columns.
  bool perRow() const { return columns.invariant(); }

  /// Where row `index` (of all rows) starts.
  llvm::Value *row(llvm::Value *index) const;
  /// The element that a whole row shares.
  llvm::Value *loadShared(llvm::Value *row) const;
  void storeShared(llvm::Value *value, llvm::Value *row) const;
  /// `lanes` columns from `column` (a multiple of `lanes`, of all columns) on; lanes off in `mask`
  /// are not touched and read as 0. No mask: all are on. Elements are converted from and to their
  /// form in registers.
  llvm::Value *load(llvm::Value *row, llvm::Value *column, unsigned lanes, llvm::Value *mask) const;
  /// Where the rows of the task have whole lines, elements may be stored past the caches. Before
  /// others read them, `fenceNonTemporal` must have run.
  void store(llvm::Value *value, llvm::Value *row, llvm::Value *column, unsigned lanes,
             llvm::Value *mask, bool pastCaches = false) const;
  /// Whether the rows of the task are whole cache lines of float32 (i1).
  llvm::Value *hasWholeLines() const;
  /// Whether each row has columns of its own, `lanes` at a time side by side.
  bool hasRuns(unsigned lanes) const { return !rows.invariant() && columns.contiguousBy(lanes); }
  /// Asks for the memory of a column, which need not exist.
  void prefetch(llvm::Value *row, llvm::Value *column, Access access = Access::read) const;
  /// From here on bfloat16 is stored as the machine's instruction rounds to it, where there is one
  /// and a panel's columns lie side by side: it takes subnormal numbers for 0, as all arithmetic of
  /// programs does.
  void roundAsArithmetic();

private:
  llvm::Value *columnOffset(llvm::Value *column) const;
  llvm::Value *columnPointers(llvm::Value *row, llvm::Value *column, unsigned lanes) const;
  llvm::Value *toRegister(llvm::Value *value) const;

  Frame frame;
  bool isSwitch, rounds = false; // by an instruction
  Stored element;
  unsigned buffer;
  Walk batch, rows, columns;
  llvm::Value *base = nullptr, *rowTable = nullptr, *columnTable = nullptr;
  llvm::Value *firstRow = nullptr, *firstColumn = nullptr;
};

/// Stores a vector at a multiple of its size; elsewhere that faults.
void storePastCaches(llvm::IRBuilderBase &builder, llvm::Value *value, llvm::Value *to);
/// What has been stored past the caches is there before what is stored from here on.
void fenceNonTemporal(llvm::IRBuilderBase &builder);

/// table[i] = the offset in elements at index first + i, for i < count.
void fillOffsets(const Frame &frame, const Walk &walk, llvm::Value *first, llvm::Value *count,
                 llvm::Value *table);

} // namespace weft::cpu

#endif // WEFT_CODEGEN_CPU_TILES_TILEACCESS_H
