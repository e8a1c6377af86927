// Rows of an odd length get a pitch of whole pieces of 16 bytes, where products read or write them.
#include "ir/kernel/ContractionForm.h"
#include "ir/kernel/InPlace.h"
#include "ir/kernel/OrderedForm.h"
#include "ir/kernel/storage/SharedStorage.h"
#include "passes/Passes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_PADROWS
#include "passes/Passes.h.inc"

namespace {
using kernel::Family;

/// What a GPU copies at once, in elements of bf16.
constexpr int64_t piece = 8;
/// At most an eighth of a row is added: what lies between rows is memory, and rows of a few
/// elements are better off side by side, as one row.
constexpr int64_t leastPart = 8;

/// A kernel's operand that is a value, or a view of it.
struct Reader {
  kernel::FusedOp op;
  unsigned operand;
};

class Padding {
public:
  explicit Padding(ModuleOp module) : places(module), shared(module, places), module(module) {}

  void run() {
    module.walk([&](kernel::FusedOp op) {
      if (op.getLayoutsAttr())
        joinInPlace(op);
    });
    llvm::MapVector<Value, SmallVector<Value>> members; // by leader
    module.walk([&](Operation *op) {                    // in the order of the program
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (Value argument : block.getArguments())
            members[leaderOf(argument)].push_back(argument);
      for (Value result : op->getResults())
        members[leaderOf(result)].push_back(result);
    });
    for (const auto &[leader, values] : members)
      pad(values);
    layOut();
  }

private:
  Value leaderOf(Value value) const {
    auto member = overEachOther.findLeader(value.getAsOpaquePointer());
    return member == overEachOther.member_end() ? value : Value::getFromOpaquePointer(*member);
  }

  /// Results may lie over operands only while both have the same strides.
  void joinInPlace(kernel::FusedOp op) {
    for (OpResult result : op->getResults())
      for (auto [number, operand] : llvm::enumerate(op.getInputs())) {
        std::optional<Place> place = places.of(operand);
        if (place && isInArena(place->root) &&
            kernel::mayWriteInPlace(op, result.getResultNumber(), unsigned(number)))
          overEachOther.unionSets(places.of(result)->root.getAsOpaquePointer(),
                                  place->root.getAsOpaquePointer());
      }
  }

  /// Whether a result may lie over it at all: what comes in, and parameters, have their own places.
  static bool isInArena(Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    return argument ? !isa<func::FuncOp>(argument.getOwner()->getParentOp())
                    : !root.getDefiningOp<model::ParamOp>();
  }

  void pad(ArrayRef<Value> values) {
    SmallVector<Reader> readers;
    bool isOfProduct = false;
    for (Value value : values) {
      if (pitchFor(value) == 0 || !readersOf(value, readers))
        return;
      isOfProduct |= value.getDefiningOp<kernel::FusedOp>().getFamily() == Family::contraction;
    }
    isOfProduct |= llvm::any_of(readers, isFactor);
    if (!isOfProduct)
      return;
    for (Value value : values)
      setPitch(cast<OpResult>(value), pitchFor(value));
    if (llvm::all_of(readers, [&](Reader reader) { return mayRead(reader); }))
      return;
    for (Value value : values)
      setPitch(cast<OpResult>(value), 0);
  }

  /// 0: the value stays dense.
  int64_t pitchFor(Value value) const {
    auto maker = value.getDefiningOp<kernel::FusedOp>();
    if (!maker || !goesByLayouts(maker) || shared.isOutside(value) || cacheWriteOf(value))
      return 0;
    unsigned number = maker.getNumOperands() + cast<OpResult>(value).getResultNumber();
    Attribute layout = maker.getLayoutsAttr()[number];
    ArrayRef<model::DimAttr> dims = model::typeOf(value).getDims();
    Type storage = kernel::storageIn(layout);
    if (!isa<kernel::LayoutAttr>(layout) || !storage || !storage.isBF16() || dims.size() < 2)
      return 0;
    int64_t length = places.sizes.fixed(dims.back()).value_or(0);
    int64_t pitch = (length + piece - 1) / piece * piece;
    return (pitch - length) * leastPart <= length && pitch != length ? pitch : 0;
  }

  static bool goesByLayouts(kernel::FusedOp op) {
    Family family = op.getFamily();
    return op.getLayoutsAttr() && !kernel::isScan(op) &&
           (family == Family::contraction || family == Family::rows || family == Family::pack);
  }

  /// False if not only kernels that go by layouts read it, in its own block.
  static bool readersOf(Value value, SmallVectorImpl<Reader> &readers) {
    Block *block = value.getParentBlock();
    SmallVector<Value> views{value};
    while (!views.empty())
      for (OpOperand &use : views.pop_back_val().getUses()) {
        Operation *user = use.getOwner();
        if (user->getBlock() != block)
          return false;
        if (isView(user) && !isa<model::InsertPartOp>(user)) {
          views.push_back(user->getResult(0));
          continue;
        }
        auto reader = dyn_cast<kernel::FusedOp>(user);
        if (!reader || !goesByLayouts(reader))
          return false;
        readers.push_back({reader, use.getOperandNumber()});
      }
    return true;
  }

  static bool isFactor(Reader reader) {
    Value inside = reader.op.getBody().getArgument(reader.operand);
    return reader.op.getFamily() == Family::contraction &&
           llvm::any_of(inside.getUsers(), llvm::IsaPred<model::ContractOp>);
  }

  /// Whether views of padded rows have strides, and no product goes from one row into the next one
  /// as if they were one.
  bool mayRead(Reader reader) const {
    std::optional<Place> place = places.of(reader.op.getInputs()[reader.operand]);
    if (!place)
      return false;
    if (!isFactor(reader))
      return true;
    FailureOr<kernel::ContractionForm> form = kernel::readContraction(reader.op);
    if (failed(form))
      return false;
    Size pitch = Size::number(pitchOf(place->root));
    auto crosses = [&](ArrayRef<model::DimAttr> dims) {
      auto has = [&](const std::optional<Size> &wanted) {
        return llvm::any_of(
            dims, [&](model::DimAttr dim) { return place->layout.stride(dim) == wanted; });
      };
      return has(pitch) && has(Size::number(1));
    };
    if (crosses(form->batch) || crosses(form->rows))
      return false;
    return llvm::none_of(form->segments, [&](const kernel::Segment &segment) {
      return crosses(segment.columns) || llvm::any_of(segment.sums, [&](const kernel::Sum &sum) {
               return llvm::any_of(sum.terms,
                                   [&](const kernel::Term &term) { return crosses(term.k); });
             });
    });
  }

  /// Kernels' layouts of what has a pitch now.
  void layOut() {
    module.walk([&](kernel::FusedOp op) {
      if (!op.getLayoutsAttr())
        return;
      SmallVector<Value> values(op.getInputs());
      llvm::append_range(values, op.getResults());
      SmallVector<Attribute> layouts(op.getLayoutsAttr().getValue());
      for (auto [value, layout] : llvm::zip_equal(values, layouts)) {
        std::optional<Place> place = places.of(value);
        if (place && pitchOf(place->root) > 0)
          layout = kernel::withStorage(place->layout, kernel::storageIn(layout));
      }
      op.setLayoutsAttr(ArrayAttr::get(op.getContext(), layouts));
    });
  }

  Places places;
  SharedStorage shared;
  ModuleOp module;
  llvm::EquivalenceClasses<void *> overEachOther;
};

struct PadRows : impl::PadRowsBase<PadRows> {
  void runOnOperation() override { Padding(getOperation()).run(); }
};
} // namespace
} // namespace weft
