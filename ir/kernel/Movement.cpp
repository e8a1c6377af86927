// How ops that move elements read their operands.
#include "ir/kernel/Movement.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace weft::model;

namespace weft::kernel {

using Kind = Position::Kind;

static Position along(DimAttr dim) {
  return {.kind = Kind::along, .dim = dim};
}

/// `first` and `size`; at 0 more or less, `first`.
static Position made(Kind kind, const Position &first, const Size &size) {
  if (size == Size() && (kind == Kind::plus || kind == Kind::minus))
    return first;
  return {.kind = kind, .size = size, .first = std::make_shared<Position>(first)};
}

// The positions along `to` make one linear index, row-major, which is split again along `from`.
static Read regrouped(RegroupOp op) {
  auto extent = [](DimAttr dim) { return Size::dim(dim.getValue()); };
  Position flat = along(op.getTo().front());
  for (DimAttr dim : op.getTo().drop_front()) {
    flat = made(Kind::joined, flat, extent(dim));
    flat.second = std::make_shared<Position>(along(dim));
  }
  Read read{op.getInput(), {}, {}};
  for (DimAttr dim : llvm::reverse(op.getFrom().drop_front())) {
    read.at.push_back({dim, made(Kind::rest, flat, extent(dim))});
    flat = made(Kind::quotient, flat, extent(dim));
  }
  read.at.push_back({op.getFrom().front(), flat});
  return read;
}

/// `source`, of which `part` lies along `dim` from `offset` on.
static Read partOf(mlir::Value source, DimAttr dim, DimAttr part, const Size &offset) {
  Position inside = made(Kind::minus, along(dim), offset);
  return {source, {{part, inside}}, Range{dim, offset, Size::dim(part.getValue())}};
}

std::vector<Read> readsOf(mlir::Operation *op) {
  using Reads = std::vector<Read>;
  auto only = [&](DimAttr dim, const Position &at) {
    return Reads{{op->getOperand(0), {{dim, at}}, {}}};
  };
  return llvm::TypeSwitch<mlir::Operation *, Reads>(op)
      .Case([&](GatherOp gather) {
        return only(gather.getDimAttr(), {.kind = Kind::element, .index = gather.getIndex()});
      })
      .Case([&](PickOp pick) {
        Size number = Size::number(pick.getPosition());
        return only(pick.getDimAttr(), {.kind = Kind::number, .size = number});
      })
      .Case([&](PartOp part) {
        Size offset = part.getOffset().getValue();
        return only(part.getDimAttr(), made(Kind::plus, along(part.getPartAttr()), offset));
      })
      .Case([&](RegroupOp regroup) { return Reads{regrouped(regroup)}; })
      .Case([&](StackOp stack) {
        Reads reads;
        for (auto [i, input] : llvm::enumerate(stack.getInputs()))
          reads.push_back({input, {}, Range{stack.getDimAttr(), Size::number(i), Size::number(1)}});
        return reads;
      })
      .Case([&](ConcatOp concat) {
        Reads reads;
        Size offset;
        for (auto [input, part] : llvm::zip(concat.getInputs(), concat.getParts())) {
          reads.push_back(partOf(input, concat.getDimAttr(), part, offset));
          offset = offset + Size::dim(part.getValue());
        }
        return reads;
      })
      .Case([&](InsertPartOp insert) {
        return Reads{partOf(insert.getInput(), insert.getDimAttr(), insert.getPartAttr(),
                            insert.getOffset().getValue()),
                     {insert.getInto(), {}, {}}};
      })
      .Case<BroadcastOp, ArrangeOp>([&](auto) { return Reads{{op->getOperand(0), {}, {}}}; })
      .Default([](mlir::Operation *unknown) -> Reads {
        llvm::reportFatalInternalError("how " + unknown->getName().getStringRef() +
                                       " reads is not said");
      });
}

} // namespace weft::kernel
