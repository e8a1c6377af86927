// func.func over kernels  ==>  plan.entry: launches in order, buffers in slots, loops rolled
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "ir/plan/Plan.h"
#include "ir/reference/Random.h"
#include "mlir/IR/AttrTypeSubElements.h"

#include "passes/Passes.h"
#include "passes/plan/Slots.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_BUILDPLAN
#include "passes/Passes.h.inc"

namespace {
using model::RepeatOp;

/// The kernels of the whole module, named after what they compute. Equal ones are one: entries
/// share most of theirs.
class Kernels {
public:
  explicit Kernels(ModuleOp module) : module(module) {}

  struct Kernel {
    FlatSymbolRefAttr symbol;
    std::string label; ///< of the first of those that are equal
  };

  Kernel add(kernel::FusedOp op) {
    OpBuilder builder(module.getBodyRegion());
    builder.setInsertionPointToEnd(module.getBody());
    auto kernel = plan::KernelOp::create(builder, op.getLoc(), "kernel");
    Block *body = builder.createBlock(&kernel.getBody());
    auto inner = cast<kernel::FusedOp>(builder.clone(*op));
    for (auto [operand, inside] : llvm::zip(inner->getOpOperands(), inner.getBody().getArguments()))
      operand.set(body->addArgument(inside.getType(), inside.getLoc()));
    inner.setLabel("");
    inner.removeTogetherAttr();          // of the launch
    inner->removeAttr(kernel::keptAttr); // of its buffer
    auto [known, isNew] = kernels.try_emplace(textOf(kernel));
    if (isNew) {
      inner.setLabel(op.getLabel());
      kernel.setSymName(unique(op.getLabel()));
      known->second = {FlatSymbolRefAttr::get(kernel.getSymNameAttr()), op.getLabel().str()};
    } else {
      kernel.erase();
    }
    return known->second;
  }

private:
  /// What a kernel does: without locations, whatever the command line wants printed, and whatever
  /// its whole numbers are positions of.
  static std::string textOf(plan::KernelOp kernel) {
    AttrTypeReplacer stored;
    stored.addReplacement(
        [](model::DimIndexType index) -> Type { return IntegerType::get(index.getContext(), 32); });
    OwningOpRef<plan::KernelOp> copy = kernel.clone();
    stored.recursivelyReplaceElementsIn(copy->getOperation(), /*replaceAttrs=*/false,
                                        /*replaceLocs=*/false, /*replaceTypes=*/true);
    std::string text;
    llvm::raw_string_ostream stream(text);
    copy->print(stream,
                OpPrintingFlags().enableDebugInfo(false).printGenericOpForm().useLocalScope());
    return text;
  }

  /// A symbol that no kernel, parameter, dimension or entry has.
  std::string unique(StringRef label) {
    std::string name;
    for (char c : label)
      if (isalnum(static_cast<unsigned char>(c)) || c == '.')
        name += c;
      else if (!StringRef(name).ends_with("_"))
        name += '_';
    for (unsigned count = 1;; ++count) {
      std::string tried = count == 1 ? name : name + "." + std::to_string(count);
      if (names.insert(tried).second && !module.lookupSymbol(tried))
        return tried;
    }
  }
  ModuleOp module;
  llvm::StringSet<> names;
  llvm::StringMap<Kernel> kernels; // by their text without labels
};

/// Writes one entry.
class EntryBuilder {
public:
  EntryBuilder(func::FuncOp function, const Places &places, const SharedStorage &shared,
               Kernels &kernels, bool share)
      : function(function), places(places), shared(shared), kernels(kernels),
        homes(function, places, shared, share), context(function.getContext()), builder(function) {}

  void build() {
    SlotList slots = assignSlots(homes.storages, places.sizes);
    SmallVector<Attribute> slotAttrs, packed;
    for (const Size &bytes : slots.bytes)
      slotAttrs.push_back(builder.getArrayAttr({model::SizeAttr::get(context, bytes)}));
    for (const Storage &storage : homes.storages)
      if (storage.kind == Storage::Kind::packed)
        packed.push_back(model::SizeAttr::get(context, storage.bytes));
    auto entry = plan::EntryOp::create(
        builder, function.getLoc(), function.getSymName(), tensors(true), tensors(false),
        builder.getArrayAttr(slotAttrs), builder.getArrayAttr(packed), behind(slots));
    for (NamedAttribute attr : function->getDiscardableAttrs())
      if (attr.getName().getValue().starts_with("model."))
        entry->setDiscardableAttr(attr.getName(), attr.getValue());
    builder.createBlock(&entry.getPrepare());
    emit(function.getBody().front(), /*prepare=*/true);
    builder.createBlock(&entry.getBody());
    placeBuffers();
    emit(function.getBody().front(), /*prepare=*/false);
  }

private:
  /// Nothing where each slot is behind the one before it.
  ArrayAttr behind(const SlotList &slots) {
    SmallVector<Attribute> lists;
    bool inRow = true;
    for (const auto &[slot, below] : llvm::enumerate(slots.behind)) {
      inRow &= slot == 0 ? below.empty() : below == SmallVector<unsigned>{unsigned(slot - 1)};
      lists.push_back(
          builder.getDenseI64ArrayAttr(SmallVector<int64_t>(below.begin(), below.end())));
    }
    return inRow ? ArrayAttr() : builder.getArrayAttr(lists);
  }

  /// What the runtime must know of arguments or results: their attributes and their type.
  ArrayAttr tensors(bool inputs) {
    SmallVector<Attribute> result;
    unsigned count = inputs ? function.getNumArguments() : function.getNumResults();
    for (unsigned i = 0; i < count; ++i) {
      if (!inputs && function.getResultAttr(i, model::attr::cache))
        continue; // updated in place: it is an input
      NamedAttrList attrs(inputs ? function.getArgAttrDict(i) : function.getResultAttrDict(i));
      Type type = inputs ? function.getArgumentTypes()[i] : function.getResultTypes()[i];
      attrs.set("type", TypeAttr::get(type));
      result.push_back(attrs.getDictionary(context));
    }
    return builder.getArrayAttr(result);
  }

  void emit(Block &block, bool prepare) {
    known.emplace_back();
    if (!prepare)
      begin(block);
    for (Operation &op : block) {
      if (auto fused = dyn_cast<kernel::FusedOp>(op)) {
        if (homes.isPrepared(fused) == prepare)
          launch(fused);
      } else if (auto repeat = dyn_cast<RepeatOp>(op)) {
        loop(repeat, prepare);
      }
    }
    if (!prepare)
      end(block);
    known.pop_back();
  }

  /// Carried values and caches get their buffer ops where the block begins, before anything is
  /// written over them.
  void begin(Block &block) {
    auto repeat = dyn_cast<RepeatOp>(block.getParentOp());
    for (BlockArgument argument : block.getArguments()) {
      unsigned number = argument.getArgNumber();
      bool changes = repeat ? number < repeat.getNumCarried()
                            : bool(function.getArgAttr(number, model::attr::cache));
      if (changes && !argument.use_empty())
        addressOf(argument);
    }
  }

  /// Every value that leaves the block is copied to its destination, if it is not written there
  /// directly.
  void end(Block &block) {
    ArrayRef<Move> list = homes.movesAtEnd(&block);
    SmallVector<Value> wanted;
    for (Operation &op : block)
      if (isa<model::AssignOp>(op) || op.hasTrait<OpTrait::IsTerminator>())
        llvm::append_range(wanted, op.getOperands());
    llvm::SetVector<Value> left = moves(list);
    for (Value value : wanted) {
      auto isMoved = [&](const Move &move) { return move.from == value; };
      std::optional<Place> place = places.of(value);
      if (place && llvm::count_if(list, isMoved) < llvm::count(wanted, value))
        left.insert(addressOf(place->root));
    }
    if (!left.empty())
      plan::LeaveOp::create(builder, block.getTerminator()->getLoc(), left.getArrayRef());
  }

  void loop(RepeatOp repeat, bool prepare) {
    bool any = false;
    repeat.walk([&](kernel::FusedOp op) { any |= homes.isPrepared(op); });
    if (prepare && !any)
      return;
    if (!prepare) {
      moves(homes.movesBefore(repeat));
      for (auto [slice, argument] : llvm::zip(repeat.getSlices(), repeat.getPassSlices()))
        if (!argument.use_empty())
          addressOf(slice);
    }
    auto loop =
        plan::LoopOp::create(builder, repeat.getLoc(), repeat.getDimAttr(),
                             repeat.getReverse() && !prepare ? builder.getUnitAttr() : UnitAttr());
    Block *body = builder.createBlock(&loop.getBody());
    passes[repeat] = body->addArgument(builder.getIndexType(),
                                       NameLoc::get(repeat.getDim().getName(), repeat.getLoc()));
    emit(repeat.getBody().front(), prepare);
    passes.erase(repeat);
    builder.setInsertionPointAfter(loop);
    for (Value result : repeat.getResults())
      if (!prepare && !result.use_empty())
        addressOf(result);
  }

  /// Returns the buffers that were copied to.
  llvm::SetVector<Value> moves(ArrayRef<Move> list) {
    llvm::SetVector<Value> moved;
    for (const Move &move : list) {
      Value from = addressOf(move.from), to = address(move.to, called(move.from));
      plan::CopyOp::create(builder, move.from.getLoc(), from, to,
                           model::SizeAttr::get(context, places.sizes.resolve(move.bytes)));
      moved.insert(to);
    }
    return moved;
  }

  void launch(kernel::FusedOp op) {
    SmallVector<Value> buffers;
    for (ValueRange values : {ValueRange(op.getInputs()), ValueRange(op.getResults())})
      for (Value value : values) {
        std::optional<Place> place = places.of(value);
        Size offset = place->offset;
        if (offset != Size())
          offset = shared.bytes(place->root, offset);
        buffers.push_back(addressOf(place->root, offset));
      }
    if (!op.getBody().front().getOps<model::RandomOp>().empty())
      buffers.push_back(randomKey(op));
    Kernels::Kernel kernel = kernels.add(op);
    StringAttr label = kernel.label == op.getLabel() ? StringAttr() : op.getLabelAttr();
    plan::LaunchOp::create(builder, op.getLoc(), kernel.symbol, label, buffers,
                           op.getTogetherAttr(), /*in_step=*/UnitAttr());
  }

  Value randomKey(kernel::FusedOp op) {
    SmallVector<Value> around;
    SmallVector<int64_t> strides;
    for (auto repeat = op->getParentOfType<RepeatOp>(); repeat;
         repeat = repeat->getParentOfType<RepeatOp>()) {
      around.push_back(passes.lookup(repeat));
      strides.push_back(static_cast<int64_t>(
          reference::randomStride(std::string_view(repeat.getDim().getValue()))));
    }
    return plan::RandomKeyOp::create(builder, op.getLoc(), around, strides);
  }

  Value offset(Value buffer, const Size &bytes, Value pass) {
    if (bytes == Size())
      return buffer;
    return plan::OffsetOp::create(builder, buffer.getLoc(), buffer,
                                  model::SizeAttr::get(context, bytes), pass);
  }

  /// The buffer of a root, or of a part `bytes` into it; one op in a block and those inside it.
  Value addressOf(Value root, const Size &bytes = Size()) {
    auto key = std::pair(root, Attribute(model::SizeAttr::get(context, bytes)));
    for (const auto &block : known)
      if (Value buffer = block.lookup(key))
        return buffer;
    Value buffer = bytes == Size() ? bufferOf(root) : offset(addressOf(root), bytes, {});
    known.back()[key] = buffer;
    return buffer;
  }

  Value bufferOf(Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    auto repeat = argument ? dyn_cast<RepeatOp>(argument.getOwner()->getParentOp()) : RepeatOp();
    if (repeat && argument.getArgNumber() >= repeat.getNumCarried()) {
      Value whole = repeat.getSlices()[argument.getArgNumber() - repeat.getNumCarried()];
      return offset(addressOf(whole), homes.of(root).steps.back().second, passes.lookup(repeat));
    }
    return address(homes.of(root), called(root), isFirst(root));
  }

  /// Whether `root` is the first value in a slot's storage. Before a loop's result, the carried
  /// value is there.
  bool isFirst(Value root) {
    auto repeat = root.getDefiningOp<RepeatOp>();
    bool carried = repeat && cast<OpResult>(root).getResultNumber() < repeat.getNumCarried();
    return !carried && homes.of(root).storage->first == root;
  }

  /// The location of a root, with the name that a reader of the plan knows it by.
  Location called(Value root) {
    return NameLoc::get(builder.getStringAttr(nameOf(root)), root.getLoc());
  }

  std::string nameOf(Value root) {
    if (auto argument = dyn_cast<BlockArgument>(root))
      if (std::optional<std::string> name = argumentName(argument))
        return *name;
    if (auto param = root.getDefiningOp<model::ParamOp>())
      return param.getName().str();
    auto fused = root.getDefiningOp<kernel::FusedOp>();
    if (!fused)
      return model::nameOf(root.getLoc()).value_or("value");
    if (fused.getFamily() == kernel::Family::pack)
      return nameOf(fused.getInputs().front()) + ".packed";
    unsigned number = cast<OpResult>(root).getResultNumber();
    Value inside = fused.getBody().front().getTerminator()->getOperand(number);
    return model::nameOf(inside.getLoc()).value_or(fused.getLabel().str());
  }

  /// The name of the entry's argument that this is, or a slice of.
  std::optional<std::string> argumentName(BlockArgument argument) {
    unsigned number = argument.getArgNumber();
    if (auto repeat = dyn_cast<RepeatOp>(argument.getOwner()->getParentOp())) {
      if (number >= repeat.getNumCarried())
        return nameOf(repeat.getSlices()[number - repeat.getNumCarried()]);
      return std::nullopt;
    }
    auto name = function.getArgAttrOfType<StringAttr>(number, model::attr::name);
    return name ? std::optional(name.str()) : std::nullopt;
  }

  /// One op for each storage of the arena, however many values use it one after the other.
  void placeBuffers() {
    for (const Storage &storage : homes.storages)
      if (storage.kind == Storage::Kind::slot)
        arena[&storage] = plan::SlotOp::create(builder, called(storage.first), storage.number,
                                               model::SizeAttr::get(context, storage.bytes));
  }

  /// A buffer op for one value: other values in the same place, before or after it, have their own.
  Value address(const Home &home, Location at, bool isFirst = false) {
    const Storage &storage = *home.storage;
    Value buffer;
    switch (storage.kind) {
    case Storage::Kind::slot:
      buffer = arena.lookup(&storage);
      if (home.steps.empty() && !isFirst)
        buffer = plan::ReuseOp::create(builder, at, buffer);
      break;
    case Storage::Kind::input:
      buffer = plan::InputOp::create(builder, at, storage.number);
      break;
    case Storage::Kind::output:
      buffer = plan::OutputOp::create(builder, at, storage.number);
      break;
    case Storage::Kind::packed:
      buffer = plan::PackedOp::create(builder, at, storage.number);
      break;
    case Storage::Kind::parameter:
      buffer = plan::ParameterOp::create(builder, at, storage.parameter);
      break;
    }
    for (const auto &[repeat, bytes] : home.steps)
      buffer = offset(buffer, bytes, passes.lookup(repeat));
    return buffer;
  }

  func::FuncOp function;
  const Places &places;
  const SharedStorage &shared;
  Kernels &kernels;
  Homes homes;
  MLIRContext *context;
  OpBuilder builder;
  llvm::DenseMap<Operation *, Value> passes; // the index of each enclosing loop
  /// Buffers by root and bytes from there, in every block that is being written.
  std::vector<llvm::DenseMap<std::pair<Value, Attribute>, Value>> known;
  llvm::DenseMap<const Storage *, Value> arena;
};

struct BuildPlan : impl::BuildPlanBase<BuildPlan> {
  using Base::Base;

  void runOnOperation() override {
    Places places(getOperation());
    SharedStorage shared(getOperation(), places);
    Kernels kernels(getOperation());
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      EntryBuilder(function, places, shared, kernels, share).build();
      function.erase();
    }
  }
};
} // namespace
} // namespace weft
