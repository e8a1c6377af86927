// Verifiers of what a module says of its program.
#include "ir/model/Entries.h"
#include "ir/model/Model.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace weft::model;

/// There is no second op with the same key in a module. The first of ops that stand together
/// looks, for all: a module has one for each of its entries.
template <typename Op, typename Key> static LogicalResult once(Op op, Key key, StringRef what) {
  if (isa_and_present<Op>(op->getPrevNode()))
    return success();
  llvm::SmallDenseSet<decltype(key(op))> seen;
  for (auto each : op->template getParentOfType<ModuleOp>().template getOps<Op>())
    if (!seen.insert(key(each)).second)
      return each.emitOpError() << "says " << what << " a second time";
  return success();
}

/// What is named, if it is there, is a function or an entry, not a dimension or a parameter.
static LogicalResult namesFunction(Operation *op, FlatSymbolRefAttr name, StringRef as,
                                   SymbolTableCollection &symbols) {
  Operation *found = name ? symbols.lookupNearestSymbolFrom(op, name.getAttr()) : nullptr;
  if (found && found->hasTrait<Structural>())
    return op->emitOpError() << "names '" << name.getValue() << "' as its " << as << ", which is a "
                             << found->getName().stripDialect();
  return success();
}

LogicalResult SourceOp::verifySymbolUses(SymbolTableCollection &) {
  return once(*this, [](SourceOp) { return 0; }, "where the program comes from");
}

LogicalResult ReadsOp::verifySymbolUses(SymbolTableCollection &) {
  return once(*this, [](ReadsOp op) { return op.getEntryAttr(); }, "what this entry reads");
}

LogicalResult CarriedOp::verifySymbolUses(SymbolTableCollection &) {
  return once(*this, [](CarriedOp op) { return op.getFileAttr(); }, "that it carries this file");
}

static LogicalResult verifyData(Operation *op, DictionaryAttr data) {
  if (data && (!data.getAs<StringAttr>("kind") || !data.getAs<DictionaryAttr>("arguments")))
    return op->emitOpError("has data without its `kind`, or without the `arguments` that take it");
  return success();
}

/// A run packs again what is made of the parameters whose gradients the update takes.
static LogicalResult changesWhatItTakes(TrainingOp op, SymbolTableCollection &symbols) {
  auto update = dyn_cast_if_present<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(op, op.getUpdateAttr().getAttr()));
  if (!update)
    return success();
  llvm::StringSet<> taken;
  for (unsigned i = 0; i < update.getNumArguments(); ++i)
    if (auto name = update.getArgAttrOfType<StringAttr>(i, attr::name))
      taken.insert(name.getValue());
  auto result = update->walk([&](AssignOp assign) -> WalkResult {
    auto parameter =
        symbols.lookupNearestSymbolFrom<ParameterOp>(op, assign.getNameAttr().getAttr());
    if (!parameter || parameter.getKind() != ParameterKind::parameter ||
        taken.contains(assign.getName()))
      return success();
    return op.emitOpError() << "has an update that changes '" << assign.getName()
                            << "' and takes no gradient of it";
  });
  return failure(result.wasInterrupted());
}

LogicalResult TrainingOp::verify() {
  return verifyData(*this, getDataAttr());
}

LogicalResult EvaluationOp::verify() {
  return verifyData(*this, getDataAttr());
}

LogicalResult EvaluationOp::verifySymbolUses(SymbolTableCollection &) {
  if (!(*this)->getParentOfType<ModuleOp>().getOps<TrainingOp>().empty())
    return emitOpError("stands beside a training: a program trains, or it evaluates");
  return once(*this, [](EvaluationOp op) { return op.getNameAttr(); }, "this evaluation");
}

LogicalResult TrainingOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(once(
          *this, [](TrainingOp op) { return op.getNameAttr(); }, "this training")) ||
      failed(namesFunction(*this, getLossAttr(), "loss", symbols)) ||
      failed(namesFunction(*this, getGradientAttr(), "gradient", symbols)) ||
      failed(namesFunction(*this, getUpdateAttr(), "update", symbols)) ||
      failed(changesWhatItTakes(*this, symbols)))
    return failure();
  for (auto name : getFrozen().value_or(ArrayAttr::get(getContext(), {})).getAsRange<StringAttr>())
    if (!symbols.lookupNearestSymbolFrom<ParameterOp>(*this, name))
      return emitOpError() << "freezes '" << name.getValue() << "', which is not a parameter";
  return success();
}

LogicalResult DecodingOp::verify() {
  bool derived = bool(getAdvanceAttr());
  for (Attribute part :
       {Attribute(getKnownAttr()), Attribute(getFreshAttr()), Attribute(getCapacityAttr())})
    if (bool(part) != derived)
      return emitOpError(
          "has `advance`, `known`, `fresh` and `capacity` together, or none of them");
  if (getBeginAttr() && !derived)
    return emitOpError("has a `begin`, but no `advance`");
  return success();
}

LogicalResult DecodingOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(once(
          *this, [](DecodingOp op) { return op.getNameAttr(); }, "this decoding")) ||
      failed(namesFunction(*this, getAdvanceAttr(), "advance", symbols)) ||
      failed(namesFunction(*this, getBeginAttr(), "begin", symbols)))
    return failure();
  if ((*this)->getParentOfType<ModuleOp>().getOps<DimOp>().empty())
    return success(); // it declares none at all
  for (DimAttr dim : {getDimAttr(), getKnownAttr(), getFreshAttr(), getCapacityAttr()})
    if (dim && !symbols.lookupNearestSymbolFrom<DimOp>(*this, dim.getName()))
      return emitOpError() << "speaks of dimension '" << dim.getValue()
                           << "', which the module does not declare";
  return success();
}
