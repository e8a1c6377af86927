// Which positions every value of a function depends on: the proof that it is causal, or the
// operation that is not.
#ifndef WEFT_PASSES_MODEL_DECODE_CAUSALITY_H
#define WEFT_PASSES_MODEL_DECODE_CAUSALITY_H

#include "ir/model/Dims.h"
#include "passes/model/decode/Fact.h"

namespace weft::decode {

/// One pass over a function in program order; loops are visited until nothing changes.
class Causality {
public:
  /// No sequence is longer: the runtime refuses to generate more.
  static constexpr int64_t mostPositions = int64_t(1) << 28;

  /// `time` is a dimension that comes with the data.
  Causality(mlir::func::FuncOp function, const model::Dims &dims, DimAttr time);

  const Fact &of(mlir::Value value) const { return facts.find(value)->second; }
  /// Whether a dimension has as many positions as the sequence.
  bool grows(DimAttr dim) const { return dims.size(dim) == size; }
  /// How many positions before its own a reduction over the sequence looks back at most, where that
  /// is known: elements further back never take part.
  std::optional<int64_t> window(mlir::Operation *op) const {
    auto found = windows.find(op);
    return found == windows.end() ? std::nullopt : std::optional(found->second);
  }
  /// What keeps result `number` of the function from being causal along `time`, if anything.
  std::optional<Culprit> culprit(unsigned number) const;

private:
  // Transfer.cpp
  void visit(mlir::Block &block);
  void visit(mlir::Operation &op);
  void visitRepeat(model::RepeatOp op);
  Fact transfer(mlir::Operation &op, mlir::Value result);
  Fact unbounded(mlir::Operation &op, std::string what, std::vector<std::string> notes = {}) const;
  /// A value of which nothing is known but its reach.
  Fact opaque(mlir::Value value, Reach reach);
  Fact leaf(mlir::Operation &op);
  std::optional<std::string> brokenDim(mlir::Value value) const;
  std::optional<std::string> laterSize(mlir::Operation &op) const;

  // TransferElementwise.cpp
  Fact elementwise(mlir::Operation &op);
  Fact unary(mlir::Operation &op);
  Fact binary(mlir::Operation &op);
  Fact compare(model::CompareOp op);
  Fact where(model::WhereOp op);
  Fact clamp(model::ClampOp op);
  std::optional<Whole> wholeOf(mlir::Operation &op, const Whole &a, const Whole &b);
  /// Whether the form is what the program computes: nothing of it leaves 32 bits.
  bool isWithinInt(const Whole &whole) const;

  // TransferReduction.cpp
  Fact reduction(mlir::Operation &op);
  Fact contraction(model::ContractOp op);
  Fact softmax(model::SoftmaxOp op);
  Fact attention(model::AttentionOp op);
  /// The mask rule: `over` is reduced, where `takes` says which elements take part. `x` is what is
  /// known of them, `dims` are theirs.
  Fact reduced(mlir::Operation &op, const Fact &x, llvm::ArrayRef<DimAttr> dims,
               llvm::ArrayRef<DimAttr> over, const Formula &takes);

  // TransferMovement.cpp
  Fact movement(mlir::Operation &op);
  Fact regroup(model::RegroupOp op);
  Fact part(model::PartOp op);
  Fact pick(model::PickOp op);
  Fact gather(model::GatherOp op);
  Fact renamed(const Fact &fact, DimAttr from, DimAttr to);

  double largest(const Formula &where, const Linear &form) const;
  Unknown fresh() { return Unknown::opaque(opaques++); }
  Fact &operand(mlir::Operation &op, unsigned i) { return facts.find(op.getOperand(i))->second; }
  /// The reach of all operands.
  Reach reachOf(mlir::Operation &op);
  bool anyGrows(llvm::ArrayRef<DimAttr> names) const;

  mlir::func::FuncOp function;
  const model::Dims &dims;
  DimAttr time;
  Size size;
  llvm::DenseMap<mlir::Value, Fact> facts;
  llvm::DenseMap<mlir::Operation *, int64_t> windows;
  unsigned opaques = 0;
};

/// The dimension or list of dimensions in the words of the source: "`a`, `b`".
std::string quoted(llvm::ArrayRef<DimAttr> dims);
inline std::string quoted(DimAttr dim) {
  return "`" + dim.str() + "`";
}

} // namespace weft::decode

#endif // WEFT_PASSES_MODEL_DECODE_CAUSALITY_H
