// Writes `advance`: functions, loops and caches. Operations are in CloneVersions.cpp.
#include "passes/model/decode/Advance.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "ir/model/infer/Align.h"

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

static bool isOfValuesAlone(AttentionOp attention, DimAttr dim) {
  return dim != attention.getKeyAttr() && !is_contained(dimsOf(attention.getQ()), dim) &&
         !is_contained(dimsOf(attention.getK()), dim);
}

/// The dimensions of what is kept that an attention goes through at each position: those that it
/// adds up, of keys, or that values alone have. None where no attention reads it.
static DimList insideOf(Value kept) {
  struct View {
    Value value;
    llvm::MapVector<DimAttr, DimList> origins; // what its dimensions are called in `kept`
  };
  SmallVector<View> views{{kept, {}}};
  for (DimAttr dim : dimsOf(kept))
    views.back().origins[dim] = {dim};
  while (!views.empty()) {
    View view = views.pop_back_val();
    for (Operation *user : view.value.getUsers()) {
      if (auto attention = dyn_cast<AttentionOp>(user)) {
        DimList inside;
        for (auto &[dim, origins] : view.origins)
          if (view.value == attention.getK()
                  ? is_contained(attention.getDepth(), dim)
                  : view.value == attention.getV() && isOfValuesAlone(attention, dim))
            inside.append(origins);
        if (!inside.empty()) // else it reads it as something else, or for its mask
          return inside;
      }
      if (auto regroup = dyn_cast<RegroupOp>(user)) {
        View next{regroup.getResult(), view.origins};
        DimList from;
        for (DimAttr dim : regroup.getFrom())
          from.append(view.origins[dim]), next.origins.erase(dim);
        for (DimAttr dim : regroup.getTo())
          next.origins[dim] = from;
        views.push_back(next);
      }
    }
  }
  return {};
}

NamedTensorType Advance::cacheType(const Kept &kept, Operation *within) {
  DimList names, own;
  for (RepeatOp loop : loopsAround(kept.value, within))
    names.push_back(loop.getDimAttr());
  for (DimAttr dim : dimsOf(kept.value))
    if (!causality.grows(dim))
      own.push_back(dim);
    else if (kept.what == Keep::rows)
      own.push_back(dims.capacity);
  if (DimList inside = insideOf(kept.value); kept.what == Keep::rows && !inside.empty()) {
    auto place = [&](DimAttr dim) {
      return is_contained(inside, dim) ? 2 : dim == dims.capacity ? 1 : 0;
    };
    llvm::stable_sort(own, [&](DimAttr a, DimAttr b) { return place(a) < place(b); });
  }
  names.append(own);
  // Memory, of which only what is known already holds positions.
  NamedTensorType type = typeOf(kept.value);
  return NamedTensorType::get(function.getContext(),
                              type.isWhole() ? builder.getI32Type() : type.getElement(), names);
}

CacheNames cacheNames(ArrayRef<Kept> kept) {
  CacheNames names;
  std::set<std::string> taken;
  for (const Kept &each : kept) {
    Operation *op = each.value.getDefiningOp();
    std::string what = op ? op->getName().stripDialect().str() : "value";
    std::string name = "cache." + nameOf(each.value.getLoc()).value_or(what), free = name;
    for (unsigned i = 1; !taken.insert(free).second; ++i)
      free = name + "." + std::to_string(i);
    names[{each.value.getAsOpaquePointer(), each.what}] =
        StringAttr::get(each.value.getContext(), free);
  }
  return names;
}

SmallVector<Kept> Advance::keptIn(RepeatOp op) const {
  SmallVector<Kept> inside;
  for (Kept kept : demand.kept())
    if (op.getBody().isAncestor(kept.value.getParentRegion()))
      inside.push_back(kept);
  return inside;
}

func::FuncOp Advance::build(StringRef name, ArrayRef<Version> versions) {
  MLIRContext *context = function.getContext();
  auto given = [&](Value value) { return Version(demand.growing(value).size(), Rows::fresh); };
  // Growing arguments stay even if nothing reads them: the number of new positions is theirs.
  SmallVector<BlockArgument> arguments =
      llvm::filter_to_vector(function.getArguments(), [&](Value value) {
        return !demand.versions(value).empty() ||
               (call == Call::advance && !demand.growing(value).empty());
      });
  SmallVector<Type> inputs, outputs;
  SmallVector<DictionaryAttr> inputAttrs, outputAttrs;
  for (BlockArgument argument : arguments) {
    inputs.push_back(dims.typed(typeOf(argument), given(argument)));
    inputAttrs.push_back(function.getArgAttrDict(argument.getArgNumber()));
  }
  for (auto [i, version] : llvm::enumerate(versions)) {
    outputs.push_back(dims.typed(cast<NamedTensorType>(function.getResultTypes()[i]), version));
    outputAttrs.push_back(function.getResultAttrDict(i));
  }
  for (const Kept &kept : demand.kept()) {
    NamedAttrList attrs;
    for (StringRef key : {attr::cache, attr::name})
      attrs.set(key, names.at({kept.value.getAsOpaquePointer(), kept.what}));
    inputs.push_back(cacheType(kept, function));
    inputAttrs.push_back(attrs.getDictionary(context));
    if (!leaves(kept))
      continue;
    outputs.push_back(inputs.back());
    outputAttrs.push_back(attrs.getDictionary(context));
  }
  builder.setInsertionPointAfter(function);
  auto made = func::FuncOp::create(builder, function.getLoc(), name,
                                   builder.getFunctionType(inputs, outputs));
  made->setAttr(attr::entry, builder.getStringAttr(name));
  made->setAttr(attr::kind, builder.getStringAttr(call == Call::begin ? "begin" : "advance"));
  made.setAllArgAttrs(inputAttrs);
  made.setAllResultAttrs(outputAttrs);
  Block *body = builder.createBlock(&made.getBody());
  for (auto [argument, type] : llvm::zip(arguments, inputs))
    body->addArgument(type, argument.getLoc());
  for (const Kept &kept : demand.kept()) {
    StringAttr called = names.at({kept.value.getAsOpaquePointer(), kept.what});
    cache(kept) =
        body->addArgument(cacheType(kept, function), NameLoc::get(called, kept.value.getLoc()));
  }
  for (auto [i, argument] : llvm::enumerate(arguments))
    put(argument, given(argument), body->getArgument(i));
  buildBlock(function.front());
  SmallVector<Value> results;
  ValueRange returned = function.front().getTerminator()->getOperands();
  for (auto [value, version] : llvm::zip(returned, versions))
    results.push_back(get(value, version));
  for (const Kept &kept : demand.kept())
    if (leaves(kept))
      results.push_back(cache(kept));
  // What is known of whole numbers may differ from version to version.
  for (auto [result, type] : llvm::zip(results, outputs))
    result = shaped(builder, result.getLoc(), result, cast<NamedTensorType>(type));
  func::ReturnOp::create(builder, function.front().getTerminator()->getLoc(), results);
  return made;
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
  // The versions that the new loop carries, slices or stacks: not those that come from caches (all
  // rows, or what was computed once), and not those that are parts of another version.
  auto passes = [&](Value value, const Version &version) {
    return !(isAll(version) && demand.keeps(value, Keep::rows)) && !isGiven(value) &&
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
  // What a pass reads goes round, also where what the last one leaves comes from a cache.
  for (unsigned i = 0; i < count; ++i) {
    for (const Version &version : demand.versions(old.getArgument(i)))
      if (passes(old.getArgument(i), version)) {
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
  for (unsigned i = count; i < op.getNumResults(); ++i)
    for (const Version &version : demand.versions(op.getResult(i)))
      if (passes(op.getResult(i), version)) {
        stacked.push_back({i, version});
        types.push_back(dims.typed(typeOf(op.getResult(i)), version));
      }
  SmallVector<Kept> taken, left;
  for (const Kept &kept : keptIn(op)) {
    if (call == Call::advance) {
      taken.push_back(kept);
      slicesIn.push_back(cache(kept));
    }
    if (leaves(kept)) {
      left.push_back(kept);
      types.push_back(cacheType(kept, op->getParentOp()));
    }
  }
  if (types.empty())
    return; // no result of the loop is needed in this call

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
    // A carried value may be cached itself, so caches are set first.
    for (auto [kept, argument] : llvm::zip(taken, ArrayRef(arguments).take_back(taken.size())))
      cache(kept) = argument;
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
    for (const Kept &kept : left)
      yielded.push_back(cache(kept));
    for (auto [i, value] : llvm::enumerate(yielded)) {
      auto type = cast<NamedTensorType>(types[i]);
      if (i >= carried.size())
        type = RepeatOp::sliceOf(type, op.getDimAttr());
      value = shaped(builder, value.getLoc(), value, type);
    }
    YieldOp::create(builder, op.getYield().getLoc(), yielded);
  }
  unsigned next = 0;
  for (const Item &item : carried) {
    Value result = repeat.getResult(next++);
    if (passes(op.getResult(item.number), item.version))
      put(op.getResult(item.number), item.version, result);
  }
  for (const Item &item : stacked)
    put(op.getResult(item.number), item.version, repeat.getResult(next++));
  for (auto [kept, outside] : llvm::zip(taken, ArrayRef(slicesIn).take_back(taken.size())))
    cache(kept) = outside;
  for (const Kept &kept : left)
    cache(kept) = repeat.getResult(next++);
  for (Value result : op.getResults())
    for (const Version &version : demand.versions(result))
      get(result, version);
}

} // namespace weft::decode
