// Which storage every value lives in: that of its destination, if nothing needs the old content.
#include "passes/plan/Homes.h"

#include "ir/kernel/InPlace.h"
#include "ir/kernel/storage/GroupedPanels.h"
#include "ir/kernel/storage/PairedPanels.h"
#include "ir/model/Entries.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

static bool same(const Home &a, const Home &b) {
  return a.storage == b.storage && a.steps.size() == b.steps.size();
}

Homes::Homes(func::FuncOp function, const Places &places, const SharedStorage &shared, bool share)
    : function(function), places(places), shared(shared), share(share) {
  Block &body = function.getBody().front();
  number(body);
  function.walk([&](ParamOp op) { reads[op.getNameAttr().getAttr()].push_back(op.getResult()); });
  for (BlockArgument argument : body.getArguments()) {
    storages.push_back({Storage::Kind::input, argument.getArgNumber(), {}, {}, 0, 0});
    homes[argument] = Home{&storages.back(), {}};
  }
  visit(body);
  measure();
  if (share)
    function.walk([&](kernel::FusedOp op) {
      writeOver(op);
      makeInOutput(op);
    });
}

void Homes::number(Block &block) {
  llvm::DenseMap<Attribute, SmallVector<Operation *>> together;
  for (Operation &op : block) {
    int64_t begin = counter++;
    if (auto repeat = dyn_cast<RepeatOp>(op))
      number(repeat.getBody().front());
    numbers[&op] = {begin, counter++};
    if (auto fused = dyn_cast<kernel::FusedOp>(op); fused && fused.getTogetherAttr())
      together[fused.getTogetherAttr()].push_back(&op);
  }
  for (const auto &[number, ops] : together) { // they run at one time
    std::pair<int64_t, int64_t> all{numbers.lookup(ops.front()).first,
                                    numbers.lookup(ops.back()).second};
    for (Operation *op : ops)
      numbers[op] = all;
  }
}

ArrayRef<Move> Homes::movesAtEnd(Block *block) const {
  auto at = endMoves.find(block);
  return at == endMoves.end() ? ArrayRef<Move>() : ArrayRef<Move>(at->second);
}
ArrayRef<Move> Homes::movesBefore(RepeatOp loop) const {
  auto at = loopMoves.find(loop);
  return at == loopMoves.end() ? ArrayRef<Move>() : ArrayRef<Move>(at->second);
}

Storage &Homes::slot(Value value, const Size &bytes, int64_t start) {
  storages.push_back({Storage::Kind::slot, 0, {}, bytes, start, start, value});
  return storages.back();
}

Home Homes::outputHome(int64_t number) {
  for (Storage &storage : storages)
    if (storage.kind == Storage::Kind::output && storage.number == number)
      return {&storage, {}};
  storages.push_back({Storage::Kind::output, number, {}, {}, 0, 0});
  return {&storages.back(), {}};
}

// Caches are updated in place: the result is in the memory of the argument.
Home Homes::cacheHome(Attribute cache) {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(), attr::cache) == cache)
      return homes.find(argument)->second;
  llvm_unreachable("a cache that is given back came in");
}

// A parameter's own loops come first in its type; inside them, one pass sees one slice.
Home Homes::parameterHome(Operation *op, StringAttr name) {
  Storage *storage = nullptr;
  for (Storage &each : storages)
    if (each.kind == Storage::Kind::parameter && each.parameter == name)
      storage = &each;
  if (!storage) {
    storages.push_back({Storage::Kind::parameter, 0, name, {}, 0, 0});
    storage = &storages.back();
  }
  Home home{storage, {}};
  auto parameter = SymbolTable::lookupNearestSymbolFrom<ParameterOp>(op, name);
  auto type = cast<NamedTensorType>(parameter.getType());
  for (auto repeat = op->getParentOfType<RepeatOp>(); repeat;
       repeat = repeat->getParentOfType<RepeatOp>())
    for (int64_t i = 0, loops = parameter.getLoops(); i < loops; ++i)
      if (type.getDims()[i] == repeat.getDimAttr())
        home.steps.push_back({repeat, places.sizes.size(type.getDims().drop_front(i + 1)) *
                                          Size::number(elementBytes(type))});
  return home;
}

void Homes::visitParam(ParamOp op) {
  homes[op.getResult()] = parameterHome(op, op.getNameAttr().getAttr());
}

void Homes::visit(Block &block) {
  for (Operation &op : block) {
    if (auto param = dyn_cast<ParamOp>(op))
      visitParam(param);
    else if (auto fused = dyn_cast<kernel::FusedOp>(op))
      visit(fused);
    else if (auto repeat = dyn_cast<RepeatOp>(op))
      visit(repeat);
  }
  endBlock(block);
}

SmallVector<Home> Homes::wanted(Value value) {
  SmallVector<Home> result;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (isa<func::ReturnOp>(user)) {
      unsigned number = use.getOperandNumber();
      Attribute cache = function.getResultAttr(number, attr::cache);
      result.push_back(cache ? cacheHome(cache) : outputHome(number));
    }
    if (auto assign = dyn_cast<AssignOp>(user))
      result.push_back(parameterHome(assign, assign.getNameAttr().getAttr()));
    if (isa<YieldOp>(user)) {
      auto repeat = cast<RepeatOp>(user->getParentOp());
      unsigned i = use.getOperandNumber(), carried = repeat.getNumCarried();
      result.push_back(i < carried ? carriedHomes[repeat][i] : stackedHomes[repeat][i - carried]);
    }
  }
  return result;
}

/// Whether `writer` may write `result` over `old`: nothing reads `old` later, and where `writer`
/// itself reads it, its kernel allows that (ir/kernel/InPlace.h).
bool Homes::mayOverwrite(kernel::FusedOp writer, OpResult result, Value old) const {
  if (typeOf(old).getDims() != typeOf(result).getDims())
    return false;
  int64_t now = numbers.lookup(writer).first;
  SmallVector<Value> views{old};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (OpOperand &use : view.getUses()) {
      Operation *user = use.getOwner();
      if (isView(user)) {
        views.push_back(user->getResult(0));
      } else if (user == writer) {
        // A view may begin elsewhere than `old` does.
        if (view != old ||
            !kernel::mayWriteInPlace(writer, result.getResultNumber(), use.getOperandNumber()))
          return false;
      } else if (user->getBlock() != writer->getBlock() || numbers.lookup(user).first >= now) {
        return false;
      }
    }
  }
  return true;
}

/// Whether `target` holds nothing that is still needed when `writer` writes `result` there.
bool Homes::isFree(kernel::FusedOp writer, OpResult result, const Home &target) const {
  // Every read of a run sees the value from before the run, also one that comes further below.
  if (target.storage->kind == Storage::Kind::parameter)
    return llvm::all_of(reads.lookup(target.storage->parameter), [&](Value old) {
      return old.getParentBlock() == writer->getBlock() && mayOverwrite(writer, result, old);
    });
  // What a loop carries in and out shares its home by construction.
  return llvm::all_of(homes, [&](const auto &known) {
    Value old = known.first;
    return !same(known.second, target) || old.getParentBlock() != writer->getBlock() ||
           mayOverwrite(writer, result, old);
  });
}

/// Of what a kernel packs: panels, or a copy as dense as its result.
Size Homes::packedBytes(kernel::FusedOp op) const {
  auto panels = op->getAttrOfType<kernel::PanelsAttr>("panels");
  if (!panels)
    return shared.bytes(op.getResult(0));
  const Dims &dims = places.sizes;
  Size columns = dims.size(panels.getColumns());
  // Whole panels: rounded up exactly where the number of columns is known, by less than a panel
  // where it is not.
  int64_t width = panels.getWidth();
  std::optional<int64_t> known = columns.constant();
  columns = known ? Size::number((*known + width - 1) / width * width)
                  : columns + Size::number(width - 1);
  Size rows = dims.size(panels.getRows());
  Value result = op.getResult(0);
  Attribute layout = kernel::withStorage(panels, shared.of(result));
  if (kernel::isPaired(layout)) // as with columns
    rows = rows.constant() ? Size::number(kernel::storedRows(layout, *rows.constant()))
                           : rows + Size::number(kernel::rowsOfPair - 1);
  auto format = kernel::weightFormatOf(layout);
  // Weights that share scales are known to be so many (weft-round-weights).
  Size column = format
                    ? Size::number(groups::groupsOf(*rows.constant()) * groups::bytes(*format, 1))
                    : shared.bytes(result, rows);
  return dims.size(panels.getBatch()) * columns * column;
}

void Homes::visit(kernel::FusedOp op) {
  int64_t now = numbers.lookup(op).first;
  auto isCacheOfCaller = [&] {
    return cacheWriteOf(op.getResult(0)) || !wanted(op.getResult(0)).empty();
  };
  if (op.getFamily() == kernel::Family::pack && !isCacheOfCaller()) {
    Size bytes = packedBytes(op);
    std::optional<Place> source = places.of(op.getInputs()[0]);
    bool stays = packsAhead(function) || op->hasAttr(kernel::keptAttr);
    if (stays && source && source->root.getDefiningOp<ParamOp>()) {
      prepared.insert(op);
      Home home{nullptr, {}};
      Size total = bytes;
      for (auto repeat = op->getParentOfType<RepeatOp>(); repeat;
           repeat = repeat->getParentOfType<RepeatOp>()) {
        home.steps.push_back({repeat, total});
        total = total * places.sizes.size(repeat.getDim());
      }
      storages.push_back({Storage::Kind::packed, packedCount++, {}, total, 0, 0});
      home.storage = &storages.back();
      homes[op.getResult(0)] = home;
      return;
    }
    homes[op.getResult(0)] = Home{&slot(op.getResult(0), bytes, now), {}};
    return;
  }
  for (OpResult result : op.getResults()) {
    if (cacheWriteOf(result))
      continue; // written into the cache
    Home home;
    for (const Home &target : wanted(result)) {
      if (share && isFree(op, result, target)) {
        home = target;
        break;
      }
    }
    // Two results of one kernel never share a target: `wanted` homes belong to one use each.
    homes[result] = home.storage ? home : Home{&slot(result, shared.bytes(result), now), {}};
  }
}

void Homes::visit(RepeatOp op) {
  int64_t begin = numbers.lookup(op).first;
  Block &body = op.getBody().front();
  unsigned carried = op.getNumCarried();
  SmallVector<Home> carry, stack;
  for (auto [i, init] : llvm::enumerate(op.getCarried())) {
    SmallVector<Home> out = wanted(op.getResult(i));
    const Home &from = homes.find(init)->second;
    Home home;
    bool alone = share && init.hasOneUse() && init.getDefiningOp<kernel::FusedOp>() &&
                 init.getParentBlock() == op->getBlock() &&
                 from.storage->kind == Storage::Kind::slot;
    if (share && !out.empty())
      home = out.front();
    else if (alone)
      home = from;
    else
      home = Home{&slot(op.getResult(i), shared.bytes(init), begin), {}};
    if (!same(home, from))
      loopMoves[op].push_back({init, home, shared.bytes(init)});
    carry.push_back(home);
    homes[op.getResult(i)] = home;
    homes[body.getArgument(i)] = home;
  }
  for (auto [i, slice] : llvm::enumerate(op.getSlices())) {
    BlockArgument argument = body.getArgument(carried + i);
    Home home = homes.find(slice)->second;
    home.steps.push_back({op, shared.bytes(argument)});
    homes[argument] = home;
  }
  for (Value result : op.getResults().drop_front(carried)) {
    SmallVector<Home> out = wanted(result);
    bool isDirect = !out.empty() && (share || isCache(result));
    Home home = isDirect ? out.front() : Home{&slot(result, shared.bytes(result), begin), {}};
    homes[result] = home;
    NamedTensorType type = typeOf(result);
    home.steps.push_back(
        {op, shared.bytes(result, places.sizes.size(type.getDims().drop_front()))});
    stack.push_back(home);
  }
  carriedHomes[op] = carry;
  stackedHomes[op] = stack;
  visit(body);
}

/// A value with more than one destination, or that could not be written there directly, is copied
/// when the block ends.
void Homes::endBlock(Block &block) {
  for (Operation &op : block) {
    for (Value result : op.getResults()) {
      auto home = homes.find(result);
      if (home == homes.end())
        continue;
      for (const Home &target : wanted(result))
        if (!same(home->second, target))
          endMoves[&block].push_back({result, target, shared.bytes(result)});
    }
  }
}

int64_t Homes::lastUse(Value root, Block *home) const {
  int64_t last = 0;
  SmallVector<Value> views{root};
  while (!views.empty()) {
    Value view = views.pop_back_val();
    for (Operation *user : view.getUsers()) {
      if (isView(user))
        views.push_back(user->getResult(0));
      Operation *in = home->findAncestorOpInBlock(*user);
      last = std::max(last, numbers.lookup(in ? in : user).second);
    }
  }
  return last;
}

/// Live ranges of slots. A value used inside a loop that it does not belong to is live until the
/// loop ends.
void Homes::measure() {
  if (!share) {
    for (Storage &storage : storages)
      storage.end = counter;
    return;
  }
  for (auto &[root, home] : homes) {
    if (home.storage->kind != Storage::Kind::slot)
      continue;
    // The argument of a loop shares the memory of its result, or of the value that it is a slice
    // of: both are live until the loop ends.
    if (isa<BlockArgument>(root))
      continue;
    Storage &storage = *home.storage;
    storage.end = std::max({storage.end, lastUse(root, root.getParentBlock()),
                            numbers.lookup(root.getDefiningOp()).second});
  }
  // The targets of moves must outlive them, and so must their sources.
  for (auto &[block, moves] : endMoves)
    for (const Move &move : moves) {
      int64_t at = numbers.lookup(block->getTerminator()).second;
      Storage *from = homes.find(move.from)->second.storage;
      from->end = std::max(from->end, at);
      move.to.storage->end = std::max(move.to.storage->end, at);
    }
}
