// Moves ops into one `kernel.fused`.
#include "passes/fused/Outline.h"

#include "ir/model/Dims.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace weft;

bool weft::isFree(Operation *op) {
  return op->hasTrait<model::Free>();
}

std::optional<kernel::Family> weft::familyFor(Operation *op) {
  if (isa<model::ContractOp>(op))
    return kernel::Family::contraction;
  if (isa<model::AttentionOp>(op))
    return kernel::Family::attention;
  if (isa<model::AttentionGradOp>(op))
    return kernel::Family::attention_grad;
  if (isa<model::ScatterOp>(op))
    return kernel::Family::scatter;
  return std::nullopt;
}

/// A name without the loop that it stands in: `attn.q.weight` for `layer.attn.q.weight`.
static StringRef inside(Operation *op, StringRef path) {
  for (auto loop = op->getParentOfType<model::RepeatOp>(); loop;
       loop = loop->getParentOfType<model::RepeatOp>())
    if (size_t at = path.find(loop.getDim().str() + "."); at != StringRef::npos)
      return path.substr(at + loop.getDim().getValue().size() + 1);
  return path;
}

/// The layers whose weights the ops multiply by: `attn.q` for `layer.attn.q.weight`. They name a
/// product best; several values of a model tend to be called `x`.
static SmallVector<std::string> layersOf(ArrayRef<Operation *> ops) {
  SmallVector<std::string> layers;
  for (Operation *op : ops)
    for (Value operand : isa<model::ContractOp>(op) ? op->getOperands() : ValueRange())
      if (auto param = operand.getDefiningOp<model::ParamOp>()) {
        StringRef path = inside(op, param.getName());
        path.consume_back(".weight");
        if (!llvm::is_contained(layers, path))
          layers.push_back(path.str());
      }
  return layers;
}

std::string weft::labelOf(ArrayRef<Operation *> ops) {
  SmallVector<std::string> names;
  for (Value value : leaving(ops)) {
    Operation *op = value.getDefiningOp();
    if (std::optional<std::string> name = model::nameOf(op->getLoc()))
      if (std::string label = inside(op, *name).str(); !llvm::is_contained(names, label))
        names.push_back(label);
  }
  bool gradient = llvm::any_of(names, [](StringRef name) { return name.ends_with(".grad"); });
  if (SmallVector<std::string> layers = layersOf(ops); !layers.empty() && !gradient)
    return llvm::join(layers, ", ");
  if (!names.empty())
    return llvm::join(names, ", ");
  for (Operation *op : ops)
    if (familyFor(op))
      return op->getName().stripDialect().str();
  return ops.back()->getName().stripDialect().str();
}

SmallVector<Value> weft::leaving(ArrayRef<Operation *> ops) {
  llvm::SmallPtrSet<Operation *, 16> inside(ops.begin(), ops.end());
  SmallVector<Value> values;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) { return !inside.contains(user); }))
        values.push_back(result);
  return values;
}

kernel::FusedOp weft::outline(ArrayRef<Operation *> ops, kernel::Family family, StringRef label) {
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  llvm::SetVector<Value> inputs;
  llvm::SetVector<Operation *> free;
  SmallVector<Value> results = leaving(ops);
  SmallVector<Location> locations;
  for (Operation *op : ops) {
    locations.push_back(op->getLoc());
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (def && isFree(def) && !inside.contains(def))
        free.insert(def);
      else if (!def || !inside.contains(def))
        inputs.insert(operand);
    }
  }

  OpBuilder builder(ops.back());
  Location location = FusedLoc::get(builder.getContext(), locations);
  SmallVector<Type> types = llvm::map_to_vector(results, [](Value v) { return v.getType(); });
  auto fused = kernel::FusedOp::create(builder, location, types, family, label,
                                       inputs.getArrayRef(), ArrayAttr(), DictionaryAttr());
  Block *body = builder.createBlock(&fused.getBody());
  IRMapping mapping;
  for (Value input : inputs)
    mapping.map(input, body->addArgument(input.getType(), input.getLoc()));
  for (Operation *op : free)
    builder.clone(*op, mapping);
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  SmallVector<Value> yielded =
      llvm::map_to_vector(results, [&](Value v) { return mapping.lookup(v); });
  kernel::YieldOp::create(builder, location, yielded);

  for (auto [old, now] : llvm::zip(results, fused.getResults()))
    old.replaceUsesWithIf(now, [&](OpOperand &use) { return !inside.contains(use.getOwner()); });
  for (Operation *op : llvm::reverse(ops))
    op->erase();
  return fused;
}
