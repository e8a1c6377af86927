// What a rows kernel computes, in which order.
#include "ir/kernel/RowProgram.h"

#include "llvm/ADT/SetVector.h"
#include <set>

using namespace mlir;
using namespace weft::model;

namespace weft::kernel {

bool isReduction(Operation *op) {
  return isa<Reducing>(op) && !op->hasTrait<Idiom>();
}

DimList reducedBy(Operation *op) {
  return isReduction(op) ? cast<Reducing>(op).reduced() : DimList();
}

static bool isMovement(Operation *op) {
  return isa<Moving>(op) || isa<IndexOp>(op);
}

bool isElementwise(Operation *op) {
  return op->hasTrait<mlir::OpTrait::Elementwise>() || op->hasTrait<SameByName>() ||
         isa<ConstantOp, SizeOp>(op);
}

static bool isHeavy(Operation *op) {
  return op->hasTrait<Heavy>();
}

bool RowProgram::hasLanes(Value value) const {
  return !lanes.empty() && llvm::is_contained(dimsOf(value), lanes.back());
}

DimList RowProgram::outerWithout(Value value) const {
  DimList result = outer;
  ArrayRef<DimAttr> has = dimsOf(value);
  llvm::erase_if(result, [&](DimAttr dim) { return llvm::is_contained(has, dim); });
  return result;
}

DimList RowProgram::inside(Value value) const {
  DimList result;
  ArrayRef<DimAttr> has = dimsOf(value);
  for (DimAttr dim : loops)
    if (llvm::is_contained(has, dim) && !llvm::is_contained(outer, dim) &&
        !llvm::is_contained(lanes, dim))
      result.push_back(dim);
  if (!lanesOuter && hasLanes(value))
    llvm::append_range(result, lanes);
  return result;
}

namespace {

class Analysis {
public:
  Analysis(FusedOp op, const DimTable &table) : table(table) {
    program.op = op;
    program.yielded = Values(op.getBody().front().getTerminator()->getOperands());
  }

  FailureOr<RowProgram> analyse(bool lanesMayBeOuter) {
    if (failed(check()))
      return failure();
    for (Value value : program.yielded)
      number(value);
    orderLoops();
    chooseOuter();
    program.lanes = chooseLanes({program.op, table, program.loops, program.outer, reductions});
    if (!program.lanes.empty() && llvm::is_contained(program.outer, program.lanes.back())) {
      program.lanesOuter = lanesMayBeOuter;
      llvm::erase_if(program.outer,
                     [&](DimAttr dim) { return llvm::is_contained(program.lanes, dim); });
    }
    for (const auto &[value, pass] : program.pass)
      if (Operation *op = value.getDefiningOp(); op && isHeavy(op) && program.hasLanes(value))
        ++program.heavy;
    stageReductions();
    stageStores();
    for (auto [i, stage] : llvm::enumerate(program.stages))
      stage.number = i;
    llvm::sort(program.stages, [](const RowStage &a, const RowStage &b) {
      return std::tie(a.pass, a.number) < std::tie(b.pass, b.number);
    });
    chooseCached();
    return std::move(program);
  }

private:
  using Values = SmallVector<Value>;

  LogicalResult check() {
    if (failed(checkStrided(program.op)))
      return failure();
    for (Operation &op : program.op.getBody().front().without_terminator())
      if (!isElementwise(&op) && !isReduction(&op) && !isMovement(&op) && !isa<RandomOp>(op))
        return op.emitError("cannot be computed in a kernel of rows");
    return success();
  }

  unsigned number(Value value) {
    if (auto known = program.pass.find(value); known != program.pass.end())
      return known->second;
    unsigned pass = 0;
    Operation *op = value.getDefiningOp();
    if (op)
      for (Value operand : op->getOperands())
        pass = std::max(pass, number(operand));
    if (op && isReduction(op)) {
      ++pass;
      reductions.push_back(op);
    }
    return program.pass[value] = pass;
  }

  void orderLoops() {
    Values sinks = program.yielded;
    for (Operation *reduction : reductions)
      sinks.push_back(reduction->getOperand(0));
    size_t rank = 0;
    for (Value value : sinks)
      rank = std::max(rank, dimsOf(value).size());
    llvm::SetVector<DimAttr> loops;
    for (size_t dims = rank + 1; dims-- > 0;)
      for (Value value : sinks)
        if (dimsOf(value).size() == dims)
          loops.insert_range(dimsOf(value));
    program.loops = DimList(loops.begin(), loops.end());
  }

  // A dimension is outer if every reduction keeps it, and none is read at another position of it. A
  // result that lacks it is stored where it is 0.
  void chooseOuter() {
    llvm::SetVector<DimAttr> moved;
    for (Value value : program.yielded)
      findMoved(value, {}, moved);
    for (Operation *reduction : reductions)
      findMoved(reduction->getOperand(0), {}, moved);
    auto keeps = [](DimAttr dim) {
      return [dim](Operation *op) { return llvm::is_contained(dimsOf(op->getResult(0)), dim); };
    };
    for (DimAttr dim : program.loops)
      if (!moved.contains(dim) && llvm::all_of(reductions, keeps(dim)))
        program.outer.push_back(dim);
  }

  /// Adds the dimensions of reductions that are read at positions other than the loops' own.
  static void findMoved(Value value, DimList elsewhere, llvm::SetVector<DimAttr> &moved) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return;
    if (isReduction(op)) {
      for (DimAttr dim : dimsOf(value))
        if (llvm::is_contained(elsewhere, dim))
          moved.insert(dim);
      return;
    }
    auto moving = dyn_cast<Moving>(op);
    DimList from = moving ? moving.moved() : DimList();
    from.append(elsewhere);
    for (Value operand : op->getOperands())
      findMoved(operand, from, moved);
  }

  DimList ordered(ArrayRef<DimAttr> dims) const {
    DimList result;
    for (DimAttr dim : program.loops)
      if (llvm::is_contained(dims, dim) && !llvm::is_contained(program.outer, dim) &&
          !llvm::is_contained(program.lanes, dim))
        result.push_back(dim);
    return result;
  }

  static DimList joined(ArrayRef<DimAttr> a, ArrayRef<DimAttr> b) {
    DimList result(a);
    llvm::append_range(result, b);
    return result;
  }

  /// The stage of that pass with those loops, in any order.
  RowStage *find(unsigned pass, const DimList &loops, bool lanes) {
    for (RowStage &stage : program.stages)
      if (stage.pass == pass && stage.lanes == lanes &&
          ordered(joined(stage.kept, stage.over)) == loops)
        return &stage;
    return nullptr;
  }

  void stageReductions() {
    SmallVector<Operation *> spread;
    for (Operation *op : reductions) {
      Value input = op->getOperand(0), result = op->getResult(0);
      bool lanesKept = !program.lanesOuter && program.hasLanes(result);
      if (lanesKept && !isa<ArgMaxOp>(op)) { // cells of an argmax would need the maximum too
        spread.push_back(op);
        continue;
      }
      DimList kept = ordered(dimsOf(result)), over = ordered(reducedBy(op));
      unsigned pass = program.pass[result] - 1;
      bool lanes = program.hasLanes(input);
      auto same = [&](const RowStage &stage) {
        return stage.pass == pass && stage.lanes == lanes && stage.lanesKept == lanesKept &&
               stage.kept == kept && stage.over == over;
      };
      auto stage = llvm::find_if(program.stages, same);
      if (stage == program.stages.end())
        stage = program.stages.insert(stage,
                                      RowStage{pass, 0, kept, over, lanes, lanesKept, {}, {}, {}});
      stage->reductions.push_back(op);
    }
    for (Operation *op : spread) {
      DimList loops = ordered(dimsOf(op->getOperand(0)));
      unsigned pass = program.pass[op->getResult(0)] - 1;
      RowStage *stage = find(pass, loops, true);
      if (!stage) {
        DimList over = joined(ordered(reducedBy(op)), ordered(dimsOf(op->getResult(0))));
        stage = &program.stages.emplace_back(RowStage{pass, 0, {}, over, true, false, {}, {}, {}});
      }
      stage->spread.push_back(op);
    }
  }

  // All stores are in the last pass: a result may be written in place of an operand, which earlier
  // passes read.
  void stageStores() {
    unsigned last = 0;
    for (const RowStage &stage : program.stages)
      last = std::max(last, stage.pass);
    for (Value value : program.yielded)
      last = std::max(last, program.pass[value]);
    SmallVector<std::pair<size_t, unsigned>> order;
    for (auto [result, value] : llvm::enumerate(program.yielded))
      order.push_back({dimsOf(value).size(), result});
    llvm::sort(order);
    for (auto [rank, result] : order) {
      DimList loops = ordered(dimsOf(program.yielded[result]));
      bool lanes = program.hasLanes(program.yielded[result]);
      RowStage *stage = find(last, loops, lanes);
      if (!stage)
        stage =
            &program.stages.emplace_back(RowStage{last, 0, loops, {}, lanes, false, {}, {}, {}});
      stage->stores.push_back(result);
    }
  }

  //===-- What is kept from one pass to the next

  void demand(Value value, unsigned pass) {
    Operation *op = value.getDefiningOp();
    if (!op || isReduction(op) || !demanded[value].insert(pass).second)
      return;
    if (isElementwise(op))
      for (Value operand : op->getOperands())
        demand(operand, pass);
  }

  bool isCostly(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || (!isElementwise(op) && !isa<RandomOp>(op)))
      return false;
    if (auto known = costly.find(value); known != costly.end())
      return known->second;
    bool is = isHeavy(op) ||
              llvm::any_of(op->getOperands(), [&](Value operand) { return isCostly(operand); });
    return costly[value] = is;
  }

  bool mayCache(Value value) {
    auto passes = demanded.find(value);
    return passes != demanded.end() && passes->second.size() > 1 && typeOf(value).isFloat() &&
           program.hasLanes(value) && isCostly(value);
  }

  // Of a chain of values that may be cached, only the last is: the one with a use outside the
  // chain.
  void chooseCached() {
    if (program.lanesOuter)
      return;
    for (const RowStage &stage : program.stages) {
      for (Operation *op : stage.reductions)
        demand(op->getOperand(0), stage.pass);
      for (Operation *op : stage.spread)
        demand(op->getOperand(0), stage.pass);
      for (unsigned result : stage.stores)
        demand(program.yielded[result], stage.pass);
    }
    for (Operation &op : program.op.getBody().front().without_terminator())
      for (Value value : op.getResults())
        if (mayCache(value) && llvm::any_of(value.getUsers(), [&](Operation *user) {
              return user->getNumResults() != 1 || !mayCache(user->getResult(0));
            }))
          program.cached.insert({value, *demanded[value].begin()});
  }

  const DimTable &table;
  RowProgram program;
  /// In an order in which each comes after those it depends on.
  SmallVector<Operation *> reductions;
  llvm::DenseMap<Value, std::set<unsigned>> demanded;
  llvm::DenseMap<Value, bool> costly;
};

} // namespace

LogicalResult checkStrided(FusedOp op) {
  for (Attribute layout : op.getLayoutsAttr())
    if (!isa<LayoutAttr>(layout))
      return op.emitError("reads packed panels, which only contractions do");
  return success();
}

FailureOr<RowProgram> analyseRows(FusedOp op, const DimTable &table, bool lanesMayBeOuter) {
  return Analysis(op, table).analyse(lanesMayBeOuter);
}

} // namespace weft::kernel
