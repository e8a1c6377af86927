// The plan dialect: verifiers. The printed forms are all declarative.
#include "ir/plan/Plan.h"
#include "ir/kernel/Kernel.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft::plan;

#include "ir/plan/PlanDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "ir/plan/PlanTypedef.cpp.inc"
#define GET_OP_CLASSES
#include "ir/plan/PlanOp.cpp.inc"

void PlanDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "ir/plan/PlanTypedef.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/plan/PlanOp.cpp.inc"
      >();
}

/// The kernel that it holds, or null.
static weft::kernel::FusedOp fusedIn(KernelOp op) {
  Block &body = op.getBody().front();
  return body.getOperations().size() == 1 ? dyn_cast<weft::kernel::FusedOp>(body.front()) : nullptr;
}

LogicalResult KernelOp::verifyRegions() {
  weft::kernel::FusedOp fused = fusedIn(*this);
  if (!fused)
    return emitOpError("holds something else than one kernel.fused");
  if (!llvm::equal(fused.getInputs(), getBody().getArguments()))
    return emitOpError("has arguments that differ from the operands of its kernel.fused");
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = symbols.lookupNearestSymbolFrom<KernelOp>(*this, getKernelAttr());
  if (!kernel)
    return emitOpError() << "'" << getKernel() << "' is not a kernel";
  weft::kernel::FusedOp fused = fusedIn(kernel);
  if (!fused)
    return success(); // the kernel says so itself
  bool draws = !fused.getBody().front().getOps<weft::model::RandomOp>().empty();
  size_t wanted = fused.getNumOperands() + fused.getNumResults() + draws;
  if (getBuffers().size() != wanted)
    return emitOpError() << "brings " << getBuffers().size() << " buffers, the kernel takes "
                         << wanted;
  return success();
}

LogicalResult EntryOp::verify() {
  std::optional<ArrayAttr> behind = getBehind();
  if (!behind)
    return success();
  if (behind->size() != getSlots().size())
    return emitOpError() << "says of " << behind->size() << " slots what they are behind, and has "
                         << getSlots().size();
  for (auto [slot, attr] : llvm::enumerate(*behind)) {
    auto list = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!list)
      return emitOpError() << "says what slot " << slot
                           << " is behind by something else than a list "
                           << "of slots (array<i64: 0, 1>)";
    for (int64_t below : list.asArrayRef())
      if (below < 0 || below >= static_cast<int64_t>(slot))
        return emitOpError() << "has slot " << slot << " behind slot " << below
                             << ", which is not one before it";
  }
  return success();
}

LogicalResult ParameterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!symbols.lookupNearestSymbolFrom<weft::model::ParameterOp>(*this, getNameAttr()))
    return emitOpError() << "'" << getName() << "' is not a parameter";
  return success();
}

/// A place is in an entry, and its number is a position in the entry's list `of`.
static LogicalResult verifyPlace(Operation *op, int64_t number, ArrayAttr (EntryOp::*of)()) {
  auto entry = op->getParentOfType<EntryOp>();
  if (!entry)
    return op->emitOpError("stands outside of an entry");
  int64_t count = (entry.*of)().size();
  if (number < 0 || number >= count)
    return op->emitOpError() << "has number " << number << ", the entry has " << count;
  return success();
}

LogicalResult InputOp::verify() {
  return verifyPlace(*this, getNumberAttr().getInt(), &EntryOp::getInputs);
}
LogicalResult OutputOp::verify() {
  return verifyPlace(*this, getNumberAttr().getInt(), &EntryOp::getOutputs);
}
LogicalResult SlotOp::verify() {
  return verifyPlace(*this, getNumberAttr().getInt(), &EntryOp::getSlots);
}
LogicalResult PackedOp::verify() {
  return verifyPlace(*this, getNumberAttr().getInt(), &EntryOp::getPacked);
}

LogicalResult LoopOp::verifyRegions() {
  TypeRange arguments = getBody().getArgumentTypes();
  if (arguments.size() != 1 || !arguments.front().isIndex())
    return emitOpError("has a region that does not take one index, the number of the pass");
  return success();
}
