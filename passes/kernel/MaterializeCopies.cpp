// What cannot be a view, or be written in place, is copied: returned, carried or stacked views,
// merges of dimensions that are not contiguous, and rows of a cache that no kernel can write there
// directly.
//
// After this every value that leaves a block is the result of a kernel or a loop of that block, and
// every operand of a kernel has a place (ir/kernel/Places.h).
#include "ir/kernel/Places.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_MATERIALIZECOPIES
#include "passes/Passes.h.inc"

namespace {
/// A kernel that copies `value` into the dense order of `type`; stands before `op`. What is free (a
/// constant, positions) has no place to be copied from, and is computed in the kernel.
Value copyBefore(Operation *op, Value value, model::NamedTensorType type) {
  OpBuilder builder(op);
  Location at = value.getLoc();
  Operation *def = value.getDefiningOp();
  bool free = def && def->hasTrait<model::Free>();
  auto fused = kernel::FusedOp::create(
      builder, at, TypeRange{type}, free ? kernel::Family::table : kernel::Family::rows, "copy",
      free ? ValueRange() : ValueRange(value), ArrayAttr(), DictionaryAttr());
  Block *body = builder.createBlock(&fused.getBody());
  Value source = free ? Value(builder.clone(*def)->getResult(0))
                      : Value(body->addArgument(value.getType(), at));
  auto arranged = model::ArrangeOp::create(builder, at, type, source);
  kernel::YieldOp::create(builder, at, ValueRange{arranged});
  return fused.getResult(0);
}

struct MaterializeCopies : impl::MaterializeCopiesBase<MaterializeCopies> {
  void runOnOperation() override {
    Places places(getOperation());
    getOperation()->walk([&](model::RegroupOp op) { makeContiguous(op, places); });
    getOperation()->walk([&](model::InsertPartOp op) {
      if (isCacheWrite(op) && !isWrittenInPlace(op))
        op.getInputMutable().assign(copyBefore(op, op.getInput(), model::typeOf(op.getInput())));
    });
    getOperation()->walk([&](Operation *op) {
      if (isBlockExit(op))
        for (OpOperand &operand : op->getOpOperands())
          leave(op, operand);
      if (auto repeat = dyn_cast<model::RepeatOp>(op))
        for (OpOperand &operand : op->getOpOperands())
          enter(op, operand);
    });
  }

  /// Whether the kernel that computes the rows can write them into the cache.
  static bool isWrittenInPlace(model::InsertPartOp write) {
    Value rows = write.getInput();
    while (auto merger = rows.getDefiningOp<model::RegroupOp>())
      rows = merger.getInput();
    return cacheWriteOf(rows) == write;
  }

  /// Lets the kernel of rows that computes `value`, for one user only, list its dimensions as
  /// `type` does.
  static bool reorder(Value value, model::NamedTensorType type) {
    auto fused = value.getDefiningOp<kernel::FusedOp>();
    if (!fused || fused.getFamily() != kernel::Family::rows || !value.hasOneUse())
      return false;
    Operation *yield = fused.getBody().front().getTerminator();
    OpOperand &inside = yield->getOpOperand(cast<OpResult>(value).getResultNumber());
    OpBuilder builder(yield);
    inside.set(
        model::ArrangeOp::create(builder, inside.get().getLoc(), type, inside.get()).getResult());
    value.setType(type);
    return true;
  }

  /// regroup(x)  ==>  regroup(copy(x)), with the merged dimensions innermost and in order; without
  /// the copy where x can be computed in that order.
  void makeContiguous(model::RegroupOp op, const Places &places) {
    if (op->getParentOfType<kernel::FusedOp>() || places.of(op.getResult()))
      return;
    model::DimList dims;
    ArrayRef<model::DimAttr> merged = op.getFrom();
    for (model::DimAttr dim : model::typeOf(op.getInput()).getDims())
      if (!llvm::is_contained(merged, dim))
        dims.push_back(dim);
    llvm::append_range(dims, merged);
    auto type = model::NamedTensorType::get(op.getContext(),
                                            model::typeOf(op.getInput()).getElement(), dims);
    Value copy = reorder(op.getInput(), type) ? op.getInput() : copyBefore(op, op.getInput(), type);
    // The result's listed order must stay what users were built with.
    OpBuilder builder(op);
    auto again = model::RegroupOp::create(builder, op.getLoc(), copy, op.getFrom(), op.getTo());
    if (again.getType() == op.getType()) {
      op.replaceAllUsesWith(again.getResult());
    } else {
      op.replaceAllUsesWith(copyBefore(op, again, op.getType()));
    }
    op.erase();
  }

  /// A value that leaves its block must be computed in it.
  void leave(Operation *op, OpOperand &operand) {
    Operation *def = operand.get().getDefiningOp();
    if (isCache(operand.get()))
      return; // its buffer is the caller's already
    bool computed =
        def && def->getBlock() == op->getBlock() &&
        (isa<kernel::FusedOp>(def) || (isa<model::RepeatOp>(def) && isa<func::ReturnOp>(op)));
    if (!computed)
      operand.set(copyBefore(op, operand.get(), model::typeOf(operand.get())));
  }

  /// What a loop carries or slices must be dense.
  void enter(Operation *op, OpOperand &operand) {
    Operation *def = operand.get().getDefiningOp();
    if (def && (isView(def) || def->hasTrait<model::Free>()))
      operand.set(copyBefore(op, operand.get(), model::typeOf(operand.get())));
  }
};
} // namespace
} // namespace weft
