// Every buffer between kernels is stored as bf16, if that is the precision: but for what other
// numbers hang on.
#include "ir/kernel/AttentionForm.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/storage/ScoredTwice.h"
#include "ir/model/Entries.h"
#include "passes/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_CHOOSESTORAGE
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;

/// Whether a kernel adds to its results where they are stored.
bool addsInMemory(kernel::FusedOp op) {
  if (op.getFamily() == Family::scatter || !op.getBody().front().getOps<model::CumSumOp>().empty())
    return true;
  if (op.getFamily() != Family::attention_grad)
    return false;
  FailureOr<kernel::AttentionForm> form = kernel::readAttention(op);
  return failed(form) || form->addsInMemory();
}

/// The operand to which a scatter adds rows, or null.
Value addedTo(kernel::FusedOp op) {
  if (op.getFamily() != Family::scatter)
    return {};
  FailureOr<kernel::ScatterForm> form = kernel::readScatter(op);
  std::optional<unsigned> onto = succeeded(form) ? form->onto() : std::nullopt;
  return onto ? op.getInputs()[*onto] : Value();
}

/// Which values may be stored as bf16. Kernels are asked for in the order of the program.
class Rules {
public:
  explicit Rules(const Places &places) : places(places) {}

  bool mayBeNarrow(kernel::FusedOp op, OpResult result) {
    auto function = op->getParentOfType<func::FuncOp>();
    bool updates = function && model::kindOf(function) == model::EntryKind::update;
    if (updates || !model::typeOf(result).isFloat() || op.getFamily() == Family::table)
      return false;
    if (op.getFamily() == Family::pack)
      return true;
    if (isStatistic(op, result)) {
      statistics.insert(places.of(result)->root);
      return false;
    }
    return !model::typeOf(result).getDims().empty() && !addsInMemory(op);
  }

private:
  /// Whether positions that it does not have were added up for it, or compared: a mean, a maximum,
  /// a loss; or it follows from such a number, position by position.
  bool isStatistic(kernel::FusedOp op, OpResult result) const {
    auto hasAll = [](Value value, ArrayRef<model::DimAttr> dims) {
      return llvm::all_of(dims, [&](model::DimAttr dim) { return model::typeOf(value).has(dim); });
    };
    llvm::SetVector<Value> needed;
    needed.insert(op.getBody().front().getTerminator()->getOperand(result.getResultNumber()));
    for (size_t i = 0; i < needed.size(); ++i) {
      Value value = needed[i];
      Operation *maker = value.getDefiningOp();
      if (!maker) {
        Value given = op.getInputs()[cast<BlockArgument>(value).getArgNumber()];
        if (statistics.contains(places.of(given)->root) &&
            hasAll(value, model::typeOf(result).getDims()))
          return true;
        continue;
      }
      auto reducing = dyn_cast<model::Reducing>(maker);
      auto attention = dyn_cast<model::AttentionOp>(maker);
      if ((reducing && !hasAll(result, reducing.reduced())) ||
          (attention && value == attention.getLse()))
        return true;
      needed.insert_range(maker->getOperands());
    }
    return false;
  }

  const Places &places;
  llvm::DenseSet<Value> statistics; // roots
};

/// The memories in which values are stored as bf16.
class Choice {
public:
  explicit Choice(ModuleOp module) : places(module), shared(module, places) {
    Rules rules(places);
    module.walk([&](kernel::FusedOp op) {
      if (Value base = addedTo(op)) // or it could not be added to where it is
        wide.insert(shared.leader(places.of(base)->root));
      for (OpResult result : op.getResults()) {
        Value root = places.of(result)->root;
        bool may = rules.mayBeNarrow(op, result) && !shared.isOutside(root);
        (may ? narrow : wide).insert(shared.leader(root));
      }
    });
    scoreAlike(module);
  }

  /// What a value is stored as, where other values are as `usual` (null: as their types say); null:
  /// as its type says.
  Type storageOf(Value value, Type usual) const {
    Value leader = shared.leader(places.of(value)->root);
    if (wide.contains(leader))
      return {};
    Type ofCache = shared.of(leader); // which this entry may only read
    return ofCache ? ofCache : narrow.contains(leader) ? usual : Type();
  }
  /// Whether some kernel's result, in this memory, has to be f32.
  bool isWide(Value root) const {
    return wide.contains(shared.leader(root)) || shared.isOutside(root);
  }

private:
  /// What an attention reads as f32 its gradient does too, and the other way round: else it would
  /// compute other scores than those whose logsumexp there is.
  void scoreAlike(ModuleOp module) {
    Type usual = BFloat16Type::get(module.getContext());
    SmallVector<kernel::ScoredTwice> all = kernel::scoredTwice(module, places, shared);
    size_t before = 0;
    do {
      before = wide.size();
      for (kernel::ScoredTwice &scores : all)
        for (auto [one, other] : scores.operands) {
          Value first = scores.attention.getInputs()[one];
          Value second = scores.gradient.getInputs()[other];
          if (!storageOf(first, usual) || !storageOf(second, usual))
            for (Value value : {first, second})
              wide.insert(shared.leader(places.of(value)->root));
        }
    } while (wide.size() != before);
  }

  Places places;
  SharedStorage shared;
  llvm::DenseSet<Value> narrow, wide; // leaders
};

/// The caches of all entries: those of one name are one memory, which several entries write.
void forEachCache(ModuleOp module,
                  llvm::function_ref<void(func::FuncOp, BlockArgument, Attribute)> body) {
  for (auto function : module.getOps<func::FuncOp>())
    for (BlockArgument argument : function.getArguments())
      if (Attribute name = function.getArgAttr(argument.getArgNumber(), model::attr::cache))
        body(function, argument, name);
}

struct ChooseStorage : impl::ChooseStorageBase<ChooseStorage> {
  using ChooseStorageBase::ChooseStorageBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!precision.empty())
      module->setAttr(model::attr::precision, StringAttr::get(&getContext(), precision));
    bool isNarrow = model::precisionOf(module) == model::Precision::bf16;
    std::optional<model::CacheFormat> format = model::cacheFormatOf(module);
    if (!isNarrow && !format)
      return;
    // What is not rounded to whole numbers is as where nothing is said.
    if (format && *format != model::CacheFormat::int8 ? *format == model::CacheFormat::bf16
                                                      : isNarrow)
      chooseCaches();
    Choice choice(module);
    Type usual = isNarrow ? Type(BFloat16Type::get(&getContext())) : Type();
    module.walk([&](kernel::FusedOp op) {
      if (!op.getLayoutsAttr())
        return; // the promise `layouts` says so
      SmallVector<Value> values(op.getInputs());
      llvm::append_range(values, op.getResults());
      SmallVector<Attribute> layouts;
      for (auto [value, layout] : llvm::zip_equal(values, op.getLayoutsAttr()))
        layouts.push_back(kernel::withStorage(layout, choice.storageOf(value, usual)));
      op.setLayoutsAttr(ArrayAttr::get(&getContext(), layouts));
    });
  }

private:
  /// All caches of floats that are not rounded already are bf16, but those that a kernel of some
  /// entry has to write as f32: what other memory is stored like follows from these.
  void chooseCaches() {
    ModuleOp module = getOperation();
    auto narrow = TypeAttr::get(BFloat16Type::get(&getContext()));
    llvm::DenseSet<Attribute> wide;
    size_t before = 0;
    do {
      before = wide.size();
      forEachCache(module, [&](func::FuncOp function, BlockArgument argument, Attribute name) {
        auto said =
            function.getArgAttrOfType<TypeAttr>(argument.getArgNumber(), model::attr::storage);
        if (said && said != narrow)
          return; // weft-round-caches
        if (!wide.contains(name) && model::typeOf(argument).isFloat())
          function.setArgAttr(argument.getArgNumber(), model::attr::storage, narrow);
        else
          function.removeArgAttr(argument.getArgNumber(), model::attr::storage);
      });
      Choice choice(module);
      forEachCache(module, [&](func::FuncOp, BlockArgument argument, Attribute name) {
        if (choice.isWide(argument))
          wide.insert(name);
      });
    } while (wide.size() != before);
  }
};
} // namespace
} // namespace weft
