// contract(x, w)  ==>  contract(x, pack(w)): the right side of a contraction in panels of 16
// columns.
#include "passes/Passes.h"
#include "passes/fused/Outline.h"
#include "passes/kernel/Places.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_PACKOPERANDS
#include "passes/Passes.h.inc"

namespace {
using model::NamedTensorType;

constexpr int64_t panelWidth = 16;

/// Whether a kernel's operand is (a view of) a parameter.
bool isParameter(Value value, const Places &places) {
  std::optional<Place> place = places.of(value);
  return place && place->root.getDefiningOp<model::ParamOp>();
}

struct PackOperands : impl::PackOperandsBase<PackOperands> {
  void runOnOperation() override {
    Places places(getOperation());
    SmallVector<kernel::FusedOp> contractions;
    getOperation()->walk([&](kernel::FusedOp op) {
      if (op.getFamily() == kernel::Family::contraction)
        contractions.push_back(op);
    });
    for (kernel::FusedOp op : contractions)
      if (failed(pack(op, places)))
        return signalPassFailure();
  }

  LogicalResult pack(kernel::FusedOp fused, const Places &places) {
    Block &body = fused.getBody().front();
    for (auto contract : body.getOps<model::ContractOp>()) {
      auto lhs = dyn_cast<BlockArgument>(contract.getLhs()),
           rhs = dyn_cast<BlockArgument>(contract.getRhs());
      if (!lhs || !rhs)
        return contract.emitError("a contraction's sides must be operands of its kernel");
      bool swap = packed.contains(&fused->getOpOperand(lhs.getArgNumber())) ||
                  (isParameter(fused.getInputs()[lhs.getArgNumber()], places) &&
                   !isParameter(fused.getInputs()[rhs.getArgNumber()], places));
      BlockArgument left = swap ? rhs : lhs, right = swap ? lhs : rhs;
      if (!packed.contains(&fused->getOpOperand(right.getArgNumber())) &&
          llvm::range_size(right.getUses()) != 1)
        right = another(fused, right, contract, swap ? 0 : 1);
      OpOperand &operand = fused->getOpOperand(right.getArgNumber());
      if (!packed.insert(&operand).second)
        continue;
      operand.set(
          packFor(fused, operand.get(), model::typeOf(left), model::typeOf(right), contract));
    }
    return success();
  }

  /// A second operand for the same value, so that one use can be packed and the others not.
  static BlockArgument another(kernel::FusedOp fused, BlockArgument used,
                               model::ContractOp contract, unsigned side) {
    fused.getInputsMutable().append(fused.getInputs()[used.getArgNumber()]);
    BlockArgument added = fused.getBody().front().addArgument(used.getType(), used.getLoc());
    contract->setOperand(side, added);
    return added;
  }

  /// The pack kernel before `fused`; `rows`, `columns` and `batch` in the order the left side and
  /// the result have them.
  Value packFor(kernel::FusedOp fused, Value source, NamedTensorType left, NamedTensorType right,
                model::ContractOp contract) {
    SmallVector<StringAttr> rows, columns, batch;
    auto over = llvm::to_vector(contract.getOver().getAsRange<StringAttr>());
    for (StringAttr dim : left.getDims())
      if (llvm::is_contained(over, dim))
        rows.push_back(dim);
      else if (right.has(dim))
        batch.push_back(dim);
    for (StringAttr dim : over) // a summed dimension that only the right side has
      if (!left.has(dim))
        rows.push_back(dim);
    for (StringAttr dim : model::typeOf(contract.getResult()).getDims())
      if (right.has(dim) && !left.has(dim))
        columns.push_back(dim);
    OpBuilder builder(fused);
    auto layout = kernel::PanelsAttr::get(builder.getContext(), batch, rows, columns, panelWidth);
    auto op = kernel::FusedOp::create(builder, source.getLoc(), TypeRange{source.getType()},
                                      kernel::Family::pack, (fused.getLabel() + ".pack").str(),
                                      ValueRange{source}, ArrayAttr(), DictionaryAttr());
    Block *body = builder.createBlock(&op.getBody());
    kernel::YieldOp::create(builder, source.getLoc(),
                            ValueRange{body->addArgument(source.getType(), source.getLoc())});
    op->setAttr("panels", layout);
    return op.getResult(0);
  }

  llvm::SmallPtrSet<OpOperand *, 16> packed;
};
} // namespace
} // namespace weft
