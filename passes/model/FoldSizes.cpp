// size(d)  ==>  its number, or the polynomial in the dimensions that come with the data; so are
// sums and products of sizes, which then are exact however large.
#include "ir/model/Align.h"
#include "ir/model/Dims.h"
#include "passes/Passes.h"

using namespace mlir;
using namespace weft::model;

namespace weft {
#define GEN_PASS_DEF_FOLDSIZES
#include "passes/Passes.h.inc"

namespace {

struct FoldSizes : impl::FoldSizesBase<FoldSizes> {
  void runOnOperation() override {
    Dims dims(getOperation());
    getOperation().walk([&](Operation *op) {
      if (op->getNumResults() != 1 || isa<ConstantOp>(op) ||
          !isa<NamedTensorType>(op->getResult(0).getType()) || !isOfSizes(op->getResult(0)))
        return;
      Size size = dims.resolve(sizeOf(op->getResult(0)));
      OpBuilder builder(op);
      Value folded;
      if (auto number = size.constant())
        folded = ConstantOp::create(builder, op->getLoc(), builder.getI64IntegerAttr(*number));
      else if (!size.isUndefined())
        folded = SizeOp::create(builder, op->getLoc(), SizeAttr::get(&getContext(), size));
      if (!folded)
        return;
      op->replaceAllUsesWith(ValueRange(folded));
      op->erase();
    });
  }

  /// Of a value that isOfSizes; its operands are folded.
  static Size sizeOf(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto constant = dyn_cast<ConstantOp>(op))
      return Size::number(cast<IntegerAttr>(constant.getValue()).getInt());
    if (auto extent = dyn_cast<SizeOp>(op))
      return extent.getSize().getValue();
    Size first = sizeOf(op->getOperand(0));
    if (isa<NegOp>(op))
      return Size::number(0) - first;
    Size second = sizeOf(op->getOperand(1));
    return isa<AddOp>(op) ? first + second : isa<SubOp>(op) ? first - second : first * second;
  }
};

} // namespace
} // namespace weft
