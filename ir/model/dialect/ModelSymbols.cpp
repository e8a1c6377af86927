// Verifiers: what ops say of dimensions and parameters agrees with what the module declares.
#include "ir/model/Dims.h"
#include "ir/model/infer/Infer.h"
#include "ir/model/obligations/Obligations.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

void weft::model::forEachDim(Operation *op, function_ref<void(DimAttr)> visit) {
  auto inTypes = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<NamedTensorType>(type)) {
        llvm::for_each(tensor.getDims(), visit);
        if (DimAttr index = tensor.indexed())
          visit(index);
      }
  };
  inTypes(op->getOperandTypes());
  inTypes(op->getResultTypes());
  for (Region &region : op->getRegions())
    if (!region.empty())
      inTypes(region.getArgumentTypes());
  if (auto parameter = dyn_cast<ParameterOp>(op))
    inTypes(TypeRange(parameter.getTensor()));
  if (!isa_and_present<ModelDialect>(op->getDialect()))
    return; // strings in attributes of others are not names of dimensions
  llvm::for_each(dimsNamedBy(op, true), visit);
}

/// Where the sizes of both are static, they agree.
static LogicalResult sameSize(Operation *op, Size found, Size expected, StringRef what) {
  std::optional<int64_t> a = found.constant(), b = expected.constant();
  if (a && b && *a != *b)
    return op->emitOpError() << what << ": " << *a << " and " << *b;
  return success();
}

static LogicalResult atMost(Operation *op, Size value, Size limit, StringRef what) {
  std::optional<int64_t> a = value.constant(), b = limit.constant();
  if (a && b && *a > *b)
    return op->emitOpError() << what << ": " << *a << " of " << *b;
  return success();
}

LogicalResult RegroupOp::verifySizes(const Dims &dims) {
  return sameSize(*this, dims.size(getFrom()), dims.size(getTo()),
                  "regroups dimensions of different sizes");
}

LogicalResult PartOp::verifySizes(const Dims &dims) {
  return atMost(*this, dims.resolve(getOffset().getValue()) + dims.size(getPart()),
                dims.size(getDim()), "the part ends behind its dimension");
}

LogicalResult InsertPartOp::verifySizes(const Dims &dims) {
  return atMost(*this, dims.resolve(getOffset().getValue()) + dims.size(getPart()),
                dims.size(getDim()), "the part ends behind its dimension");
}

LogicalResult PickOp::verifySizes(const Dims &dims) {
  return atMost(*this, Size::number(getPosition()) + Size::number(1), dims.size(getDim()),
                "picks behind the end");
}

/// Positions along `dim` are its own, those of a dimension that is never larger, or any whole
/// numbers, of which others see to it that they are positions (Positions.h).
static LogicalResult verifyIndex(Operation *op, Value index, DimAttr dim, const Dims &dims) {
  DimAttr of = typeOf(index).indexed();
  if (!of || Known(dims).isAmong(of, dim))
    return success();
  return op->emitOpError() << "takes positions of '" << of << "' along '" << dim
                           << "', which may be smaller";
}

LogicalResult GatherOp::verifySizes(const Dims &dims) {
  return verifyIndex(*this, getIndex(), getDimAttr(), dims);
}

LogicalResult ScatterOp::verifySizes(const Dims &dims) {
  return verifyIndex(*this, getIndex(), getDimAttr(), dims);
}

LogicalResult TopOp::verifySizes(const Dims &dims) {
  return atMost(*this, dims.size(getK()), dims.size(getDim()), "takes more than there are");
}

LogicalResult StackOp::verifySizes(const Dims &dims) {
  return sameSize(*this, Size::number(getInputs().size()), dims.size(getDim()),
                  "inputs and size of the dimension differ");
}

LogicalResult ConcatOp::verifySizes(const Dims &dims) {
  Size total;
  for (DimAttr part : getParts())
    total = total + dims.size(part);
  return sameSize(*this, total, dims.size(getDim()), "parts and dimension differ in size");
}

/// Appends the dimensions that sizes and bounds of those in `dims` name, and so on.
static void addNamed(SmallVectorImpl<DimOp> &dims, ModuleOp module,
                     SymbolTableCollection &symbols) {
  llvm::SmallDenseSet<Operation *> seen;
  for (DimOp dim : dims)
    seen.insert(dim);
  for (size_t i = 0; i < dims.size(); ++i)
    for (SizeAttr size : {dims[i].getSizeAttr(), dims[i].getBoundAttr()}) {
      if (!size)
        continue;
      for (const std::string &name : size.getValue().dims()) {
        auto dim =
            symbols.lookupSymbolIn<DimOp>(module, StringAttr::get(module.getContext(), name));
        if (dim && seen.insert(dim).second)
          dims.push_back(dim);
      }
    }
}

LogicalResult weft::model::verifyDims(Operation *op, SymbolTableCollection &symbols) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module)
    return success();
  DimAttr unknown;
  llvm::SmallSetVector<DimOp, 8> named;
  forEachDim(op, [&](DimAttr dim) {
    if (auto declared = symbols.lookupSymbolIn<DimOp>(module, dim.getName()))
      named.insert(declared);
    else if (!unknown)
      unknown = dim;
  });
  if (unknown && module.getOps<DimOp>().empty())
    return success(); // a module that declares none says nothing of sizes
  if (unknown)
    return op->emitOpError() << "speaks of dimension '" << unknown.getValue()
                             << "', which the module does not declare";
  auto sized = dyn_cast<Sized>(op);
  if (!sized)
    return success();
  // Of these alone: this is asked of each op, and a module may have as many dimensions as ops.
  SmallVector<DimOp> dims(named.takeVector());
  addNamed(dims, module, symbols);
  return sized.verifySizes(Dims(dims));
}

/// The type that `op` sees of the parameter: without the loops that it stands in.
static LogicalResult verifyAccess(Operation *op, FlatSymbolRefAttr name, NamedTensorType type,
                                  SymbolTableCollection &symbols) {
  auto parameter = symbols.lookupNearestSymbolFrom<ParameterOp>(op, name);
  if (!parameter)
    return op->emitOpError() << "'" << name.getValue() << "' is not a parameter";
  NamedTensorType expected = parameter.typeAt(op);
  if (type != expected)
    return op->emitOpError() << "has type " << type << ", the parameter has " << expected
                             << " here";
  return verifyDims(op, symbols);
}

NamedTensorType ParameterOp::typeAt(Operation *op) {
  DimList around;
  for (auto loop = op->getParentOfType<RepeatOp>(); loop; loop = loop->getParentOfType<RepeatOp>())
    around.push_back(loop.getDimAttr());
  auto declared = getTensor();
  ArrayRef<DimAttr> dims = declared.getDims();
  DimList seen = without(dims.take_front(getLoops()), around);
  llvm::append_range(seen, dims.drop_front(getLoops()));
  return NamedTensorType::get(getContext(), declared.getElement(), seen);
}

LogicalResult ParamOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyAccess(*this, getNameAttr(), typeOf(getResult()), symbols);
}

LogicalResult AssignOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifyAccess(*this, getNameAttr(), typeOf(getValue()), symbols);
}

LogicalResult ParameterOp::verify() {
  int64_t loops = getLoopsAttr().getInt(), dims = getTensor().getDims().size();
  if (loops < 0 || loops > dims)
    return emitOpError() << "has " << loops << " loops and " << dims << " dimensions";
  return success();
}

LogicalResult ParameterOp::verifySymbolUses(SymbolTableCollection &symbols) {
  FlatSymbolRefAttr of = getOfAttr();
  if (of && !symbols.lookupNearestSymbolFrom<ParameterOp>(*this, of))
    return emitOpError() << "belongs to '" << of.getValue() << "', which is not a parameter";
  return verifyDims(*this, symbols);
}

LogicalResult PickOp::verify() {
  if (getPositionAttr().getInt() < 0)
    return emitOpError() << "picks before the start: " << getPositionAttr().getInt();
  return success();
}

LogicalResult RandomOp::verify() {
  if (!typeOf(getResult()).isFloat())
    return emitOpError("gives floats");
  return success();
}

LogicalResult ArrangeOp::verify() {
  NamedTensorType input = typeOf(getInput()), result = typeOf(getResult());
  bool whole = input.isWhole() && result.isWhole();
  if ((input.getElement() != result.getElement() && !whole) ||
      input.getDims().size() != result.getDims().size() ||
      !without(input.getDims(), result.getDims()).empty())
    return emitOpError() << "arranges " << input << " as " << result << ", which is another tensor";
  return success();
}

LogicalResult ScatterOp::verify() {
  NamedTensorType input = typeOf(getInput()), index = typeOf(getIndex()),
                  result = typeOf(getResult());
  if (!index.isWhole())
    return emitOpError("the index has whole numbers");
  if (!isSameKind(input, result) || input.isBool() || result.indexed())
    return emitOpError("input and result have the same element, f32 or i32");
  if (!result.has(getDimAttr()))
    return emitOpError() << "the result has no dimension '" << getDim() << "'";
  for (DimAttr dim : result.getDims())
    if (dim != getDimAttr() && !input.has(dim) && !index.has(dim))
      return emitOpError() << "neither input nor index has dimension '" << dim.getValue() << "'";
  return success();
}

LogicalResult InsertPartOp::verify() {
  NamedTensorType input = typeOf(getInput()), into = typeOf(getInto()),
                  result = typeOf(getResult());
  if (!isSameKind(input, into) || commonElement({input, into}) != result.getElement())
    return emitOpError("operands and result have different elements");
  if (!input.has(getPartAttr()))
    return emitOpError() << "the input has no dimension '" << getPart() << "'";
  DimList expected = with(without(input.getDims(), getPartAttr()), into.getDims());
  expected = with(expected, getDimAttr());
  for (DimAttr dim : expected)
    if (!result.has(dim))
      return emitOpError() << "the result has no dimension '" << dim.getValue() << "'";
  if (result.getDims().size() != expected.size())
    return emitOpError("the result has dimensions of neither operand");
  return success();
}
