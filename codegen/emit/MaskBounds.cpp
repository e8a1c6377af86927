// What a mask says of a whole block, by interval arithmetic.
#include "codegen/emit/MaskBounds.h"

#include "codegen/emit/Loops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace llvm;

namespace weft::emit {

MaskBounds::Verdict MaskBounds::judge(const TaskRange &range) {
  block = range;
  verdicts.clear();
  ranges.clear();
  if (!mask)
    return {b.getFalse(), b.getTrue()};
  return verdict(mask);
}

MaskBounds::Verdict MaskBounds::verdict(mlir::Value value) {
  if (auto at = verdicts.find(value); at != verdicts.end())
    return at->second;
  Verdict unknown{b.getFalse(), b.getFalse()};
  mlir::Operation *op = value.getDefiningOp();
  Verdict result = op ? computeVerdict(op) : unknown;
  verdicts[value] = result;
  return result;
}

MaskBounds::Verdict MaskBounds::computeVerdict(mlir::Operation *op) {
  return TypeSwitch<mlir::Operation *, Verdict>(op)
      .Case([&](model::ConstantOp constant) -> Verdict {
        bool on = !cast<mlir::IntegerAttr>(constant.getValue()).getValue().isZero();
        return {b.getInt1(!on), b.getInt1(on)};
      })
      .Case<model::BroadcastOp, model::ArrangeOp>([&](auto) { return verdict(op->getOperand(0)); })
      .Case([&](model::NotOp) -> Verdict {
        Verdict x = verdict(op->getOperand(0));
        return {x.always, x.never};
      })
      .Case([&](model::AndOp both) -> Verdict {
        Verdict x = verdict(both.getLhs()), y = verdict(both.getRhs());
        return {b.CreateOr(x.never, y.never), b.CreateAnd(x.always, y.always)};
      })
      .Case([&](model::OrOp either) -> Verdict {
        Verdict x = verdict(either.getLhs()), y = verdict(either.getRhs());
        return {b.CreateAnd(x.never, y.never), b.CreateOr(x.always, y.always)};
      })
      .Case([&](model::WhereOp where) -> Verdict {
        Verdict c = verdict(where.getCondition()), x = verdict(where.getThen()),
                y = verdict(where.getOtherwise());
        auto chosen = [&](Value *one, Value *other) {
          Value *known = b.CreateOr(b.CreateAnd(c.always, one), b.CreateAnd(c.never, other));
          return b.CreateOr(known, b.CreateAnd(one, other));
        };
        return {chosen(x.never, y.never), chosen(x.always, y.always)};
      })
      .Case([&](model::CompareOp comparison) { return compare(comparison); })
      .Default([&](mlir::Operation *) -> Verdict { return {b.getFalse(), b.getFalse()}; });
}

MaskBounds::Verdict MaskBounds::compare(model::CompareOp op) {
  std::optional<Range> x = range(op.getLhs()), y = range(op.getRhs());
  if (!x || !y)
    return {b.getFalse(), b.getFalse()};
  auto less = [&](const Range &x, const Range &y) -> Verdict {
    return {b.CreateICmpSGE(x.low, y.high), b.CreateICmpSLT(x.high, y.low)};
  };
  auto inverse = [](Verdict verdict) -> Verdict { return {verdict.always, verdict.never}; };
  auto equal = [&]() -> Verdict {
    Value *single = b.CreateAnd(b.CreateICmpEQ(x->low, x->high), b.CreateICmpEQ(y->low, y->high));
    Value *apart = b.CreateOr(b.CreateICmpSLT(x->high, y->low), b.CreateICmpSLT(y->high, x->low));
    return {apart, b.CreateAnd(single, b.CreateICmpEQ(x->low, y->low))};
  };
  switch (op.getPredicate()) {
  case model::Comparison::lt:
    return less(*x, *y);
  case model::Comparison::ge:
    return inverse(less(*x, *y));
  case model::Comparison::gt:
    return less(*y, *x);
  case model::Comparison::le:
    return inverse(less(*y, *x));
  case model::Comparison::eq:
    return equal();
  case model::Comparison::ne:
    return inverse(equal());
  }
  llvm_unreachable("a comparison");
}

std::optional<MaskBounds::Range> MaskBounds::range(mlir::Value value) {
  if (auto at = ranges.find(value); at != ranges.end())
    return at->second;
  mlir::Operation *op = value.getDefiningOp();
  bool whole = model::typeOf(value).isWhole();
  std::optional<Range> result = op && whole ? computeRange(op) : std::nullopt;
  ranges[value] = result;
  return result;
}

std::optional<MaskBounds::Range> MaskBounds::computeRange(mlir::Operation *op) {
  using Result = std::optional<Range>;
  if (auto index = dyn_cast<model::IndexOp>(op))
    return positions(index.getDimAttr());
  if (auto extent = dyn_cast<model::SizeOp>(op)) {
    Value *size = known.size(b, extent.getSize().getValue(), sizes);
    return wrapped(size, size);
  }
  if (auto constant = dyn_cast<model::ConstantOp>(op)) {
    Value *number =
        b.getInt64(cast<mlir::IntegerAttr>(constant.getValue()).getValue().getSExtValue());
    return wrapped(number, number);
  }
  if (isa<model::ToIntOp>(op)) {
    Verdict on = verdict(op->getOperand(0));
    return Range{b.CreateZExt(on.always, b.getInt64Ty()),
                 b.CreateZExt(b.CreateNot(on.never), b.getInt64Ty())};
  }
  SmallVector<Range> x;
  for (mlir::Value operand : op->getOperands()) {
    if (isa<model::WhereOp>(op) && operand == op->getOperand(0))
      continue;
    Result known = range(operand);
    if (!known)
      return std::nullopt;
    x.push_back(*known);
  }
  return TypeSwitch<mlir::Operation *, Result>(op)
      .Case<model::BroadcastOp, model::ArrangeOp>([&](auto) { return x[0]; })
      .Case([&](model::NegOp) { return wrapped(b.CreateNeg(x[0].high), b.CreateNeg(x[0].low)); })
      .Case([&](model::AddOp) {
        return wrapped(b.CreateAdd(x[0].low, x[1].low), b.CreateAdd(x[0].high, x[1].high));
      })
      .Case([&](model::SubOp) {
        return wrapped(b.CreateSub(x[0].low, x[1].high), b.CreateSub(x[0].high, x[1].low));
      })
      .Case([&](model::MulOp) {
        Value *low = nullptr, *high = nullptr;
        for (Value *one : {x[0].low, x[0].high})
          for (Value *other : {x[1].low, x[1].high}) {
            Value *product = b.CreateMul(one, other);
            low = low ? minimum(b, low, product) : product;
            high = high ? maximum(b, high, product) : product;
          }
        return wrapped(low, high);
      })
      .Case([&](model::MinOp) {
        return Range{minimum(b, x[0].low, x[1].low), minimum(b, x[0].high, x[1].high)};
      })
      .Case([&](model::MaxOp) {
        return Range{maximum(b, x[0].low, x[1].low), maximum(b, x[0].high, x[1].high)};
      })
      .Case([&](model::WhereOp) {
        return Range{minimum(b, x[0].low, x[1].low), maximum(b, x[0].high, x[1].high)};
      })
      .Case([&](model::FloorDivOp) -> Result {
        auto *by = dyn_cast<ConstantInt>(x[1].low);
        if (!by || x[1].high != by || by->getSExtValue() <= 0)
          return std::nullopt;
        // floor(a / n) = (a - ((a % n) + n) % n) / n
        auto floor = [&](Value *a) {
          Value *rest = b.CreateSRem(b.CreateAdd(b.CreateSRem(a, by), by), by);
          return b.CreateSDiv(b.CreateSub(a, rest), by);
        };
        return Range{floor(x[0].low), floor(x[0].high)};
      })
      .Default([](mlir::Operation *) -> Result { return std::nullopt; });
}

// Sums and products of two numbers of 32 bits fit 64. The whole interval wraps alike where the same
// multiple of 2^32 is taken from both ends.
MaskBounds::Range MaskBounds::wrapped(Value *low, Value *high) {
  Type *whole = b.getInt64Ty(), *narrow = b.getInt32Ty();
  auto turns = [&](Value *x) {
    return b.CreateAShr(b.CreateAdd(x, b.getInt64(int64_t(1) << 31)), 32);
  };
  auto inside = [&](Value *x) { return b.CreateSExt(b.CreateTrunc(x, narrow), whole); };
  Value *alike = low == high ? b.getTrue() : b.CreateICmpEQ(turns(low), turns(high));
  return {b.CreateSelect(alike, inside(low), b.getInt64(INT32_MIN)),
          b.CreateSelect(alike, inside(high), b.getInt64(INT32_MAX))};
}

/// The positions along one of several flattened dimensions that an interval of the flat index
/// meets.
MaskBounds::Range MaskBounds::positions(DimAttr dim) {
  Value *first = block.batch, *count = b.getInt64(1);
  ArrayRef<DimAttr> axis = axes.batch;
  if (is_contained(axes.rows, dim)) {
    first = block.firstRow;
    count = block.rows;
    axis = axes.rows;
  } else if (is_contained(axes.columns, dim)) {
    first = block.firstColumn;
    count = block.columns;
    axis = axes.columns;
  }
  Value *last = b.CreateNSWSub(b.CreateNSWAdd(first, count), b.getInt64(1));
  auto *at = find(axis, dim);
  if (ArrayRef<DimAttr> inner = axis.drop_front(at - axis.begin() + 1); !inner.empty()) {
    Value *size = known.size(b, sizeOf(inner), sizes);
    first = b.CreateUDiv(first, size);
    last = b.CreateUDiv(last, size);
  }
  if (at == axis.begin())
    return {first, last};
  Value *size = known.extent(b, dim, sizes), *zero = b.getInt64(0);
  Value *same = b.CreateICmpEQ(b.CreateUDiv(first, size), b.CreateUDiv(last, size));
  return {b.CreateSelect(same, b.CreateURem(first, size), zero),
          b.CreateSelect(same, b.CreateURem(last, size), b.CreateNSWSub(size, b.getInt64(1)))};
}

} // namespace weft::emit
