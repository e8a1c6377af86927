// Collects what a function requires of sizes, and decides what of it holds.
#include "ir/model/obligations/Obligations.h"

#include "ir/model/obligations/Positions.h"

#include "ir/model/Entries.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace weft;
using namespace weft::model;

static constexpr int64_t largestSize = 2147483647;

std::string weft::model::lineOf(Location at) {
  FileLineColLoc found;
  at->walk([&](Location each) {
    auto place = dyn_cast<FileLineColLoc>(each);
    // From the inside out: the first that is not in the library is the user's own.
    if (place && (!found || found.getFilename().getValue().starts_with("library/")))
      found = place;
    return WalkResult::advance();
  });
  if (!found)
    return "";
  return " (" + found.getFilename().str() + ":" + std::to_string(found.getLine()) + ")";
}

std::string weft::model::called(Value value, const Twine &otherwise) {
  return nameOf(value.getLoc()).value_or(otherwise.str());
}

Obligation weft::model::obliged(Location at, StringRef code, Relation relation, const Size &left,
                                const Size &right, const Twine &text) {
  MLIRContext *context = at.getContext();
  return {RequireAttr::get(context, relation, left, right, StringAttr::get(context, text)), code,
          at};
}

//===-- what is known -----------------------------------------------------------------------===//

SizeFacts Known::facts(bool withBounds) const {
  SizeFacts facts;
  facts.least = [this](const std::string &name) -> int64_t {
    return dims.mayBeEmpty(name) ? 0 : 1;
  };
  facts.most = [this, withBounds](const std::string &name) -> std::optional<Size> {
    if (std::optional<Size> bound = withBounds ? dims.bound(name) : std::nullopt)
      return dims.resolve(*bound);
    return Size::number(largestSize);
  };
  return facts;
}

Known::Verdict Known::judge(const Obligation &obligation) const {
  RequireAttr what = obligation.holds;
  Size left = resolve(what.getLeft()), right = resolve(what.getRight());
  SizeFacts known = facts(!obligation.isBound);
  if (left.isUndefined() || right.isUndefined())
    return Verdict::open;
  bool over = isPositive(left - right, known), under = isPositive(right - left, known);
  switch (what.getRelation()) {
  case Relation::at_most:
    return over                                 ? Verdict::never
           : isNonNegative(right - left, known) ? Verdict::always
                                                : Verdict::open;
  case Relation::equal:
    return over || under ? Verdict::never : left == right ? Verdict::always : Verdict::open;
  case Relation::multiple: {
    if (std::optional<int64_t> a = left.constant(), b = right.constant(); a && b)
      return *b > 0 && *a % *b == 0 ? Verdict::always : Verdict::never;
    Size quotient = left / right;
    return !quotient.isUndefined() && fraction(quotient).below == Size::number(1) &&
                   isPositive(right, known)
               ? Verdict::always
               : Verdict::open;
  }
  }
  llvm_unreachable("no other relations");
}

bool Known::isAmong(DimAttr positions, DimAttr dim) const {
  auto isAtMost = [&](const Size &size) {
    return !size.isUndefined() && isNonNegative(dims.size(dim) - size, facts());
  };
  // A bound of what follows from other dimensions may say more than theirs.
  std::optional<Size> bound = dims.bound(positions.getValue());
  return positions == dim || isAtMost(dims.size(positions)) ||
         (bound && isAtMost(dims.resolve(*bound)));
}

std::optional<std::string>
weft::model::broken(RequireAttr what,
                    const std::function<std::optional<int64_t>(const std::string &)> &sizeOf) {
  std::optional<int64_t> left = what.getLeft().evaluate(sizeOf),
                         right = what.getRight().evaluate(sizeOf);
  if (left && right) {
    Relation relation = what.getRelation();
    if (relation == Relation::at_most ? *left <= *right
        : relation == Relation::equal ? *left == *right
                                      : *right > 0 && *left % *right == 0)
      return std::nullopt;
  }
  auto shown = [](std::optional<int64_t> number) {
    return number ? std::to_string(*number) : std::string("beyond 64 bits");
  };
  std::string text = what.getText().str();
  for (auto [place, number] : {std::pair{"{left}", shown(left)}, {"{right}", shown(right)}})
    if (size_t at = text.find(place); at != std::string::npos)
      text.replace(at, StringRef(place).size(), number);
  return text;
}

bool weft::model::isListed(ArrayRef<Attribute> list, RequireAttr what, const Known &known) {
  Size left = known.resolve(what.getLeft()), right = known.resolve(what.getRight());
  return llvm::any_of(list, [&](Attribute each) {
    auto other = cast<RequireAttr>(each);
    return other.getRelation() == what.getRelation() && known.resolve(other.getLeft()) == left &&
           known.resolve(other.getRight()) == right;
  });
}

//===-- what is asked -----------------------------------------------------------------------===//

std::set<std::string> weft::model::spokenOf(func::FuncOp function, const Dims &dims) {
  std::set<std::string> names;
  auto add = [&](DimAttr dim) {
    if (!names.insert(dim.str()).second)
      return;
    for (const std::string &name : dims.size(dim).dims())
      names.insert(name);
  };
  for (Type type : function.getArgumentTypes())
    if (auto tensor = dyn_cast<NamedTensorType>(type)) {
      llvm::for_each(tensor.getDims(), add);
      if (DimAttr index = tensor.indexed()) // positions in inputs are checked in every run
        add(index);
    }
  function.walk([&](Operation *op) { forEachDim(op, add); });
  return names;
}

RequireAttr weft::model::rewritten(RequireAttr what,
                                   const std::function<Size(const Size &)> &size) {
  Fraction left = fraction(size(what.getLeft())), right = fraction(size(what.getRight()));
  return RequireAttr::get(what.getContext(), what.getRelation(), left.above * right.below,
                          right.above * left.below, what.getText());
}

namespace {
class Gathering {
public:
  Gathering(func::FuncOp function, const Dims &dims)
      : function(function), dims(dims), names(spokenOf(function, dims)) {}

  Demands gather() {
    // Values before bounds: a bound may name a dimension that is declared later.
    std::vector<Obligation> bounds;
    for (DimOp dim : dims.declared())
      if (names.contains(dim.getSymName().str()))
        for (const Obligation &each : dim.obligations())
          each.isBound ? bounds.push_back(each) : add(each);
    for (const Obligation &each : bounds)
      add(inOwnNames(each));
    function.walk([&](Obliged op) {
      if (isFirst(op))
        for (const Obligation &each : op.obligations())
          add(each);
    });
    Positions positions(function, dims);
    for (const Obligation &each : positions.obligations())
      add(each);
    result.unproved = positions.unproved();
    return std::move(result);
  }

private:
  /// Ops with the same attributes and types oblige to the same, of which the first says it: layers
  /// repeat each other.
  bool isFirst(Operation *op) {
    return ops
        .insert({op->getName().getAsOpaquePointer(), op->getPropertiesAsAttribute(),
                 FunctionType::get(op->getContext(), op->getOperandTypes(), op->getResultTypes())})
        .second;
  }

  void add(const Obligation &each) {
    RequireAttr what = each.holds;
    if (seen.insert({unsigned(what.getRelation()), what.getLeft().str(), what.getRight().str()})
            .second)
      result.all.push_back(each);
  }

  bool knows(const Size &size) const {
    return llvm::all_of(size.dims(), [&](const std::string &name) { return names.contains(name); });
  }

  /// An upper bound of `size` (a lower one unless `most`) in the dimensions that this function
  /// names.
  Size inOwnNames(const Size &size, bool most) const {
    Size result;
    for (const auto &[powers, coefficient] : size.terms()) {
      Size term = Size::number(coefficient.numerator);
      bool up = most == (coefficient.numerator > 0);
      for (const auto &[name, power] : powers) {
        Size base = names.contains(name) ? Size::dim(name)
                    : !up                ? Size::number(dims.mayBeEmpty(name) ? 0 : 1)
                                         : dims.bound(name).value_or(Size::number(largestSize));
        for (int i = 0; i < power; ++i)
          term = term * base;
      }
      result = result + term;
    }
    return result;
  }

  /// A bound in the dimensions that this function names: `a <= b`, `b <= c` are `a <= c` if it does
  /// not name `b`. So bounds that proofs use are checked, whatever dimensions they name.
  Obligation inOwnNames(Obligation each) const {
    auto stated = [&](const std::string &name) -> std::optional<Size> {
      return names.contains(name) ? std::nullopt : std::optional(dims.size(name));
    };
    Size left = each.holds.getLeft().substitute(stated),
         right = each.holds.getRight().substitute(stated);
    for (int round = 0; round < 8 && !(knows(left) && knows(right)); ++round) {
      Fraction most = fraction(inOwnNames(right, true));
      left = inOwnNames(left, false) * most.below;
      right = most.above;
    }
    each.holds = RequireAttr::get(each.holds.getContext(), each.holds.getRelation(), left, right,
                                  each.holds.getText());
    return each;
  }

  func::FuncOp function;
  const Dims &dims;
  std::set<std::string> names;
  llvm::DenseSet<std::tuple<const void *, Attribute, Type>> ops;
  std::set<std::tuple<unsigned, std::string, std::string>> seen;
  Demands result;
};
} // namespace

Demands weft::model::demands(func::FuncOp function, const Dims &dims) {
  return Gathering(function, dims).gather();
}
