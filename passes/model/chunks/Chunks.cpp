// Which ops are one pass over a chunk of logits.
#include "passes/model/chunks/Chunks.h"

#include "ir/model/infer/Align.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

static std::string textOf(Operation *op) {
  std::string kind = op->getName().stripDialect().str();
  std::optional<std::string> name = nameOf(op->getLoc());
  return name ? "`" + *name + "` (" + kind + ")" : "`" + kind + "`";
}

/// Whether `value` is a parameter, or part of one or one in another order.
static bool isParameter(Value value) {
  while (Operation *made = value.getDefiningOp()) {
    if (!made->hasTrait<View>())
      return isa<ParamOp>(made);
    value = made->getOperand(0);
  }
  return false;
}

Chunks::Chunks(ContractOp logits, DimAttr classes, const Dims &dims)
    : logits(logits), classes(classes), block(*logits->getBlock()) {
  findRows(dims);
  if (!refused)
    grow();
}

/// What each row of the product is, if it is logits.
void Chunks::findRows(const Dims &dims) {
  Value left = logits.getLhs(), right = logits.getRhs();
  Value hidden = hasDim(left, classes) ? right : left;
  Value weight = hidden == left ? right : left;
  std::string text = "`" + classes.str() + "`";
  if (hasDim(hidden, classes))
    return refuse(logits, "both sides of the product have " + text);
  // Or each pass would read a slice of the parameter, and all of the data.
  if (!isParameter(weight))
    return refuse(logits, text + " comes from no parameter");
  std::optional<int64_t> count = dims.fixed(classes),
                         summed = dims.size(logits.getOver()).constant();
  if (count && summed && *count < *summed)
    return refuse(logits, text + " is shorter than what is summed: it is smaller than its rows");
  for (DimAttr each : dimsOf(logits.getResult()))
    if (hasDim(hidden, each) && !hasDim(weight, each))
      rows.push_back(each);
  if (rows.size() < 2)
    return refuse(logits, "it has no two dimensions of rows: a chunk would be one row");
  dim = rows.front();
}

void Chunks::refuse(Operation *op, const Twine &why) {
  if (!refused)
    refused = Refusal{op, why.str()};
}

bool Chunks::isWide(Value value) const {
  auto type = dyn_cast<NamedTensorType>(value.getType());
  return type && type.has(dim) && type.has(classes);
}

/// Whether `op` adds up along the loop's dimension: its sums over all passes are its result.
bool Chunks::addsUp(Operation *op) const {
  if (auto sum = dyn_cast<SumOp>(op))
    return typeOf(sum.getResult()).isFloat() && llvm::is_contained(sum.getOver(), dim);
  auto product = dyn_cast<ContractOp>(op);
  return product && llvm::is_contained(product.getOver(), dim) && product.getOver().size() > 1;
}

/// Whether a pass can do its part of `op` alone.
void Chunks::check(Operation *op) {
  if (isa<RandomOp>(op))
    return refuse(op, textOf(op) + " is drawn by its position");
  if (!isPure(op) || op->getNumRegions() > 0 || op->hasTrait<OpTrait::IsTerminator>())
    return refuse(op, textOf(op) + " reads them whole");
  auto has = [&](Value value) { return hasDim(value, dim); };
  if (llvm::none_of(op->getOperands(), has))
    return refuse(op, llvm::any_of(op->getResults(), has)
                          ? textOf(op) + " has `" + dim.str() + "` of itself"
                          : textOf(op) + " of all rows is what each of them needs");
  if (addsUp(op))
    return;
  if (llvm::is_contained(dimsNamedBy(op), dim) || !llvm::all_of(op->getResults(), has))
    refuse(op, textOf(op) + " is no sum and needs all of `" + dim.str() + "`");
}

bool Chunks::add(Operation *op) {
  if (!ops.insert(op))
    return false;
  check(op);
  return true;
}

void Chunks::grow() {
  add(logits);
  for (size_t before = 0; before < ops.size() && !refused;) {
    before = ops.size();
    takeWide();
    follow();
    takeBetween();
  }
  if (!refused)
    refuseUsesOfSums();
  if (!refused)
    takeRows();
}

/// All that is as wide belongs to the loop, with what reads it and what it is made of.
void Chunks::takeWide() {
  for (size_t i = 0; i < ops.size() && !refused; ++i) { // it grows
    Operation *op = ops[i];
    for (Value result : op->getResults())
      if (isWide(result))
        takeUsers(result);
    for (Value operand : op->getOperands())
      if (Operation *made = operand.getDefiningOp(); made && isWide(operand))
        add(made);
  }
}

void Chunks::takeUsers(Value wide) {
  for (Operation *user : wide.getUsers())
    if (user->getBlock() != &block)
      refuse(user, textOf(user) + " in a loop reads them");
    else
      add(user);
}

/// Finds what depends on the ops, and is none of them.
void Chunks::follow() {
  behind.clear();
  for (Operation &op : block) {
    if (ops.contains(&op))
      continue;
    bool depends = false;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (Operation *made = operand.getDefiningOp())
          depends |= ops.contains(made) || behind.contains(made);
    });
    if (depends)
      behind.insert(&op);
  }
}

/// What depends on the ops, and what they depend on, is one of them.
void Chunks::takeBetween() {
  SmallVector<Operation *> open(ops.getArrayRef());
  while (!open.empty() && !refused)
    for (Value operand : open.pop_back_val()->getOperands())
      if (Operation *made = operand.getDefiningOp(); made && behind.contains(made) && add(made))
        open.push_back(made);
}

/// A sum over the passes is whole only behind the loop.
void Chunks::refuseUsesOfSums() {
  for (Operation *sum : ops)
    for (Operation *user : sum->getUsers())
      if (addsUp(sum) && ops.contains(user))
        return refuse(user, textOf(user) + " needs " + textOf(sum) + " of all rows");
}

/// Numbers for each row follow in the pass: one is handed on, not each that it is made of.
void Chunks::takeRows() {
  follow();
  for (Operation *op : behind.takeVector()) {
    bool isReady = llvm::all_of(op->getOperands(), [&](Value operand) {
      Operation *made = operand.getDefiningOp();
      return !made || !behind.contains(made);
    });
    bool isRow =
        op->hasTrait<OpTrait::Elementwise>() && llvm::all_of(op->getResults(), [&](Value result) {
          return hasDim(result, dim) && contains(rows, dimsOf(result));
        });
    bool isBehind = llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *made = operand.getDefiningOp();
      return made && ops.contains(made) && addsUp(made);
    });
    if (isReady && isRow && !isBehind)
      ops.insert(op);
    else
      behind.insert(op);
  }
}
