// Which panels of parameters a gradient keeps from step to step.
#include "ir/kernel/DimTable.h"
#include "ir/kernel/Walk.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/kernel/storage/SharedStorage.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_KEEPPACKED
#include "passes/Passes.h.inc"

namespace {
struct KeepPacked : impl::KeepPackedBase<KeepPacked> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (module->hasAttr(model::attr::recompute)) // which asks for memory
      return;
    auto dims = kernel::DimTable::of(module);
    Places places(module);
    for (auto entry : module.getOps<func::FuncOp>())
      if (model::kindOf(entry) == model::EntryKind::gradient)
        entry.walk([&](kernel::FusedOp op) {
          if (isOfParameter(op, places, dims))
            op->setAttr(kernel::keptAttr, UnitAttr::get(&getContext()));
        });
  }

private:
  /// Whether it makes pairs of bfloat16 of a parameter, of known sizes, once for each position of
  /// the loops that the parameter belongs to, and of no other.
  static bool isOfParameter(kernel::FusedOp op, const Places &places,
                            const kernel::DimTable &dims) {
    if (op.getFamily() != kernel::Family::pack || !op->hasAttr("panels") || !op.getLayoutsAttr() ||
        !kernel::isPaired(op.getLayoutsAttr()[1]))
      return false;
    std::optional<Place> source = places.of(op.getInputs()[0]);
    auto param = source ? source->root.getDefiningOp<model::ParamOp>() : model::ParamOp();
    if (!param)
      return false;
    int64_t loops = 0;
    for (auto loop = op->getParentOfType<model::RepeatOp>(); loop;
         loop = loop->getParentOfType<model::RepeatOp>())
      ++loops;
    auto parameter = SymbolTable::lookupNearestSymbolFrom<model::ParameterOp>(
        param, param.getNameAttr().getAttr());
    auto type = cast<model::NamedTensorType>(parameter.getType());
    return loops == int64_t(parameter.getLoops()) &&
           dims.known(kernel::sizeOf(type.getDims())).has_value();
  }
};
} // namespace
} // namespace weft
