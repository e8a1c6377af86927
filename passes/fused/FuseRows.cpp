// Elementwise ops, gathers, norms and reductions of one iteration space  ==>  one kernel
//
// After the contractions have taken their epilogues. Ops join the kernels of what they use, in
// program order, as long as all of a kernel's reductions are over the same dimensions: then it is
// one loop over rows, in as many passes over a row as reductions follow on each other. Sums over
// outer dimensions (gradients of biases) share a pass, but nothing of their kernel may use them.
// A sum over everything is one task, so nothing that has dimensions goes with it. Single numbers
// that follow from single numbers (rates, norms) are kernels of their own, in double precision.
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/fused/Refusals.h"
#include "passes/kernel/Places.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEROWS
#include "passes/Passes.h.inc"

namespace {
/// What a reduction-like op reduces; empty for others.
DimSet reducedBy(Operation *op) {
  DimSet dims;
  for (StringRef name : {"over", "dim"}) {
    Attribute attr = op->getAttr(name);
    if (auto list = dyn_cast_or_null<ArrayAttr>(attr))
      for (auto dim : list.getAsRange<StringAttr>())
        dims.insert(dim);
    else if (auto dim = dyn_cast_or_null<StringAttr>(attr))
      dims.insert(dim);
  }
  return dims;
}

bool isReduction(Operation *op) {
  return isa<model::SumOp, model::ReduceMaxOp, model::ReduceMinOp, model::ArgMaxOp,
             model::SoftmaxOp, model::SoftmaxGradOp, model::LogSumExpOp, model::NormalizeOp,
             model::NormalizeGradOp>(op);
}

bool isRowOp(Operation *op) {
  return op->hasTrait<OpTrait::Elementwise>() || isReduction(op) ||
         isa<model::GatherOp, model::ArrangeOp, model::RandomOp, model::StackOp>(op);
}

/// The loops an op needs: the dimensions of its result, and what it reduces. A table that is looked
/// up adds none.
DimSet spaceOf(Operation *op) {
  DimSet space = dimsOf(op->getResult(0));
  if (isReduction(op))
    for (StringAttr dim : reducedBy(op))
      space.insert(dim);
  return space;
}

/// Whether the innermost dimension in memory is reduced, so that a row is reduced by vectors along
/// it.
bool reducesRows(Operation *op) {
  auto dims = model::typeOf(op->getOperand(0)).getDims();
  return !dims.empty() && reducedBy(op).contains(dims.back());
}

/// What an op follows from: positions and sizes alone, single numbers alone, or more.
enum class Kind { table, number, rows };

struct Shape {
  DimSet space, reduced;
  bool rows = false, columns = false;
  Kind kind = Kind::rows;

  bool reducesAll() const { return !reduced.empty() && contains(reduced, space); }
};

bool isNumber(Value value) {
  return model::typeOf(value).getDims().empty();
}

class Rows {
public:
  explicit Rows(Block &block) : block(block), groups(block) {}

  void run() {
    for (Operation &op : block) {
      if (!groups.isLoose(&op) || !isRowOp(&op))
        continue;
      Shape shape = alone(&op);
      int64_t group = groups.form({&op});
      shapes[group] = shape;
      for (Value operand : op.getOperands()) {
        Operation *def = operand.getDefiningOp();
        std::optional<int64_t> other =
            def && def->getBlock() == &block ? Groups::of(def) : std::nullopt;
        if (other && *other != group && shapes.contains(*other))
          tryMerge(def, &op);
        group = *Groups::of(&op);
      }
    }
    shareColumns();
    refusals.report(groups, "weft-fuse-rows");
  }

private:
  Shape alone(Operation *op) {
    Shape shape;
    shape.space = spaceOf(op);
    if (isReduction(op)) {
      shape.reduced = reducedBy(op);
      (reducesRows(op) ? shape.rows : shape.columns) = true;
    }
    shape.kind = kindOf(op);
    return shape;
  }

  Kind kindOf(Operation *op) {
    if (isa<model::RandomOp>(op))
      return Kind::rows;
    auto isTable = [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      if (!def)
        return false;
      std::optional<int64_t> group = def->getBlock() == &block ? Groups::of(def) : std::nullopt;
      return isFree(def) ||
             (group && shapes.contains(*group) && shapes[*group].kind == Kind::table);
    };
    if (llvm::all_of(op->getOperands(), isTable))
      return Kind::table;
    bool numbers = isNumber(op->getResult(0)) && llvm::all_of(op->getOperands(), isNumber);
    return numbers ? Kind::number : Kind::rows;
  }

  /// Merges the kernel of `producer` with that of `user`, or notes why not.
  void tryMerge(Operation *producer, Operation *user) {
    int64_t from = *Groups::of(producer), to = *Groups::of(user);
    std::string why = whyNot(from, to);
    if (why.empty() && !unite(from, to))
      why = "something between them needs the first before the second is done";
    refusals.add(producer, user, std::move(why));
  }

  std::string whyNot(int64_t producer, int64_t consumer) {
    Shape &a = shapes[producer], &b = shapes[consumer];
    if (a.columns)
      return "a sum down the columns is known only when all rows are done";
    if (a.kind != b.kind)
      return a.kind == Kind::table || b.kind == Kind::table
                 ? "one is a table, which depends on no data"
                 : "single numbers are computed apart, in double precision";
    if ((a.reducesAll() && !b.space.empty()) ||
        (b.reducesAll() && anyUserOutside(producer, consumer)))
      return "a sum over everything is one task, which would do all the rest alone";
    if (!a.reduced.empty() && !b.reduced.empty() && !(a.reduced == b.reduced))
      return "they reduce different dimensions";
    if (a.rows && b.columns)
      return "one reduces along rows, the other down columns";
    if (!contains(a.space, b.space) && !contains(b.space, a.space))
      return "their loops are over different dimensions";
    // What is reduced is a loop of the whole kernel, or of nothing but what follows from the
    // reduction.
    if (b.columns && anyUserOutside(producer, consumer))
      return "others need the first before the sum is done";
    return "";
  }

  bool anyUserOutside(int64_t producer, int64_t consumer) {
    for (Operation *op : groups.members(producer))
      for (Operation *user : op->getUsers())
        if (!groups.members(producer).contains(user) && !groups.members(consumer).contains(user))
          return true;
    return false;
  }

  bool unite(int64_t into, int64_t from) {
    if (!groups.couldAdd(into, groups.members(from).getArrayRef()))
      return false;
    groups.merge(into, from);
    Shape &a = shapes[into], &b = shapes[from];
    a.space.insert(b.space.begin(), b.space.end());
    a.reduced.insert(b.reduced.begin(), b.reduced.end());
    a.rows |= b.rows;
    a.columns |= b.columns;
    shapes.erase(from);
    return true;
  }

  /// Sums over the same outer dimensions of the same space read what they share once.
  void shareColumns() {
    SmallVector<int64_t> numbers = groups.numbers();
    for (size_t i = 0; i < numbers.size(); ++i)
      for (size_t j = i + 1; j < numbers.size(); ++j) {
        auto a = shapes.find(numbers[i]), b = shapes.find(numbers[j]);
        if (a == shapes.end() || b == shapes.end() || !a->second.columns || !b->second.columns ||
            !(a->second.reduced == b->second.reduced) || !(a->second.space == b->second.space) ||
            !shareOperand(numbers[i], numbers[j]))
          continue;
        unite(numbers[i], numbers[j]);
      }
  }

  bool shareOperand(int64_t a, int64_t b) {
    llvm::SmallPtrSet<Value, 8> read;
    for (Operation *op : groups.members(a))
      read.insert(op->operand_begin(), op->operand_end());
    return llvm::any_of(groups.members(b), [&](Operation *op) {
      return llvm::any_of(op->getOperands(), [&](Value value) { return read.contains(value); });
    });
  }

  Block &block;
  Groups groups;
  Refusals refusals;
  std::map<int64_t, Shape> shapes;
};

struct FuseRows : impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) { Rows(block).run(); });
  }
};
} // namespace
} // namespace weft
