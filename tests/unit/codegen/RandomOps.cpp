// Ops of the model dialect at random.
#include "RandomOps.h"

#include "ir/model/infer/Infer.h"

#include <cmath>

using namespace mlir;
using namespace weft::model;

namespace weft::test {

/// Whole multiples of a grain up to here are f32's.
constexpr double exactly = 1 << 22;

bool RandomOps::fits(std::initializer_list<Known> values) {
  SmallVector<NamedTensorType> types;
  for (const Known &each : values)
    types.push_back(each.type());
  DimList all = unionOfDims(types);
  return all.size() <= 4 && elements(all) <= mostElements;
}

bool RandomOps::add(Value value, double bound, int grain, bool exact) {
  if (typeOf(value).isFloat() && !(bound / std::ldexp(1.0, grain) <= exactly))
    exact = false;
  pool.push_back({value, bound, grain, exact});
  return true;
}
/// Of a function that rounds.
bool RandomOps::rounded(Value value, double bound) {
  return add(value, bound, 0, false);
}
bool RandomOps::whole(Value value) {
  return add(value, 0, 0, true);
}

Known RandomOps::any() {
  return draw.one(pool);
}
Known RandomOps::number(double value, int grain) {
  return {ConstantOp::create(builder, loc, builder.getF64FloatAttr(value)), std::abs(value), grain,
          true};
}
Known RandomOps::integer(int64_t value) {
  return {ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)), 0, 0, true};
}
/// A number of the kind, if there is none in the pool a constant.
Known RandomOps::of(char kind) {
  for (int tries = 0; tries < 6; ++tries)
    if (Known x = any(); x.kind() == kind)
      return x;
  if (kind == 'f' && draw.chance(0.3))
    return drawnNumbers();
  if (kind == 'f')
    return number(double(draw.below(33) - 16) / 4);
  if (kind == 'i')
    return draw.chance(0.5) ? Known{IndexOp::create(builder, loc, draw.one(dims)), 0, 0, true}
                            : integer(draw.below(19) - 6);
  Known x = of('i');
  return {CompareOp::create(builder, loc, Comparison::lt, x.value, integer(2).value)};
}

/// What a dropout draws, along one or two dimensions.
Known RandomOps::drawnNumbers() {
  DimList names{draw.one(dims)};
  if (DimAttr other = draw.one(dims); other != names[0] && elements({names[0], other}) < 4000)
    names.push_back(other);
  auto type = NamedTensorType::get(builder.getContext(), builder.getF32Type(), names);
  Value value = RandomOp::create(builder, loc, type, builder.getStringAttr("drop"));
  return {value, 1, 0, false};
}

DimList RandomOps::some(const Known &x) {
  DimList names;
  for (DimAttr each : draw.shuffled(DimList(x.dims())))
    if (names.empty() || draw.chance(0.3))
      names.push_back(each);
  return names;
}
double RandomOps::count(ArrayRef<DimAttr> over) {
  return elements(over);
}

bool RandomOps::step() {
  return drawn(14);
}
bool RandomOps::stepWithoutReduction() {
  return drawn(9);
}

bool RandomOps::drawn(int64_t ways) {
  switch (draw.below(ways)) {
  case 0:
    return unary(of('f'));
  case 1:
  case 2:
    return binary(of('f'), of('f'));
  case 3:
    return wholes(of('i'), of('i'));
  case 4:
    return switches();
  case 5:
    return where();
  case 6:
  case 7:
    return moved(any());
  case 8:
    return several(any(), any());
  case 9:
    return idiom(of('f'));
  default:
    return reduced(of(draw.chance(0.75) ? 'f' : 'i'));
  }
}

bool RandomOps::unary(Known x) {
  switch (draw.below(6)) {
  case 0:
    return add(NegOp::create(builder, loc, x.value), x.bound, x.grain, x.exact);
  case 1:
    return x.bound <= 4 && rounded(ExpOp::create(builder, loc, x.value), 60);
  case 2:
    return rounded(TanhOp::create(builder, loc, x.value), 1);
  case 3:
    return x.bound <= 1000 && rounded(SinOp::create(builder, loc, x.value), 1);
  case 4:
    return x.exact &&
           whole(FloorOp::create(builder, loc,
                                 MulOp::create(builder, loc, x.value, number(0.5, -1).value)));
  default:
    return x.bound <= 1000 && rounded(ErfOp::create(builder, loc, x.value), 1);
  }
}

bool RandomOps::binary(Known x, Known y) {
  if (!fits({x, y}))
    return false;
  int grain = std::min(x.grain, y.grain);
  bool exact = x.exact && y.exact;
  double sum = x.bound + y.bound, larger = std::max(x.bound, y.bound);
  switch (draw.below(6)) {
  case 0:
    return sum < 1e4 && add(AddOp::create(builder, loc, x.value, y.value), sum, grain, exact);
  case 1:
    return sum < 1e4 && add(SubOp::create(builder, loc, x.value, y.value), sum, grain, exact);
  case 2:
    return x.bound * y.bound < 1e4 && add(MulOp::create(builder, loc, x.value, y.value),
                                          x.bound * y.bound, x.grain + y.grain, exact);
  case 3:
    return add(MaxOp::create(builder, loc, x.value, y.value), larger, grain, exact);
  case 4:
    return add(MinOp::create(builder, loc, x.value, y.value), larger, grain, exact);
  default: { // never by anything near 0
    Value by = AddOp::create(builder, loc, TanhOp::create(builder, loc, y.value), number(2).value);
    return rounded(DivOp::create(builder, loc, x.value, by), x.bound);
  }
  }
}

bool RandomOps::wholes(Known x, Known y) {
  if (!fits({x, y}))
    return false;
  switch (draw.below(9)) {
  case 0:
    return whole(AddOp::create(builder, loc, x.value, y.value));
  case 1:
    return whole(SubOp::create(builder, loc, x.value, y.value));
  case 2:
    return whole(MulOp::create(builder, loc, x.value, y.value));
  case 3:
    return whole(MaxOp::create(builder, loc, x.value, y.value));
  case 4:
    return whole(MinOp::create(builder, loc, x.value, y.value));
  case 5:
    return whole(FloorDivOp::create(builder, loc, x.value, y.value));
  case 6:
    return whole(ModOp::create(builder, loc, x.value, y.value));
  case 7: { // as a float, a small one
    Value small = ModOp::create(builder, loc, x.value, integer(9).value);
    return add(ToFloatOp::create(builder, loc, small), 9, 0, true);
  }
  default:
    return whole(NegOp::create(builder, loc, x.value));
  }
}

bool RandomOps::switches() {
  auto predicate = Comparison(draw.below(6));
  switch (draw.below(6)) {
  case 0: {
    Known x = of('i'), y = of('i');
    return fits({x, y}) && whole(CompareOp::create(builder, loc, predicate, x.value, y.value));
  }
  case 1: {
    Known x = of('f'), y = of('f');
    if (!x.exact || !y.exact) // nothing that is computed comes near this
      y = number(draw.chance(0.5) ? 0.3137129 : -0.4171931);
    return fits({x, y}) && whole(CompareOp::create(builder, loc, predicate, x.value, y.value));
  }
  case 2:
    return whole(NotOp::create(builder, loc, of('b').value));
  case 3:
    return whole(ToIntOp::create(builder, loc, of('b').value));
  default: {
    Known x = of('b'), y = of('b');
    if (!fits({x, y}))
      return false;
    return whole(draw.chance(0.5) ? Value(AndOp::create(builder, loc, x.value, y.value))
                                  : Value(OrOp::create(builder, loc, x.value, y.value)));
  }
  }
}

bool RandomOps::where() {
  Known condition = of('b'), x = any(), y = of(x.kind());
  return fits({condition, x, y}) &&
         add(WhereOp::create(builder, loc, condition.value, x.value, y.value),
             std::max(x.bound, y.bound), std::min(x.grain, y.grain), x.exact && y.exact);
}

bool RandomOps::reduced(Known x) {
  if (x.dims().empty())
    return false;
  DimList over = some(x);
  switch (draw.below(5)) {
  case 0:
    return add(ReduceMaxOp::create(builder, loc, over, x.value), x.bound, x.grain, x.exact);
  case 1:
    return add(ReduceMinOp::create(builder, loc, over, x.value), x.bound, x.grain, x.exact);
  case 2:
    return x.exact && whole(ArgMaxOp::create(builder, loc, ArrayRef(over[0]), x.value));
  default: {
    double sum = x.bound * count(over);
    return sum < 1e6 && add(SumOp::create(builder, loc, over, x.value), sum, x.grain, x.exact);
  }
  }
}

bool RandomOps::idiom(Known x) {
  if (x.dims().empty() || x.bound > 1e3)
    return false;
  DimList over = some(x);
  DimAttr along = over[0];
  APFloat eps(0.1);
  switch (draw.below(7)) {
  case 6: {
    Known y = of('f');
    double bound = x.bound * y.bound * count(over);
    bool meet = llvm::all_of(over, [&](DimAttr each) { return y.has(each); });
    return meet && fits({x, y}) && bound < 1e6 &&
           add(ContractOp::create(builder, loc, over, x.value, y.value), bound, x.grain + y.grain,
               x.exact && y.exact);
  }
  case 0: {
    Known mask = of('b');
    bool inside = llvm::all_of(mask.dims(), [&](DimAttr each) { return x.has(each); });
    return rounded(SoftmaxOp::create(builder, loc, along, x.value, inside ? mask.value : Value()),
                   1);
  }
  case 1:
    return rounded(LogSumExpOp::create(builder, loc, along, x.value), x.bound + 12);
  case 2:
    return rounded(NormalizeOp::create(builder, loc, over, x.value, eps, true), 200);
  case 3:
    return rounded(NormalizeOp::create(builder, loc, over, x.value, eps, false), 200);
  case 4: {
    Value y = TanhOp::create(builder, loc, x.value);
    return rounded(NormalizeGradOp::create(builder, loc, over, x.value, y, eps, draw.chance(0.5)),
                   100);
  }
  default: {
    Value weights = SoftmaxOp::create(builder, loc, along, x.value, Value());
    Value gradient = TanhOp::create(builder, loc, x.value);
    return rounded(SoftmaxGradOp::create(builder, loc, along, weights, gradient), 2);
  }
  }
}

// Movement: the same elements at other positions.
bool RandomOps::moved(Known x) {
  auto like = [&](Value value) { return add(value, x.bound, x.grain, x.exact); };
  auto renamed = [&](ArrayRef<StringRef> before, ArrayRef<StringRef> after) {
    auto dims = [&](ArrayRef<StringRef> names) {
      return llvm::map_to_vector(names, [&](StringRef name) { return dim(name); });
    };
    DimList from = dims(before), to = dims(after);
    for (DimAttr each : to)
      if (x.has(each) && !llvm::is_contained(from, each))
        return false;
    for (DimAttr each : from)
      if (!x.has(each))
        return false;
    return like(RegroupOp::create(builder, loc, x.value, from, to));
  };
  switch (draw.below(8)) {
  case 0:
    return renamed({"a"}, {"r"});
  case 1:
    return renamed({"r"}, {"a"});
  case 2:
    return renamed({"a", "b"}, {"m"});
  case 3:
    return renamed({"m"}, {"a", "b"});
  case 4: { // a part of a + b
    bool first = draw.chance(0.5);
    DimAttr part = dim(first ? "a" : "b");
    if (!x.has(dim("w")) || x.has(part))
      return false;
    Size offset = first ? Size::number(0) : Size::dim("a");
    return like(PartOp::create(builder, loc, x.value, dim("w"), part,
                               SizeAttr::get(builder.getContext(), offset)));
  }
  case 5: {
    if (x.dims().empty())
      return false;
    DimAttr along = x.dims()[draw.below(int64_t(x.dims().size()))];
    return like(PickOp::create(builder, loc, x.value, along,
                               builder.getI64IntegerAttr(along.getValue() == "p")));
  }
  default: {
    if (x.dims().empty())
      return false;
    DimAttr along = x.dims()[draw.below(int64_t(x.dims().size()))];
    Known index = of('i');
    if (!fits({x, index}))
      return false;
    Value inside = ClampOp::create(builder, loc, along, index.value);
    return like(GatherOp::create(builder, loc, x.value, along, inside));
  }
  }
}

// One value made of two.
bool RandomOps::several(Known x, Known y) {
  if (x.kind() != y.kind() || !fits({x, y}))
    return false;
  double bound = std::max(x.bound, y.bound);
  int grain = std::min(x.grain, y.grain);
  bool exact = x.exact && y.exact;
  if (x.has(dim("b")) && y.has(dim("w")) && !x.has(dim("w")) && !y.has(dim("b"))) {
    DimList names(y.dims());
    for (DimAttr each : x.dims())
      if (each != dim("b") && !y.has(each))
        names.push_back(each);
    auto type =
        NamedTensorType::get(builder.getContext(), commonElement({x.type(), y.type()}), names);
    auto offset = SizeAttr::get(builder.getContext(), Size::dim("a"));
    return elements(names) <= mostElements &&
           add(InsertPartOp::create(builder, loc, type, x.value, y.value, dim("w"), dim("b"),
                                    offset),
               bound, grain, exact);
  }
  if (draw.chance(0.5)) {
    if (x.has(dim("p")) || y.has(dim("p")))
      return false;
    return add(StackOp::create(builder, loc, dim("p"), ValueRange{x.value, y.value}), bound, grain,
               exact);
  }
  if (!x.has(dim("a")) || !y.has(dim("b")) || x.has(dim("b")) || y.has(dim("a")) ||
      x.has(dim("w")) || y.has(dim("w")))
    return false;
  return add(ConcatOp::create(builder, loc, dim("w"), DimList{dim("a"), dim("b")},
                              ValueRange{x.value, y.value}),
             bound, grain, exact);
}

Value RandomOps::scan() {
  SmallVector<Known> lie; // along something
  llvm::copy_if(pool, std::back_inserter(lie),
                [](const Known &x) { return x.kind() != 'b' && !x.dims().empty(); });
  if (lie.empty())
    return {};
  const Known &x = draw.one(lie);
  DimAttr over = x.dims()[draw.below(int64_t(x.dims().size()))];
  if (draw.chance(0.3) && x.exact && over.getValue() == "w" && !x.has(dim("b")))
    return TopOp::create(builder, loc, dim("b"), over, x.value);
  return CumSumOp::create(builder, loc, over, x.value,
                          draw.chance(0.5) ? builder.getUnitAttr() : UnitAttr());
}

} // namespace weft::test
