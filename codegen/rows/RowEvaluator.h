// Values of a rows kernel at given positions: elementwise ops, loads, and movement ops as
// arithmetic on positions.
#ifndef WEFT_CODEGEN_ROWS_ROWEVALUATOR_H
#define WEFT_CODEGEN_ROWS_ROWEVALUATOR_H

#include "codegen/emit/Random.h"
#include "codegen/rows/RowCells.h"

#include <deque>

namespace weft::rows {

/// What is the same throughout a kernel's function.
struct RowContext {
  const RowProgram &program;
  Emission &emission;
  Numbers numbers;
  unsigned lanes; // of a vector
  llvm::Value *sizes, *buffers;
};

/// Evaluates values lazily, each once in its scope. What is the same for all lanes is a scalar, the
/// rest <L x …>.
class RowEvaluator {
public:
  /// `buffers`: the operands, then the results, in memory.
  RowEvaluator(llvm::IRBuilderBase &builder, Scopes &scopes, const RowContext &context,
               llvm::ArrayRef<MemoryTensor> buffers);

  /// The value of `v` at the positions of `frame`.
  llvm::Value *value(mlir::Value v, const RowFrame &frame);
  /// Sets the result of a reduction, for the scope of its rows.
  void define(mlir::Operation *reduction, const RowFrame &frame, llvm::Value *value);
  /// Stores result number `result` at the positions of each of `frames`.
  void store(unsigned result, llvm::ArrayRef<RowFrame> frames);
  /// Of buffer number `buffer`, an operand or a result: see MemoryTensor.
  void comesTogether(unsigned buffer, unsigned beside, bool inOwnRow) {
    buffers[buffer].beside = beside;
    buffers[buffer].inOwnRow = inOwnRow;
  }
  /// Elements of the buffer before the row of `frame`.
  llvm::Value *before(unsigned buffer, const RowFrame &frame) {
    return memory.before(buffers[buffer], frame);
  }

  /// Positions as whole numbers of the program: i32, one or one a lane.
  llvm::Value *position(const Place &place);
  /// The number of elements along a dimension, or along several.
  llvm::Value *extent(DimAttr dim);
  llvm::Value *extent(llvm::ArrayRef<DimAttr> dims);
  /// A place that stays valid as long as the evaluator.
  const Place *intern(const Place &place);
  /// Of a thread's lane; without a `first` it is the first of those side by side.
  const Place *internLane(Place place);

  /// The pass that is being emitted: cached values are written in their first pass and read in the
  /// others.
  unsigned pass = 0;
  /// The scope in which reductions end: what follows from them is not known outside it.
  unsigned rowLevel = 0;
  RowMemory memory;
  /// Cached values, and reductions with dimensions inside a row.
  RowCells cells;

private:
  llvm::Value *compute(mlir::Value v, const RowFrame &frame);
  llvm::Value *computeOp(mlir::Operation *op, const RowFrame &frame);
  llvm::Value *fromMemory(llvm::Value *raw, mlir::Type element);
  llvm::Value *toMemory(unsigned result, const RowFrame &frame, llvm::Type *type);
  llvm::Value *splat(llvm::Value *value) {
    return ElementwiseEmitter::splat(builder, value, context.lanes);
  }
  unsigned levelOf(mlir::Value v, const RowFrame &frame) const;
  Scopes::Key keyOf(mlir::Value v, const RowFrame &frame) const;
  bool isAtItsLoops(mlir::Value v, const RowFrame &frame) const;

  llvm::Value *random(model::RandomOp op, const RowFrame &frame); // RowRandom.cpp
  const RandomKey &randomKey();

  // Movement (RowMovement.cpp): an operand is evaluated at other positions.
  llvm::Value *move(mlir::Operation *op, const RowFrame &frame);
  RowFrame readFrame(const Read &read, llvm::Value *here, const RowFrame &frame);
  const Place *place(const Position &position, const RowFrame &frame);
  const Place *elementOf(mlir::Value index, const RowFrame &frame);
  const Place *computed(Position::Kind kind, const Place *first, const Place *second,
                        llvm::Value *size);
  Place shifted(Place place, Position::Kind kind, llvm::Value *by);
  Place joined(const Place &high, const Place &low, llvm::Value *size);
  Place quotient(const Place &flat, llvm::Value *size);
  Place rest(const Place &flat, const Place &whole, llvm::Value *size);
  bool isWholeVectors(llvm::Value *size) const;
  bool sharesQuotient(const Place &flat, llvm::Value *size) const;
  llvm::Value *isWithin(const Range &range, const RowFrame &frame);
  llvm::Value *lanePositions(const Place &place);
  llvm::Value *select(llvm::Value *condition, llvm::Value *yes, llvm::Value *no);
  llvm::Value *size(const Size &size);

  /// A kind of computation, and what it is computed from: places and sizes.
  using Derivation = std::pair<unsigned, llvm::SmallVector<const void *, 3>>;
  const Place *derive(const Derivation &how, unsigned level, llvm::function_ref<Place()> place);

  llvm::IRBuilderBase &builder;
  Scopes &scopes;
  const RowContext &context;
  llvm::SmallVector<MemoryTensor> buffers;
  llvm::StringMap<llvm::Value *> sizes;
  std::deque<Place> places;
  std::map<Derivation, const Place *> derived;
  std::map<Derivation, llvm::Value *> masks;
  std::optional<RandomKey> drawn;
};

} // namespace weft::rows

#endif // WEFT_CODEGEN_ROWS_ROWEVALUATOR_H
