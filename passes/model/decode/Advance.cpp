// Writes `advance`: functions, loops and caches. Operations are in CloneVersions.cpp.
#include "passes/model/decode/Advance.h"

#include "ir/model/Align.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

/// The loops around a value up to `within`, outermost first.
static SmallVector<RepeatOp> loopsAround(Value value, Operation *within) {
  SmallVector<RepeatOp> loops;
  for (Operation *op = value.getParentBlock()->getParentOp(); op && op != within;
       op = op->getParentOp())
    if (auto repeat = dyn_cast<RepeatOp>(op))
      loops.insert(loops.begin(), repeat);
  return loops;
}

NamedTensorType Advance::cacheType(Value value, Operation *within) {
  SmallVector<StringAttr> names;
  for (RepeatOp loop : loopsAround(value, within))
    names.push_back(loop.getDimAttr());
  for (StringAttr dim : dimsOf(value))
    names.push_back(causality.grows(dim) ? dims.capacity : dim);
  return NamedTensorType::get(value.getContext(), typeOf(value).getElement(), names);
}

/// What the source calls it, once.
std::string Advance::cacheName(Value value) {
  std::string name;
  value.getLoc()->walk([&](Location at) {
    if (auto named = dyn_cast<NameLoc>(at); named && name.empty())
      name = named.getName().str();
    return WalkResult::advance();
  });
  name = "cache." + (name.empty() ? "value" : name);
  std::string free = name;
  for (unsigned i = 1; !cacheNames.insert(free).second; ++i)
    free = name + "." + std::to_string(i);
  return free;
}

SmallVector<Value> Advance::cachesIn(RepeatOp op) const {
  return llvm::filter_to_vector(demand.cached(), [&](Value value) {
    return op.getBody().isAncestor(value.getParentRegion());
  });
}

func::FuncOp Advance::build(StringRef name, ArrayRef<Version> versions) {
  MLIRContext *context = function.getContext();
  auto text = [&](const std::string &value) { return StringAttr::get(context, value); };
  builder.setInsertionPointAfter(function);
  SmallVector<Type> inputs, outputs;
  SmallVector<DictionaryAttr> inputAttrs, outputAttrs, cacheAttrs;
  auto given = [&](Value value) { return Version(demand.growing(value).size(), Rows::fresh); };
  for (BlockArgument argument : function.getArguments()) {
    inputs.push_back(dims.typed(typeOf(argument), given(argument)));
    inputAttrs.push_back(function.getArgAttrDict(argument.getArgNumber()));
  }
  for (auto [i, version] : llvm::enumerate(versions)) {
    outputs.push_back(dims.typed(cast<NamedTensorType>(function.getResultTypes()[i]), version));
    outputAttrs.push_back(function.getResultAttrDict(i));
  }
  for (Value value : demand.cached()) {
    StringAttr called = text(cacheName(value));
    NamedAttrList attrs;
    attrs.set("weft.cache", called);
    attrs.set("weft.name", called);
    inputs.push_back(cacheType(value, function));
    outputs.push_back(inputs.back());
    inputAttrs.push_back(attrs.getDictionary(context));
    outputAttrs.push_back(attrs.getDictionary(context));
  }
  auto advance = func::FuncOp::create(builder, function.getLoc(), name,
                                      builder.getFunctionType(inputs, outputs));
  advance->setAttr("weft.entry", text(name.str()));
  advance->setAttr("weft.kind", text("advance"));
  advance.setAllArgAttrs(inputAttrs);
  advance.setAllResultAttrs(outputAttrs);
  Block *body = builder.createBlock(&advance.getBody());
  for (auto [i, type] : llvm::enumerate(inputs))
    body->addArgument(type, i < function.getNumArguments() ? function.getArgument(i).getLoc()
                                                           : function.getLoc());
  unsigned next = function.getNumArguments();
  for (Value value : demand.cached())
    caches[value] = body->getArgument(next++);
  for (BlockArgument argument : function.getArguments())
    put(argument, given(argument), body->getArgument(argument.getArgNumber()));
  buildBlock(function.front());
  SmallVector<Value> results;
  for (auto [value, version] : llvm::zip(function.front().getTerminator()->getOperands(), versions))
    results.push_back(get(value, version));
  for (Value value : demand.cached())
    results.push_back(caches.lookup(value));
  func::ReturnOp::create(builder, function.front().getTerminator()->getLoc(), results);
  return advance;
}

void Advance::buildBlock(Block &block) {
  for (Operation &op : block.without_terminator()) {
    if (auto repeat = dyn_cast<RepeatOp>(op)) {
      buildRepeat(repeat);
      continue;
    }
    for (Value result : op.getResults())
      for (const Version &version : demand.versions(result))
        get(result, version);
  }
}

void Advance::buildRepeat(RepeatOp op) {
  // Versions that go round the loop, or come out of it. Caches hold all rows; the others are
  // computed from what is here.
  auto passes = [&](Value value, const Version &version) {
    return !(isAll(version) && demand.isCached(value)) &&
           demand.computed(value, version) == version;
  };
  Block &old = op.getBody().front();
  unsigned count = op.getNumCarried();
  struct Item {
    unsigned number;
    Version version;
  };
  SmallVector<Item> carried, slices, stacked;
  SmallVector<Value> carriedIn, slicesIn;
  SmallVector<Type> types;
  for (unsigned i = 0; i < count; ++i) {
    std::set<Version> round = demand.versions(op.getResult(i));
    round.insert(demand.versions(old.getArgument(i)).begin(),
                 demand.versions(old.getArgument(i)).end());
    for (const Version &version : round)
      if (passes(old.getArgument(i), version) && passes(op.getResult(i), version)) {
        carried.push_back({i, version});
        carriedIn.push_back(get(op.getCarried()[i], version));
        types.push_back(carriedIn.back().getType());
      }
  }
  for (auto [i, slice] : llvm::enumerate(op.getSlices()))
    for (const Version &version : demand.versions(old.getArgument(count + i)))
      if (passes(old.getArgument(count + i), version)) {
        slices.push_back({unsigned(i), version});
        slicesIn.push_back(get(slice, version));
      }
  SmallVector<Value> inside = cachesIn(op);
  for (Value value : inside)
    slicesIn.push_back(caches.lookup(value));
  for (unsigned i = count; i < op.getNumResults(); ++i)
    for (const Version &version : demand.versions(op.getResult(i)))
      if (passes(op.getResult(i), version)) {
        stacked.push_back({i, version});
        types.push_back(dims.typed(typeOf(op.getResult(i)), version));
      }
  for (Value value : inside)
    types.push_back(caches.lookup(value).getType());

  auto repeat = RepeatOp::create(builder, op.getLoc(), types, op.getDimAttr(), carriedIn, slicesIn,
                                 op.getReverseAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = builder.createBlock(&repeat.getBody());
    SmallVector<Value> arguments;
    for (auto [item, value] : llvm::zip(carried, carriedIn))
      arguments.push_back(
          body->addArgument(value.getType(), old.getArgument(item.number).getLoc()));
    for (Value value : slicesIn)
      arguments.push_back(
          body->addArgument(RepeatOp::sliceOf(typeOf(value), op.getDimAttr()), value.getLoc()));
    // What a loop carries may itself be cached, so the caches are there first.
    for (auto [value, argument] : llvm::zip(inside, ArrayRef(arguments).take_back(inside.size())))
      caches[value] = argument;
    for (auto [item, argument] : llvm::zip(carried, arguments))
      put(old.getArgument(item.number), item.version, argument);
    for (auto [item, argument] : llvm::zip(slices, ArrayRef(arguments).drop_front(carried.size())))
      put(old.getArgument(count + item.number), item.version, argument);
    buildBlock(old);
    SmallVector<Value> yielded;
    for (const Item &item : carried)
      yielded.push_back(get(op.getYield().getValues()[item.number], item.version));
    for (const Item &item : stacked)
      yielded.push_back(get(op.getYield().getValues()[item.number], item.version));
    for (Value value : inside)
      yielded.push_back(caches.lookup(value));
    YieldOp::create(builder, op.getYield().getLoc(), yielded);
  }
  unsigned next = 0;
  for (const Item &item : carried)
    put(op.getResult(item.number), item.version, repeat.getResult(next++));
  for (const Item &item : stacked)
    put(op.getResult(item.number), item.version, repeat.getResult(next++));
  for (Value value : inside)
    caches[value] = repeat.getResult(next++);
  for (Value result : op.getResults())
    for (const Version &version : demand.versions(result))
      get(result, version);
}

} // namespace weft::decode
