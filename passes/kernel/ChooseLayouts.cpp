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
        auto pack = input.getDefiningOp<kernel::FusedOp>();
        if (pack && pack.getFamily() == kernel::Family::pack) {
          layouts.push_back(pack->getAttr("panels"));
          continue;
        }
        std::optional<Place> place = places.of(input);
        if (!place) {
          op.emitError("an operand has no place; weft-materialize-copies comes first");
          return WalkResult::interrupt();
        }
        layouts.push_back(place->layout);
      }
      for (Value result : op.getResults())
        layouts.push_back(op.getFamily() == kernel::Family::pack ? op->getAttr("panels")
                                                                 : places.of(result)->layout);
      op.setLayoutsAttr(ArrayAttr::get(op.getContext(), layouts));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
} // namespace weft
