// size(d)  ==>  its number, or the polynomial in the dimensions that come with the data.
#include "ir/model/Arithmetic.h"
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
    getOperation().walk([&](SizeOp op) {
      Size size = dims.resolve(op.getSize().getValue());
      if (size.isUndefined())
        return;
      OpBuilder builder(op);
      Value folded;
      if (auto number = size.constant())
        folded =
            ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(wrapped(*number)));
      else
        folded = SizeOp::create(builder, op.getLoc(), SizeAttr::get(&getContext(), size));
      op->replaceAllUsesWith(ValueRange(folded));
      op.erase();
    });
  }
};

} // namespace
} // namespace weft
