// Values of a kernel at given positions, as C: each a variable of the block in which it is known.
#ifndef WEFT_CODEGEN_C_VALUES_H
#define WEFT_CODEGEN_C_VALUES_H

#include "codegen/c/Blocks.h"
#include "codegen/c/Names.h"
#include "ir/kernel/Movement.h"
#include "ir/kernel/RowProgram.h"

namespace weft::c {
using model::DimAttr, model::DimList;

/// A position along a dimension: a C expression of type int64_t, known in the block `level`.
struct Place {
  std::string text;
  unsigned level = 0;
};

/// The positions along every dimension that a value may have.
struct Frame : kernel::PlacedAlong<Frame, Place> {
  /// A C condition: where it is false, memory may not be read, for these positions are in another
  /// part. Empty: true.
  Place mask;

  Place at(DimAttr dim) const;
};

/// A tensor in memory: a pointer's name, and how elements lie behind it.
struct Memory {
  std::string name;
  kernel::LayoutAttr layout;
};

class Values {
public:
  /// Declares the pointers to the buffers. `wide`: floats are computed as doubles.
  Values(const kernel::RowProgram &program, const Names &names, Blocks &blocks, bool wide);

  /// The variable that holds `v` at the positions of `frame`.
  std::string value(mlir::Value v, const Frame &frame);
  /// Says that `computed` is the result of a reduction.
  void define(mlir::Operation *reduction, const Frame &frame, const std::string &computed);
  /// The element of result `number`, or of what a reduction keeps in scratch.
  std::string target(unsigned number, const Frame &frame);
  std::string cell(mlir::Operation *reduction, const Frame &frame);
  /// Gives a reduction cells of 8 bytes in scratch, behind `before` others; returns their number.
  Size declareCells(mlir::Operation *reduction, const Size &before);

  /// Loops over `dims`, the last one innermost.
  void loops(llvm::ArrayRef<DimAttr> dims, const Frame &frame,
             llvm::function_ref<void(const Frame &)> body);
  /// A new name that starts so.
  std::string fresh(llvm::StringRef start) { return start.str() + std::to_string(count++); }

  const bool wide;
  /// The block in which reductions end: what follows from them is not known outside it.
  unsigned rowLevel = 0;

private:
  std::string element(const Memory &memory, const Frame &frame);
  std::string compute(mlir::Value v, const Frame &frame);
  /// The outermost block in which `v` is known, and what tells it from others there.
  Place homeOf(mlir::Value v, const Frame &frame) const;
  /// The variable there, which is declared with `text` where there is none.
  std::string variable(llvm::StringRef start, const Place &home, llvm::StringRef type,
                       llvm::function_ref<std::string()> text);

  // Movement (Movement.cpp): nothing moves, an operand is evaluated at other positions.
  /// One of several operands.
  std::string chosen(llvm::ArrayRef<kernel::Read> reads, const Frame &frame);
  /// The positions at which an operand is read. What it does not have is masked.
  Frame readFrame(const kernel::Read &read, const Frame &frame);
  Place place(const kernel::Position &position, const Frame &frame);
  Place isWithin(const kernel::Range &range, const Frame &frame);
  /// A variable for what is computed from positions, once for each text.
  Place derived(llvm::StringRef type, const std::string &text, unsigned level);

  const kernel::RowProgram &program;
  const Names &names;
  Blocks &blocks;
  llvm::SmallVector<Memory> buffers;
  llvm::DenseMap<mlir::Operation *, Memory> cells;
  unsigned count = 0;
};

} // namespace weft::c

#endif // WEFT_CODEGEN_C_VALUES_H
