// Versions of operations: the same operation, on other rows.
#include "passes/model/decode/Advance.h"

#include "ir/model/infer/Align.h"
#include "ir/model/obligations/Positions.h"

using namespace mlir;
using namespace weft::model;

namespace weft::decode {

Value Advance::get(Value value, const Version &version) {
  auto found = made.find({value.getAsOpaquePointer(), version});
  if (found != made.end())
    return found->second;
  if (isGiven(value))
    return cache({value, Keep::once});
  Version has = demand.computed(value, version);
  if (isAll(version) && demand.keeps(value, Keep::rows)) {
    get(value, Version(version.size(), Rows::fresh)); // fills the cache
    return made.at({value.getAsOpaquePointer(), version});
  }
  Value result;
  if (has != version)
    result = partOf(get(value, has), value, has, version);
  else
    result = compute(cast<OpResult>(value), version);
  put(value, version, result);
  return result;
}

void Advance::put(Value value, const Version &version, Value result) {
  made[{value.getAsOpaquePointer(), version}] = result;
  if (call == Call::begin && demand.keeps(value, Keep::once))
    cache({value, Keep::once}) = result;
  if (!demand.keeps(value, Keep::rows) || version != Version{Rows::fresh})
    return;
  // cache[known + i] = the new row i; the first known + new rows of the cache are all rows.
  Value &rows = cache({value, Keep::rows});
  Location at = value.getLoc();
  DimAttr dim = demand.growing(value)[0], all = dims.of(dim, Rows::all);
  MLIRContext *context = builder.getContext();
  rows = InsertPartOp::create(builder, at, rows.getType(), result, rows, dims.capacity,
                              dims.of(dim, Rows::fresh),
                              SizeAttr::get(context, dims.start(Rows::fresh)));
  made[{value.getAsOpaquePointer(), Version{Rows::all}}] =
      PartOp::create(builder, at, rows, dims.capacity, all, SizeAttr::get(context, Size()));
}

/// The rows of version `wanted`, as a part of those of version `has`.
Value Advance::partOf(Value from, Value original, const Version &has, const Version &wanted) {
  for (auto [i, dim] : llvm::enumerate(demand.growing(original)))
    if (has[i] != wanted[i])
      from = PartOp::create(
          builder, original.getLoc(), from, dims.of(dim, has[i]), dims.of(dim, wanted[i]),
          SizeAttr::get(builder.getContext(), dims.start(wanted[i]) - dims.start(has[i])));
  return from;
}

/// index(d) of rows that start at a position that is known in a run only.
Value Advance::positions(IndexOp op, Rows rows) {
  Value index = IndexOp::create(builder, op.getLoc(), dims.of(op.getDimAttr(), rows));
  Size start = dims.start(rows);
  if (start == Size())
    return index;
  Value first = SizeOp::create(builder, op.getLoc(), SizeAttr::get(builder.getContext(), start));
  return AddOp::create(builder, op.getLoc(), index, first);
}

/// The new rows of cumsum(all rows)  ==>  total + cumsum(new rows)
Value Advance::continued(OpResult sum, Value fresh) {
  Location at = sum.getLoc();
  MLIRContext *context = builder.getContext();
  auto number = [&](int64_t value) { return builder.getI64IntegerAttr(value); };
  Value &total = cache({sum, Keep::total});
  // Before the first call there is no total, whatever its memory holds.
  Value known = SizeOp::create(builder, at, SizeAttr::get(context, dims.start(Rows::fresh)));
  Value some = CompareOp::create(builder, at, Comparison::gt, known,
                                 ConstantOp::create(builder, at, number(0)));
  Attribute zero = typeOf(sum).isFloat() ? Attribute(builder.getF64FloatAttr(0)) : number(0);
  Value none = ConstantOp::create(builder, at, cast<TypedAttr>(zero));
  Value begin = WhereOp::create(builder, at, some, total, none);
  Value rows = AddOp::create(builder, at, fresh, begin);
  DimAttr dim = demand.growing(sum)[0], last = dims.of(dim, Rows::last);
  Value row =
      PartOp::create(builder, at, rows, dims.of(dim, Rows::fresh), last,
                     SizeAttr::get(context, dims.start(Rows::last) - dims.start(Rows::fresh)));
  total = SumOp::create(builder, at, ArrayRef(last), row);
  return rows;
}

Value Advance::compute(OpResult result, const Version &version) {
  if (auto index = dyn_cast<IndexOp>(result.getOwner()); index && !version.empty())
    return positions(index, version[0]);
  Value made = clone(result, version);
  bool continues = demand.keeps(result, Keep::total) && version == Version{Rows::fresh};
  return continues ? continued(result, made) : made;
}

Value Advance::clone(OpResult result, const Version &version) {
  Operation *op = result.getOwner();
  std::map<DimAttr, DimAttr, ByName> names;
  auto learn = [&](Value value, const Version &rows) {
    for (auto [dim, each] : llvm::zip(demand.growing(value), rows))
      names.try_emplace(dim, dims.of(dim, each));
  };
  learn(result, version);
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    Version wanted = demand.operandVersion(result, version, i);
    learn(op->getOperand(i), wanted);
    operands.push_back(get(op->getOperand(i), wanted));
  }
  auto called = [&](DimAttr dim) {
    auto found = names.find(dim);
    if (found != names.end())
      return found->second;
    return causality.grows(dim) ? dims.of(dim, Rows::all) : dim;
  };
  Operation *copy = op->clone();
  copy->setOperands(operands);
  for (NamedAttribute attribute : op->getAttrs()) {
    if (attribute.getName().strref().contains('.'))
      continue; // discardable attributes
    if (auto dim = dyn_cast<DimAttr>(attribute.getValue()))
      copy->setAttr(attribute.getName(), called(dim));
    else if (auto list = dyn_cast<DimsAttr>(attribute.getValue()))
      copy->setAttr(attribute.getName(),
                    builder.getAttr<DimsAttr>(llvm::map_to_vector(list.getValue(), called)));
  }
  // A gather reads, and a clamp cuts to, positions among all rows, whichever rows the result has.
  auto among = [&](DimAttr dim) { return causality.grows(dim) ? dims.of(dim, Rows::all) : dim; };
  if (auto gather = dyn_cast<GatherOp>(op)) {
    cast<GatherOp>(copy).setDimAttr(among(gather.getDimAttr()));
    settleIndex(builder, cast<GatherOp>(copy), Dims(function->getParentOfType<ModuleOp>()));
  }
  if (auto clamp = dyn_cast<ClampOp>(op))
    cast<ClampOp>(copy).setDimAttr(among(clamp.getDimAttr()));
  if (!reinfer(copy))
    for (auto [made, original] : llvm::zip(copy->getResults(), op->getResults())) {
      DimList list = llvm::map_to_vector(dimsOf(original), called);
      made.setType(NamedTensorType::get(op->getContext(), dims.element(typeOf(original)), list));
    }
  builder.insert(copy);
  return copy->getResult(result.getResultNumber());
}

} // namespace weft::decode
