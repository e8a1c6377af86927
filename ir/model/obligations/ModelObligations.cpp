// What each op requires of sizes.
#include "ir/model/obligations/Obligations.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

using List = std::vector<Obligation>;

static Size sizeOf(DimAttr dim) {
  return Size::dim(dim.getValue());
}

static Size sizeOf(ArrayRef<DimAttr> dims) {
  Size product = Size::number(1);
  for (DimAttr dim : dims)
    product = product * sizeOf(dim);
  return product;
}

static std::string listed(Operation *op, ArrayRef<DimAttr> dims) {
  auto name = [&](DimAttr dim) { return written(op, dim); };
  return "`" + llvm::join(llvm::map_range(dims, name), "`, `") + "`";
}

List DimOp::obligations() {
  List result;
  std::string name = nameOf(getLoc()).value_or(getSymName().str());
  Size self = Size::dim(getSymName().str());
  if (SizeAttr attr = getSizeAttr(); attr && !attr.getValue().constant()) {
    std::string equation = "`" + name + "` = " + attr.getValue().str() + lineOf(getLoc());
    Fraction size = fraction(attr.getValue());
    if (size.below == Size::number(1)) // by its formula, so that a run can say that it overflows
      self = size.above;
    if (size.below != Size::number(1))
      result.push_back(obliged(getLoc(), "E0604", Relation::multiple, size.above, size.below,
                               equation + " is not whole: {left} is not a multiple of {right}"));
    if (!getOrEmpty())
      result.push_back(obliged(getLoc(), "E0603", Relation::at_most, Size::number(1), self,
                               equation + " is {right}, but every size is at least {left}"));
    // Dimensions that the compiler has made, as products of others, have no line; they may be
    // larger.
    if (!lineOf(getLoc()).empty())
      result.push_back(obliged(getLoc(), "E0603", Relation::at_most, self, Size::number(2147483647),
                               equation + " is {left}, but the largest size is {right}"));
  }
  if (SizeAttr attr = getBoundAttr()) {
    Fraction most = fraction(attr.getValue());
    Obligation bound = obliged(getLoc(), "E0606", Relation::at_most, self * most.below, most.above,
                               "`" + name + "` is at most `" + attr.getValue().str() + "`" +
                                   lineOf(getLoc()) + ", but {left} is more than {right}");
    bound.isBound = true;
    result.push_back(bound);
  }
  return result;
}

List PickOp::obligations() {
  std::string dim = written(*this, getDimAttr());
  return {obliged(getLoc(), "E0609", Relation::at_most,
                  Size::number(getPositionAttr().getInt()) + Size::number(1), sizeOf(getDimAttr()),
                  called(getInput(), "") + "[" + dim + " = " +
                      std::to_string(getPositionAttr().getInt()) + "]" + lineOf(getLoc()) +
                      " needs `" + dim + "` of at least {left}, but it is {right}")};
}

List TopOp::obligations() {
  std::string dim = written(*this, getDimAttr());
  return {obliged(getLoc(), "E0609", Relation::at_most, sizeOf(getKAttr()), sizeOf(getDimAttr()),
                  "top[" + written(*this, getKAttr()) + ", " + dim + "]" + lineOf(getLoc()) +
                      " takes {left} positions, but `" + dim + "` has {right}")};
}

List RegroupOp::obligations() {
  return {obliged(getLoc(), "E0604", Relation::equal, sizeOf(getFrom()), sizeOf(getTo()),
                  listed(*this, getFrom()) + " as " + listed(*this, getTo()) + lineOf(getLoc()) +
                      " must be as many positions, but {left} would become {right}")};
}

/// `part` is within `dim`, from `offset` on.
static List inside(Operation *op, DimAttr dim, DimAttr part, const Size &offset) {
  Fraction begin = fraction(offset); // a multiple: a part begins where others end
  std::string text =
      "the part `" + written(op, part) + "` of `" + written(op, dim) + "`" + lineOf(op->getLoc());
  List result;
  if (begin.below != Size::number(1))
    result.push_back(obliged(op->getLoc(), "E0604", Relation::multiple, begin.above, begin.below,
                             text + " begins between two positions"));
  result.push_back(obliged(op->getLoc(), "E0609", Relation::at_most, Size(), begin.above,
                           text + " begins at {right}"));
  result.push_back(obliged(op->getLoc(), "E0609", Relation::at_most,
                           begin.above + sizeOf(part) * begin.below, sizeOf(dim) * begin.below,
                           text + " ends behind {left} positions, but there are {right}"));
  return result;
}

List PartOp::obligations() {
  return inside(*this, getDimAttr(), getPartAttr(), getOffset().getValue());
}

List InsertPartOp::obligations() {
  return inside(*this, getDimAttr(), getPartAttr(), getOffset().getValue());
}

List StackOp::obligations() {
  std::string dim = written(*this, getDimAttr());
  return {obliged(getLoc(), "E0609", Relation::equal, Size::number(getInputs().size()),
                  sizeOf(getDimAttr()),
                  "stack[" + dim + "]" + lineOf(getLoc()) + " joins {left} values, but `" + dim +
                      "` has {right} positions")};
}

List ConcatOp::obligations() {
  std::string dim = written(*this, getDimAttr());
  Size total;
  for (DimAttr part : getParts())
    total = total + sizeOf(part);
  return {obliged(getLoc(), "E0604", Relation::equal, total, sizeOf(getDimAttr()),
                  "concat[" + dim + "]" + lineOf(getLoc()) + " joins {left} positions, but `" +
                      dim + "` has {right}")};
}
