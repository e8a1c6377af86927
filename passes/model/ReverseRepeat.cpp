// The gradient of a loop: a loop that runs the other way.
#include "ir/model/infer/Align.h"
#include "passes/Remarks.h"
#include "passes/model/ReverseMode.h"
#include "passes/model/loops/Stacked.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

namespace {

/// A loop under construction: operands and region arguments are added in any order.
struct Loop {
  DimAttr dim;
  std::unique_ptr<Block> pass = std::make_unique<Block>();
  SmallVector<Value> carried, slices, next, stacked;

  explicit Loop(DimAttr dim) : dim(dim) {}

  Value carry(Value value) {
    Value argument = pass->insertArgument(carried.size(), value.getType(), value.getLoc());
    carried.push_back(value);
    return argument;
  }
  Value slice(Value value) {
    slices.push_back(value);
    return pass->addArgument(RepeatOp::sliceOf(typeOf(value), dim), value.getLoc());
  }
  OpBuilder atBegin() const {
    OpBuilder builder(dim.getContext());
    builder.setInsertionPointToStart(pass.get());
    return builder;
  }
  OpBuilder atEnd() const {
    OpBuilder builder(dim.getContext());
    builder.setInsertionPointToEnd(pass.get());
    return builder;
  }
  void dropUnusedSlices() {
    for (unsigned i = slices.size(); i-- > 0;)
      if (pass->getArgument(carried.size() + i).use_empty()) {
        pass->eraseArgument(carried.size() + i);
        slices.erase(slices.begin() + i);
      }
  }
  /// Ends the pass with its terminator: from here on, ops without uses are dead.
  void yield(Location loc) {
    SmallVector<Value> yielded(next);
    llvm::append_range(yielded, stacked);
    OpBuilder inside = atEnd();
    YieldOp::create(inside, loc, yielded);
  }
  RepeatOp finish(OpBuilder &builder, Location loc, bool reverse) {
    dropUnusedSlices();
    SmallVector<Type> types;
    for (auto [i, value] : llvm::enumerate(pass->getTerminator()->getOperands()))
      types.push_back(i < carried.size() ? value.getType()
                                         : Type(RepeatOp::stackOf(typeOf(value), dim)));
    auto repeat = RepeatOp::create(builder, loc, types, dim, carried, slices,
                                   reverse ? builder.getUnitAttr() : UnitAttr());
    repeat.getBody().push_back(pass.release());
    return repeat;
  }
};

/// Erases what nothing uses, so that it does not seem to need values of the forward pass.
void eraseUnused(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

/// Values of `pass` that ops in `block` (or in loops inside it) use.
SmallVector<Value> usesOf(Block &pass, Block &block) {
  llvm::SetVector<Value> used;
  block.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isOf(operand, pass))
        used.insert(operand);
  });
  return used.takeVector();
}

/// In numbers: how they are stored is chosen later.
void report(Value kept, const Dims &dims) {
  Size numbers = dims.size(typeOf(kept).getDims());
  Operation *maker = kept.getDefiningOp();
  std::string what = maker ? maker->getName().stripDialect().str() : "a carried value";
  std::string text = "`" + nameOf(kept.getLoc()).value_or(what) + "` is kept for the gradient, " +
                     numbers.str() + " numbers a pass";
  remarkCost(kept.getLoc(), kept.getParentRegion()->getParentOfType<func::FuncOp>(),
             {"weft-differentiate", "kept"}, text);
}

void reportAgain(Operation *op) {
  std::string what = op->getName().stripDialect().str();
  std::string text = "`" + nameOf(op->getLoc()).value_or(what) + "` (" + what +
                     ") is computed again for the gradient, in every pass";
  remarkCost(op->getLoc(), op->getParentOfType<func::FuncOp>(), {"weft-differentiate", "again"},
             text);
}

} // namespace

/// Replaces values of the forward passes in `loop`: by slices of what is kept, or by ops that
/// recompute them.
static RepeatOp recall(RepeatOp op, Loop &loop, const Dims &dims, KeepPrice price) {
  Block &pass = op.getBody().front();
  DimAttr dim = op.getDimAttr();
  SmallVector<Value> kept = chooseKept(pass, usesOf(pass, *loop.pass), dims, price), fresh;
  DenseMap<Value, RegroupOp> renames; // what is stacked -> how it got its other name
  for (Value value : kept) {
    report(value, dims);
    // A pass may have values along the very dimension that its loop runs along; what is stacked has
    // a dimension once. So such a value is stacked under another name, and renamed back behind.
    if (typeOf(value).has(dim)) {
      OpBuilder inside(op.getYield());
      auto rename = RegroupOp::create(inside, value.getLoc(), value, ArrayRef(dim),
                                      ArrayRef(otherName(op, dim, typeOf(value).getDims())));
      renames[rename.getResult()] = rename;
      fresh.push_back(rename.getResult());
    } else if (!llvm::is_contained(op.getYield().getValues().drop_front(op.getNumCarried()),
                                   value)) {
      fresh.push_back(value);
    }
  }
  op = withStacked(op, fresh);
  Recall known(pass);
  auto stacks = llvm::zip(op.getYield().getValues().drop_front(op.getNumCarried()),
                          op.getResults().drop_front(op.getNumCarried()));
  for (auto [value, stack] : stacks)
    if (RegroupOp rename = renames.lookup(value)) {
      OpBuilder begin = loop.atBegin();
      known.map(rename.getInput(), RegroupOp::create(begin, rename.getLoc(), loop.slice(stack),
                                                     rename.getTo(), rename.getFrom()));
    } else if (llvm::is_contained(kept, value)) {
      known.map(value, loop.slice(stack));
    }
  for (auto [operand, argument] : llvm::zip(op.getSlices(), op.getPassSlices()))
    known.map(argument, loop.slice(operand));
  for (Operation &outer : llvm::make_early_inc_range(*loop.pass))
    outer.walk([&](Operation *inner) {
      for (OpOperand &operand : inner->getOpOperands())
        if (isOf(operand.get(), pass))
          operand.set(known.get(operand.get(), &outer));
    });
  for (Operation *again : known.again)
    reportAgain(again);
  return op;
}

LogicalResult ReverseMode::visit(RepeatOp op) {
  Location loc = op.getLoc();
  DimAttr dim = op.getDimAttr();
  Loop loop(dim);
  Block &pass = op.getBody().front();
  ReverseMode inside(loop.atEnd(), pass, activity, dims, price);

  SmallVector<Value> carriedIn; // arguments of the pass whose gradients the loop carries
  unsigned count = op.getNumCarried();
  for (auto [i, yielded] : llvm::enumerate(op.getYield().getValues())) {
    Value result = op.getResult(i);
    if (i < count && activity.has(op.getPassCarried()[i])) {
      carriedIn.push_back(op.getPassCarried()[i]);
      inside.add(yielded, loop.carry(of(result)));
    } else if (i >= count && gradients.contains(result)) {
      inside.add(yielded, loop.slice(of(result)));
    }
    gradients.erase(result);
  }
  if (failed(inside.run()))
    return failure();

  for (Value argument : carriedIn)
    loop.next.push_back(inside.of(argument));
  auto accumulate = [&](Value gradient) {
    Value before = loop.carry(zeros(loc, gradient.getType()));
    loop.next.push_back(AddOp::create(inside.builder, loc, before, gradient));
  };
  for (Value value : inside.captured)
    accumulate(inside.of(value));
  SymbolTable symbols(op->getParentOfType<ModuleOp>());
  SmallVector<StringAttr> summedParameters, stackedParameters;
  for (auto [name, gradient] : inside.parameters) {
    auto declared = symbols.lookup<ParameterOp>(name);
    auto loops =
        cast<NamedTensorType>(declared.getType()).getDims().take_front(declared.getLoops());
    if (llvm::is_contained(loops, dim)) {
      stackedParameters.push_back(name);
      loop.stacked.push_back(gradient);
    } else {
      summedParameters.push_back(name);
      accumulate(gradient);
    }
  }
  SmallVector<unsigned> slices;
  for (auto [i, argument] : llvm::enumerate(op.getPassSlices()))
    if (activity.has(argument)) {
      slices.push_back(i);
      loop.stacked.push_back(inside.of(argument));
    }

  loop.yield(loc);
  eraseUnused(*loop.pass);
  given.erase(op); // its memory may be that of an op to come
  op = recall(op, loop, dims, price);
  given.insert(op);
  RepeatOp reverse = loop.finish(builder, loc, !op.getReverse());

  unsigned next = 0;
  for (Value argument : carriedIn)
    add(op.getCarried()[cast<BlockArgument>(argument).getArgNumber()], reverse.getResult(next++));
  for (Value value : inside.captured)
    add(value, reverse.getResult(next++));
  for (StringAttr name : summedParameters)
    addParameter(name, reverse.getResult(next++));
  for (StringAttr name : stackedParameters)
    addParameter(name, reverse.getResult(next++));
  for (unsigned slice : slices)
    add(op.getSlices()[slice], reverse.getResult(next++));
  return success();
}
