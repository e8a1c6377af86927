// The panels of parameters as whole numbers with scales, for inference.
#include "ir/kernel/Places.h"
#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "passes/Passes.h"
#include "passes/Remarks.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_ROUNDWEIGHTS
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;
using model::WeightFormat;

constexpr RemarkTopic topic{"weft-round-weights", "weights"};

/// Values that hang on a product, through kernels, views, loops and caches.
class Dependents {
public:
  explicit Dependents(kernel::FusedOp product) {
    add(product.getResults());
    for (size_t i = 0; i < values.size(); ++i)
      for (OpOperand &use : values[i].getUses())
        follow(use);
  }
  /// Whether a further product is among what hangs on it.
  bool multiplied = false;

private:
  void add(ValueRange more) { values.insert_range(more); }

  void follow(OpOperand &use) {
    Operation *user = use.getOwner();
    unsigned number = use.getOperandNumber();
    if (auto fused = dyn_cast<kernel::FusedOp>(user))
      multiplied |=
          fused.getFamily() == Family::contraction || fused.getFamily() == Family::attention;
    if (auto repeat = dyn_cast<model::RepeatOp>(user)) {
      // Operands are what is carried, then slices, as arguments of a pass are.
      add(repeat.getBody().front().getArgument(number));
      if (number < repeat.getNumCarried())
        add(repeat.getResult(number));
    } else if (isa<model::YieldOp>(user)) {
      auto repeat = cast<model::RepeatOp>(user->getParentOp());
      add(repeat.getResult(number));
      if (number < repeat.getNumCarried())
        add(repeat.getBody().front().getArgument(number));
    } else {
      add(user->getResults());
    }
  }

  llvm::SetVector<Value> values;
};

/// A kernel that packs a parameter.
struct Pack {
  kernel::FusedOp op;
  StringAttr parameter;
};

struct RoundWeights : impl::RoundWeightsBase<RoundWeights> {
  using RoundWeightsBase::RoundWeightsBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!as.empty())
      module->setAttr(model::attr::weights, StringAttr::get(&getContext(), as));
    std::optional<model::WeightsAs> asked = model::weightsAsOf(module);
    if (!asked)
      return;
    Places places(module);
    SmallVector<Pack> packs = parametersPacked(places);
    // A parameter that is the head of one entry and hides in another one has one storage in both.
    llvm::DenseMap<StringAttr, bool> isHead;
    for (const Pack &pack : packs) {
      bool &head = isHead.try_emplace(pack.parameter, true).first->second;
      head &= isLast(pack.op);
    }
    for (const Pack &pack : packs) {
      bool head = isHead[pack.parameter];
      const auto *rule = asked->ruleFor(pack.parameter.getValue(), head);
      if (!rule && head)
        remarkMissed(pack.op, topic,
                     "`" + pack.parameter.getValue() +
                         "` stays as it is: no other product hangs on its own (`head=int8` rounds "
                         "it too)");
      if (rule && rule->format)
        round(pack, *rule->format, places);
    }
  }

private:
  /// Of entries that change no parameters; weights that gradients are found of stay exact.
  SmallVector<Pack> parametersPacked(const Places &places) {
    SmallVector<Pack> packs;
    getOperation().walk([&](kernel::FusedOp op) {
      if (op.getFamily() != Family::pack || !op->hasAttr("panels") || !op.getLayoutsAttr())
        return;
      std::optional<model::EntryKind> kind = model::kindOf(op->getParentOfType<func::FuncOp>());
      if (kind == model::EntryKind::gradient || kind == model::EntryKind::update)
        return;
      std::optional<Place> place = places.of(op.getInputs()[0]);
      auto param = place ? place->root.getDefiningOp<model::ParamOp>() : model::ParamOp();
      if (param)
        packs.push_back({op, param.getNameAttr().getAttr()});
      else if (isMadeOfParameters(op, places))
        remarkMissed(op, topic,
                     "`" + op.getLabel() +
                         "`: its weights are computed of parameters in every run, so they are not "
                         "rounded");
    });
    return packs;
  }

  static bool isMadeOfParameters(kernel::FusedOp pack, const Places &places) {
    llvm::SetVector<Value> needed;
    needed.insert(pack.getInputs()[0]);
    bool any = false;
    for (size_t i = 0; i < needed.size(); ++i) {
      std::optional<Place> place = places.of(needed[i]);
      Operation *maker = place ? place->root.getDefiningOp() : nullptr;
      if (isa_and_nonnull<model::ParamOp>(maker))
        any = true;
      else if (auto fused = dyn_cast_if_present<kernel::FusedOp>(maker))
        needed.insert_range(fused.getInputs());
      else
        return false;
    }
    return any;
  }

  /// What an entry begins a decoding with is multiplied in its steps.
  static bool isLast(kernel::FusedOp pack) {
    if (model::kindOf(pack->getParentOfType<func::FuncOp>()) == model::EntryKind::begin)
      return false;
    return llvm::none_of(pack->getUsers(), [](Operation *user) {
      auto product = dyn_cast<kernel::FusedOp>(user);
      return product && Dependents(product).multiplied;
    });
  }

  void round(Pack pack, WeightFormat format, const Places &places) {
    auto panels = cast<kernel::PanelsAttr>(pack.op->getAttr("panels"));
    if (!places.sizes.size(panels.getRows()).constant())
      return remarkMissed(pack.op, topic,
                          "`" + pack.parameter.getValue() +
                              "`: how many of its weights a product adds up is known at run time "
                              "only, so they are not rounded");
    Type type = IntegerType::get(&getContext(), format == WeightFormat::int8 ? 8 : 4);
    Value result = pack.op.getResult(0);
    setStorage(pack.op, pack.op.getNumOperands(), type);
    for (OpOperand &use : result.getUses())
      setStorage(cast<kernel::FusedOp>(use.getOwner()), use.getOperandNumber(), type);
  }

  static void setStorage(kernel::FusedOp op, unsigned number, Type storage) {
    SmallVector<Attribute> layouts(op.getLayoutsAttr().getValue());
    layouts[number] = kernel::withStorage(layouts[number], storage);
    op.setLayoutsAttr(ArrayAttr::get(op.getContext(), layouts));
  }
};
} // namespace
} // namespace weft
