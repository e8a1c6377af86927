// contract(x, w)  ==>  contract(x, copy(w)), where w is stored as f32 and the copy as bf16: matrix
// instructions, and those that add up products of two terms, want both sides narrow. A side in
// panels is so already, or is whole numbers, which are as exact. The same of an attention's
// queries, keys and values, and of these with the output and its gradient where gradients are
// found. The other side of its products are weights, which lie in no memory: that they are read as
// bf16 is said of the attention. With tf32 there is nothing to copy: products say that they read
// their sides so.
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/DimTable.h"
#include "ir/kernel/Places.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/kernel/storage/ScoredTwice.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_NARROWOPERANDS
#include "passes/Passes.h.inc"

namespace {
struct NarrowOperands : impl::NarrowOperandsBase<NarrowOperands> {
  using NarrowOperandsBase::NarrowOperandsBase;

  void runOnOperation() override {
    if (model::precisionOf(getOperation()) == model::Precision::tf32)
      return readAsTf32();
    if (model::precisionOf(getOperation()) != model::Precision::bf16)
      return;
    Places places(getOperation());
    auto dims = kernel::DimTable::of(getOperation());
    llvm::SetVector<kernel::FusedOp> products;
    getOperation()->walk([&](kernel::FusedOp op) {
      bool multiplies =
          op.getFamily() == kernel::Family::contraction || (!panels && attendsByTiles(op, dims));
      if (multiplies && op.getLayoutsAttr() && !updates(op) && mayBeNarrow(op, places))
        products.insert(op);
    });
    leaveScores(products, places);
    Copies copies;
    for (kernel::FusedOp op : products)
      narrow(op, places, copies);
    getOperation()->walk([&](kernel::FusedOp op) {
      if (op.getLayoutsAttr() && attendsByTiles(op, dims) && kernel::multipliesNarrow(op))
        narrowWeights(op);
    });
  }

private:
  void readAsTf32() {
    Places places(getOperation());
    getOperation()->walk([&](kernel::FusedOp op) {
      if (op.getFamily() == kernel::Family::contraction && op.getLayoutsAttr() && !updates(op) &&
          mayBeNarrow(op, places))
        for (auto contract : op.getBody().front().getOps<model::ContractOp>())
          contract.setTf32(true);
    });
  }

  static bool updates(kernel::FusedOp op) {
    auto function = op->getParentOfType<func::FuncOp>();
    return function && model::kindOf(function) == model::EntryKind::update;
  }

  /// Of a value, for all products of a block.
  using Copies = llvm::DenseMap<std::pair<Block *, Value>, Value>;

  static Attribute layoutOf(kernel::FusedOp op, unsigned operand) {
    return op.getLayoutsAttr()[operand];
  }

  /// Tables are f32 because 8 bits hold no positions and angles: their products stay as they are.
  static bool mayBeNarrow(kernel::FusedOp op, const Places &places) {
    return llvm::all_of(factorsOf(op), [&](BlockArgument factor) {
      Attribute layout = layoutOf(op, factor.getArgNumber());
      if (kernel::isPaired(layout) || kernel::weightFormatOf(layout))
        return true;
      Value given = op.getInputs()[factor.getArgNumber()];
      std::optional<Place> place = places.of(given);
      auto maker = place ? place->root.getDefiningOp<kernel::FusedOp>() : kernel::FusedOp();
      return place && model::typeOf(given).isFloat() && isa<kernel::LayoutAttr>(layout) &&
             !(maker && maker.getFamily() == kernel::Family::table);
    });
  }

  /// Whether `op` is an attention, or its gradient, that matrix instructions can compute, by its
  /// sizes.
  static bool attendsByTiles(kernel::FusedOp op, const kernel::DimTable &dims) {
    if (op.getFamily() != kernel::Family::attention &&
        op.getFamily() != kernel::Family::attention_grad)
      return false;
    FailureOr<kernel::AttentionForm> form = kernel::readAttention(op);
    constexpr int64_t most = 128;
    auto fits = [&](ArrayRef<model::DimAttr> list) {
      std::optional<int64_t> count = dims.known(kernel::sizeOf(list));
      return count && *count <= most;
    };
    if (failed(form))
      return false;
    bool sums = op.getFamily() == kernel::Family::attention_grad && form->addsInMemory();
    return !sums && form->isPlain() && fits(form->depth) && fits(form->values);
  }

  /// Leaves out what would be copied of an attention and not of its gradient, or of that alone:
  /// they would compute different scores.
  void leaveScores(llvm::SetVector<kernel::FusedOp> &products, const Places &places) {
    SharedStorage shared(getOperation(), places);
    SmallVector<kernel::ScoredTwice> all = kernel::scoredTwice(getOperation(), places, shared);
    size_t before = 0;
    do {
      before = products.size();
      for (kernel::ScoredTwice &scores : all)
        if (products.contains(scores.attention) != products.contains(scores.gradient)) {
          products.remove(scores.attention);
          products.remove(scores.gradient);
        }
    } while (products.size() != before);
  }

  static void narrowWeights(kernel::FusedOp op) {
    for (auto attention : op.getBody().front().getOps<model::AttentionOp>())
      attention.setNarrowWeights(true);
    for (auto gradient : op.getBody().front().getOps<model::AttentionGradOp>())
      gradient.setNarrowWeights(true);
  }

  static bool attends(Operation *op) { return isa<model::AttentionOp, model::AttentionGradOp>(op); }
  static bool multiplies(Operation *op) { return isa<model::ContractOp>(op) || attends(op); }

  static SmallVector<BlockArgument> factorsOf(kernel::FusedOp op) {
    SmallVector<BlockArgument> factors;
    auto add = [&](ValueRange sides) {
      for (Value side : sides)
        if (auto factor = dyn_cast<BlockArgument>(side);
            factor && !llvm::is_contained(factors, factor))
          factors.push_back(factor);
    };
    for (auto contract : op.getBody().front().getOps<model::ContractOp>())
      add(contract->getOperands());
    for (auto attention : op.getBody().front().getOps<model::AttentionOp>())
      add({attention.getQ(), attention.getK(), attention.getV()});
    for (auto gradient : op.getBody().front().getOps<model::AttentionGradOp>())
      add({gradient.getQ(), gradient.getK(), gradient.getV(), gradient.getOutput(),
           gradient.getGradient()});
    return factors;
  }

  void narrow(kernel::FusedOp op, const Places &places, Copies &copies) {
    for (BlockArgument factor : factorsOf(op)) {
      unsigned number = factor.getArgNumber();
      if (kernel::storageIn(layoutOf(op, number)))
        continue;
      Value given = op.getInputs()[number];
      Value &copy = copies[{op->getBlock(), given}];
      if (!copy)
        copy = copied(op, given, layoutOf(op, number), places);
      Attribute layout = layoutOfCopy(copy, places);
      SmallVector<OpOperand *> products;
      for (OpOperand &use : factor.getUses())
        if (multiplies(use.getOwner()))
          products.push_back(&use);
      SmallVector<Attribute> layouts(op.getLayoutsAttr().getValue());
      if (products.size() == size_t(llvm::range_size(factor.getUses()))) {
        op->setOperand(number, copy);
        layouts[number] = layout;
      } else { // what is computed beside the products reads the value as it is
        layouts.insert(layouts.begin() + op.getNumOperands(), layout);
        op.getInputsMutable().append(copy);
        BlockArgument added = op.getBody().front().addArgument(factor.getType(), factor.getLoc());
        for (OpOperand *use : products)
          use->set(added);
      }
      op.setLayoutsAttr(ArrayAttr::get(op.getContext(), layouts));
    }
  }

  static Attribute layoutOfCopy(Value copy, const Places &places) {
    return kernel::withStorage(places.dense(model::typeOf(copy)),
                               BFloat16Type::get(copy.getContext()));
  }

  /// The kernel that copies `value`: behind its maker, for all of its block that read the copy.
  Value copied(kernel::FusedOp reader, Value value, Attribute layout, const Places &places) {
    OpBuilder builder(reader);
    Operation *maker = value.getDefiningOp();
    if (maker && maker->getBlock() == reader->getBlock())
      builder.setInsertionPointAfter(maker);
    else
      builder.setInsertionPointToStart(reader->getBlock());
    auto copy = kernel::FusedOp::create(builder, value.getLoc(), TypeRange{value.getType()},
                                        panels ? kernel::Family::rows : kernel::Family::pack,
                                        (reader.getLabel() + ".narrow").str(), ValueRange{value},
                                        ArrayAttr(), DictionaryAttr());
    Block *body = builder.createBlock(&copy.getBody());
    kernel::YieldOp::create(builder, value.getLoc(),
                            ValueRange{body->addArgument(value.getType(), value.getLoc())});
    copy.setLayoutsAttr(builder.getArrayAttr({layout, layoutOfCopy(copy.getResult(0), places)}));
    return copy.getResult(0);
  }
};
} // namespace
} // namespace weft
