// contract(x, w)  ==>  contract(x, pack(w)): the right side of a contraction in panels of 16
// columns.
#include "ir/cpu/Tile.h"
#include "ir/kernel/ContractionForm.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_PACKOPERANDS
#include "passes/Passes.h.inc"

namespace {
struct PackOperands : impl::PackOperandsBase<PackOperands> {
  void runOnOperation() override {
    SmallVector<kernel::FusedOp> contractions;
    getOperation()->walk([&](kernel::FusedOp op) {
      if (op.getFamily() == kernel::Family::contraction)
        contractions.push_back(op);
    });
    for (kernel::FusedOp op : contractions)
      if (failed(packSides(op)))
        return signalPassFailure();
  }

  /// The right sides of products, by operand and panels.
  using Wanted = llvm::MapVector<std::pair<Value, Attribute>, SmallVector<OpOperand *>>;

  LogicalResult packSides(kernel::FusedOp fused) {
    std::string why;
    FailureOr<kernel::ContractionForm> form = kernel::readContraction(fused, &why);
    if (failed(form))
      return fused.emitOpError("cannot be built as a contraction: ") << why;
    llvm::DenseMap<Operation *, std::pair<OpOperand *, Attribute>> sides;
    for (const kernel::Segment &segment : form->segments)
      for (const kernel::Sum &sum : segment.sums)
        for (const kernel::Term &term : sum.terms)
          sides[term.op] = {&term.op->getOpOperand(!term.swapped),
                            kernel::PanelsAttr::get(&getContext(), form->batch, term.k,
                                                    segment.columns, cpu::panelWidth)};
    Wanted wanted; // in the order of the program
    for (auto contract : fused.getBody().front().getOps<model::ContractOp>())
      if (auto [side, panels] = sides.lookup(contract); side)
        wanted[{side->get(), panels}].push_back(side);
    for (auto &[what, uses] : wanted)
      pack(fused, cast<BlockArgument>(what.first), what.second, uses);
    return success();
  }

  /// Lets `uses` read the operand `right` in panels; other uses keep it as it is.
  static void pack(kernel::FusedOp fused, BlockArgument right, Attribute panels,
                   ArrayRef<OpOperand *> uses) {
    if (uses.size() != size_t(llvm::range_size(right.getUses()))) {
      fused.getInputsMutable().append(fused.getInputs()[right.getArgNumber()]);
      right = fused.getBody().front().addArgument(right.getType(), right.getLoc());
      for (OpOperand *use : uses)
        use->set(right);
    }
    OpOperand &operand = fused->getOpOperand(right.getArgNumber());
    operand.set(packed(fused, operand.get(), panels));
  }

  /// The op before which `source` is packed for `fused`: it, or the outermost loop around it that
  /// only reads what it packs, if panels stay.
  static Operation *placeOf(kernel::FusedOp fused, Value source) {
    Operation *place = fused;
    if (!model::packsAhead(fused->getParentOfType<func::FuncOp>()))
      return place;
    while (auto loop = dyn_cast<model::RepeatOp>(place->getParentOp())) {
      if (loop->isAncestor(source.getParentRegion()->getParentOp()))
        break;
      place = loop;
    }
    return place;
  }

  /// The pack kernel before `fused`.
  static Value packed(kernel::FusedOp fused, Value source, Attribute panels) {
    OpBuilder builder(placeOf(fused, source));
    auto op = kernel::FusedOp::create(builder, source.getLoc(), TypeRange{source.getType()},
                                      kernel::Family::pack, (fused.getLabel() + ".pack").str(),
                                      ValueRange{source}, ArrayAttr(), DictionaryAttr());
    Block *body = builder.createBlock(&op.getBody());
    kernel::YieldOp::create(builder, source.getLoc(),
                            ValueRange{body->addArgument(source.getType(), source.getLoc())});
    op->setAttr("panels", panels);
    return op.getResult(0);
  }
};
} // namespace
} // namespace weft
