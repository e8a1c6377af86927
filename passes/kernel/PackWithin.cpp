// contract(x, pack(w))  ==>  contract(x, w), which packs w itself.
#include "ir/kernel/Places.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_PACKWITHIN
#include "passes/Passes.h.inc"

namespace {
struct PackWithin : impl::PackWithinBase<PackWithin> {
  void runOnOperation() override {
    Places places(getOperation());
    SmallVector<kernel::FusedOp> packs;
    getOperation()->walk([&](kernel::FusedOp op) {
      if (isOfOneProduct(op, places))
        packs.push_back(op);
    });
    for (kernel::FusedOp pack : packs) {
      OpOperand &use = *pack->use_begin();
      auto product = cast<kernel::FusedOp>(use.getOwner());
      const unsigned number = use.getOperandNumber();
      SmallVector<Attribute> layouts(product.getLayoutsAttr().getValue());
      auto panels = cast<kernel::PanelsAttr>(layouts[number]);
      layouts[number] = pack.getLayoutsAttr()[0];
      product.setLayoutsAttr(ArrayAttr::get(&getContext(), layouts));
      use.set(pack.getInputs()[0]);
      kernel::packWithin(product, number, panels);
      pack.erase();
    }
  }

private:
  /// A parameter's panels in an entry that does not keep them, which one product reads, and which
  /// are not rounded: that is work which tasks would do again for each block of rows.
  static bool isOfOneProduct(kernel::FusedOp op, const Places &places) {
    if (op.getFamily() != kernel::Family::pack || !op->hasAttr("panels") || !op.getLayoutsAttr() ||
        !op->hasOneUse() || model::packsAhead(op->getParentOfType<func::FuncOp>()))
      return false;
    std::optional<Place> source = places.of(op.getInputs()[0]);
    auto product = dyn_cast<kernel::FusedOp>(*op->user_begin());
    return source && !kernel::storageIn(op.getLayoutsAttr()[1]) &&
           source->root.getDefiningOp<model::ParamOp>() && product &&
           product->getBlock() == op->getBlock() && product.getLayoutsAttr() &&
           product.getFamily() == kernel::Family::contraction &&
           product.getBody().getArgument(op->use_begin()->getOperandNumber()).hasOneUse();
  }
};
} // namespace
} // namespace weft
