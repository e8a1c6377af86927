// Every operand and result of a kernel gets its layout: strides, or panels.
#include "ir/kernel/Places.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_CHOOSELAYOUTS
#include "passes/Passes.h.inc"

namespace {
struct ChooseLayouts : impl::ChooseLayoutsBase<ChooseLayouts> {
  void runOnOperation() override {
    Places places(getOperation());
    WalkResult result = getOperation()->walk([&](kernel::FusedOp op) {
      SmallVector<Attribute> layouts;
      for (Value input : op.getInputs()) {
        auto maker = input.getDefiningOp<kernel::FusedOp>();
        if (Attribute panels = maker ? maker->getAttr("panels") : Attribute()) {
          layouts.push_back(panels);
          continue;
        }
        std::optional<Place> place = places.of(input);
        if (!place) {
          op.emitError("an operand has no place; weft-materialize-copies comes first");
          return WalkResult::interrupt();
        }
        layouts.push_back(place->layout);
      }
      Attribute panels = op->getAttr("panels");
      for (Value result : op.getResults())
        layouts.push_back(panels ? panels : places.of(result)->layout);
      op.setLayoutsAttr(ArrayAttr::get(op.getContext(), layouts));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
} // namespace weft
