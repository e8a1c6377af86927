// Verifiers of what a module says of its program.
#include "ir/model/Model.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

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
      failed(namesFunction(*this, getUpdateAttr(), "update", symbols)))
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
