// Elementwise ops, gathers, norms and reductions of one iteration space  ==>  one kernel
//
// After the contractions have taken their epilogues. Ops join the kernels of what they use, in
// program order, as long as all of a kernel's reductions are over the same dimensions: then it is
// one loop over rows, in as many passes over a row as reductions follow on each other. Sums over
// outer dimensions (gradients of biases) share a pass, but nothing of their kernel may use them.
// A sum over everything is one task, so nothing that has dimensions goes with it. Single numbers
// that follow from single numbers (rates, norms) are kernels of their own, in double precision.
#include "ir/kernel/Places.h"
#include "passes/Passes.h"
#include "passes/fused/Groups.h"
#include "passes/fused/Outline.h"
#include "passes/fused/Refusals.h"
#include "passes/fused/RowShape.h"

using namespace mlir;

namespace weft {
#define GEN_PASS_DEF_FUSEROWS
#include "passes/Passes.h.inc"

namespace {
class Rows {
public:
  explicit Rows(Block &block) : block(block), groups(block) {}

  void run() {
    for (Operation &op : block) {
      if (!groups.isLoose(&op) || !isRowOp(&op))
        continue;
      RowShape shape = shapeOf(&op);
      shape.kind = kindOf(&op, [&](Operation *def) { return isTable(def); });
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
    shareRows();
    shareColumns();
    refusals.report(groups, "weft-fuse-rows");
  }

private:
  bool isTable(Operation *op) {
    std::optional<int64_t> group = op->getBlock() == &block ? Groups::of(op) : std::nullopt;
    return group && shapes.contains(*group) && shapes[*group].kind == RowKind::table;
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
    RowShape &a = shapes[producer], &b = shapes[consumer];
    if (a.columns)
      return "a sum down the columns is known only when all rows are done";
    if (a.kind != b.kind)
      return a.kind == RowKind::table || b.kind == RowKind::table
                 ? "one is a table, which depends on no data"
                 : "single numbers are computed apart, in double precision";
    if ((a.reducesAll() && !b.space.empty()) ||
        (b.reducesAll() && anyUserOutside(producer, consumer)))
      return "a sum over everything is one task, which would do all the rest alone";
    if (!a.reduced.empty() && !b.reduced.empty() && !sameDims(a.reduced, b.reduced))
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
    if (!groups.couldMerge(into, from))
      return false;
    groups.merge(into, from);
    tensors.erase(into);
    tensors.erase(from);
    RowShape &a = shapes[into], &b = shapes[from];
    a.space.insert(b.space.begin(), b.space.end());
    a.reduced.insert(b.reduced.begin(), b.reduced.end());
    a.rows |= b.rows;
    a.columns |= b.columns;
    shapes.erase(from);
    return true;
  }

  /// Unites kernels of rows over the same loops for which `together` holds, as long as there are
  /// some.
  template <typename Partners, typename Together>
  void share(Partners partnersOf, Together together) {
    for (int64_t number : groups.numbers())
      for (bool grown = shapes.contains(number); grown;) {
        // A kernel that has grown may fit partners that did not fit before.
        SmallVector<int64_t> partners = partnersOf(number);
        grown = llvm::any_of(partners, [&](int64_t other) {
          auto a = shapes.find(number), b = shapes.find(other);
          return other > number && b != shapes.end() && a->second.kind == b->second.kind &&
                 sameDims(a->second.space, b->second.space) && together(number, other) &&
                 unite(number, other);
        });
      }
  }

  /// Two kernels of the same rows that read one tensor become one, which reads it once: a norm that
  /// is recomputed for a weight's gradient, and the norm's own gradient.
  void shareRows() {
    auto readers = [&](int64_t group) {
      SmallVector<int64_t> all;
      for (Value tensor : read(group))
        llvm::append_range(all, kernelsOf(tensor));
      llvm::sort(all);
      all.erase(llvm::unique(all), all.end());
      return all;
    };
    share(readers, [&](int64_t a, int64_t b) {
      const RowShape &one = shapes[a], &other = shapes[b];
      bool apart =
          one.space.empty() || one.columns || other.columns || one.reducesAll() ||
          other.reducesAll() ||
          (!one.reduced.empty() && !other.reduced.empty() && !sameDims(one.reduced, other.reduced));
      return !apart && intersect(read(a), read(b));
    });
  }

  /// Sums down the same columns become one pass over the rows where the tensors that they sum are
  /// live at the same time anyway: where some kernel, possibly one of the two, reads or writes all
  /// of them. Not where one sum depends on the other.
  void shareColumns() {
    auto sums = [&](int64_t group) {
      SmallVector<int64_t> all;
      for (auto other = shapes.upper_bound(group); other != shapes.end(); ++other)
        if (shapes[group].columns && other->second.columns)
          all.push_back(other->first);
      return all;
    };
    share(sums, [&](int64_t a, int64_t b) {
      return sameDims(shapes[a].reduced, shapes[b].reduced) &&
             (intersect(read(a), read(b)) || areTouchedByOne(read(a), read(b))) && !uses(a, b) &&
             !uses(b, a);
    });
  }

  bool uses(int64_t group, int64_t other) {
    return llvm::any_of(groups.members(group), [&](Operation *op) {
      return llvm::any_of(op->getOperands(), [&](Value operand) {
        return groups.members(other).contains(operand.getDefiningOp());
      });
    });
  }

  using Values = llvm::SmallSetVector<Value, 8>;

  /// The value that a chain of views is a view of.
  static Value rootOf(Value value) {
    while (value.getDefiningOp() && isView(value.getDefiningOp()))
      value = value.getDefiningOp()->getOperand(0);
    return value;
  }

  static bool intersect(const Values &a, const Values &b) {
    const Values &few = a.size() < b.size() ? a : b, &many = &few == &a ? b : a;
    return llvm::any_of(few, [&](Value value) { return many.contains(value); });
  }

  /// Whether some kernel reads or writes all of both.
  bool areTouchedByOne(const Values &a, const Values &b) {
    auto has = [](const Values &tensors, const Values &wanted) {
      return llvm::all_of(wanted, [&](Value value) { return tensors.contains(value); });
    };
    if (a.empty() && b.empty())
      return true;
    Value one = a.empty() ? b.front() : a.front();
    return llvm::any_of(kernelsOf(one), [&](int64_t kernel) {
      return has(touched(kernel), a) && has(touched(kernel), b);
    });
  }

  /// The kernels that read or write a tensor.
  llvm::SmallSetVector<int64_t, 8> kernelsOf(Value tensor) {
    llvm::SmallSetVector<int64_t, 8> kernels;
    SmallVector<Value> seen{tensor}; // and views of it
    while (!seen.empty()) {
      Value value = seen.pop_back_val();
      auto add = [&](Operation *op) {
        if (op && op->getBlock() == &block)
          if (std::optional<int64_t> group = Groups::of(op))
            kernels.insert(*group);
      };
      add(value.getDefiningOp());
      for (Operation *user : value.getUsers()) {
        add(user);
        if (isView(user) && user->getOperand(0) == value)
          seen.push_back(user->getResult(0));
      }
    }
    return kernels;
  }

  /// The tensors of a kernel, kept because they are needed for each pair of kernels.
  struct Tensors {
    Values read;    ///< its operands that have the dimensions of all its loops
    Values touched; ///< all that it reads and writes
  };

  const Tensors &tensorsOf(int64_t group) {
    auto [found, isNew] = tensors.try_emplace(group);
    Tensors &all = found->second;
    if (!isNew)
      return all;
    auto shape = shapes.find(group); // only kernels of rows have one
    for (Operation *op : groups.members(group)) {
      all.touched.insert(op->result_begin(), op->result_end());
      for (Value operand : op->getOperands()) {
        all.touched.insert(rootOf(operand));
        if (!groups.members(group).contains(operand.getDefiningOp()) && shape != shapes.end() &&
            sameDims(dimsOf(operand), shape->second.space))
          all.read.insert(rootOf(operand));
      }
    }
    return all;
  }
  const Values &read(int64_t group) { return tensorsOf(group).read; }
  const Values &touched(int64_t group) { return tensorsOf(group).touched; }

  Block &block;
  Groups groups;
  Refusals refusals;
  std::map<int64_t, RowShape> shapes;
  std::map<int64_t, Tensors> tensors; ///< a cache, without kernels that have grown since
};

struct FuseRows : impl::FuseRowsBase<FuseRows> {
  void runOnOperation() override {
    forEachBlock(getOperation(), [](Block &block) { Rows(block).run(); });
  }
};
} // namespace
} // namespace weft
