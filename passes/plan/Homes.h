// Buffer assignment: which storage every value of a function lives in, and for how long.
#ifndef WEFT_PASSES_PLAN_HOMES_H
#define WEFT_PASSES_PLAN_HOMES_H

#include "ir/kernel/storage/SharedStorage.h"

#include <list>

namespace weft {

/// A piece of memory that values live in.
struct Storage {
  enum class Kind { slot, input, output, parameter, packed };
  Kind kind = Kind::slot;
  /// The number of the input, output, slot or packed buffer; the name of the parameter.
  int64_t number = 0;
  mlir::StringAttr parameter;
  Size bytes;
  /// First and last op, by number, between which the content matters (slots only).
  int64_t start = 0, end = 0;
  /// What lies there first (slots only).
  mlir::Value first = {};
};

/// The address of a value that owns its memory (the root of a kernel::Place): a storage, plus so
/// many bytes for each pass of enclosing loops.
struct Home {
  Storage *storage = nullptr;
  llvm::SmallVector<std::pair<model::RepeatOp, Size>, 2> steps;
};

/// A copy, because a value could not be written to its destination directly.
struct Move {
  mlir::Value from;
  Home to;
  Size bytes;
};

/// Decides the homes of one function, in program order.
class Homes {
public:
  /// `share`: whether values may share memory: one after the other in a slot, or with their
  /// destination.
  Homes(mlir::func::FuncOp function, const Places &places, const SharedStorage &shared, bool share);

  const Home &of(mlir::Value root) const { return homes.find(root)->second; }
  /// Moves that end a block (a pass of a loop, the function), and those that begin a loop.
  llvm::ArrayRef<Move> movesAtEnd(mlir::Block *block) const;
  llvm::ArrayRef<Move> movesBefore(model::RepeatOp loop) const;
  /// Whether a pack kernel runs in `prepare`, because what it packs stays until parameters change.
  bool isPrepared(kernel::FusedOp op) const { return prepared.contains(op); }

  std::list<Storage> storages;

private:
  void number(mlir::Block &block);
  void visit(mlir::Block &block);
  void visit(kernel::FusedOp op);
  Size packedBytes(kernel::FusedOp op) const;
  void visit(model::RepeatOp op);
  void visitParam(model::ParamOp op);
  /// A new buffer for `value`, needed from `start` on.
  Storage &slot(mlir::Value value, const Size &bytes, int64_t start);
  Home outputHome(int64_t number);
  Home cacheHome(mlir::Attribute cache);
  Home parameterHome(mlir::Operation *op, mlir::StringAttr name);
  /// The destinations of a value: outputs, carried and stacked values, parameters.
  llvm::SmallVector<Home> wanted(mlir::Value value);
  bool isFree(kernel::FusedOp writer, mlir::OpResult result, const Home &target) const;
  bool mayOverwrite(kernel::FusedOp writer, mlir::OpResult result, mlir::Value old) const;
  void endBlock(mlir::Block &block);
  void measure();
  void writeOver(kernel::FusedOp op);
  void makeInOutput(kernel::FusedOp op);
  /// Whether one value alone has it as its home.
  bool isAlone(Storage *storage) const;
  /// The slot of an operand, not one of `taken`, that `op` reads as its last reader and may write
  /// `result` over; null where there is none.
  Storage *slotUnder(kernel::FusedOp op, mlir::OpResult result,
                     llvm::ArrayRef<Storage *> taken) const;
  bool mayBeLast(kernel::FusedOp op, unsigned number, mlir::Value root) const;
  void replace(Storage &own, Storage &by);
  int64_t lastUse(mlir::Value root, mlir::Block *home) const;

  mlir::func::FuncOp function;
  const Places &places;
  const SharedStorage &shared;
  llvm::DenseMap<mlir::Value, Home> homes;
  llvm::DenseMap<mlir::StringAttr, llvm::SmallVector<mlir::Value>> reads; // of each parameter
  llvm::DenseMap<mlir::Operation *, std::pair<int64_t, int64_t>> numbers;
  llvm::DenseMap<mlir::Block *, llvm::SmallVector<Move>> endMoves;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Move>> loopMoves;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Home>> carriedHomes, stackedHomes;
  llvm::DenseSet<mlir::Operation *> prepared;
  bool share;
  int64_t counter = 0, packedCount = 0;
};

} // namespace weft

#endif // WEFT_PASSES_PLAN_HOMES_H
