// Verifiers: what ops say of dimensions and parameters agrees with what the module declares.
#include "ir/model/Dims.h"
#include "ir/model/Infer.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

void weft::model::forEachDim(Operation *op, function_ref<void(StringAttr)> visit) {
  auto inTypes = [&](TypeRange types) {
    for (Type type : types)
      if (auto tensor = dyn_cast<NamedTensorType>(type))
        llvm::for_each(tensor.getDims(), visit);
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
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    if (attribute.getName().strref().contains('.'))
      continue; // notes that others left, such as weft.kind
    if (auto size = dyn_cast<SizeAttr>(attribute.getValue()))
      for (const std::string &name : size.getValue().dims())
        visit(StringAttr::get(op->getContext(), name));
    else if (auto list = dyn_cast<ArrayAttr>(attribute.getValue()))
      for (StringAttr name : namesIn(list))
        visit(name);
    else if (auto name = dyn_cast<StringAttr>(attribute.getValue()))
      if (attribute.getName() != "path" && attribute.getName() != "sym_name")
        visit(name);
  }
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

static LogicalResult verifySizes(Operation *op, const Dims &dims) {
  if (auto regroup = dyn_cast<RegroupOp>(op))
    return sameSize(op, dims.size(namesIn(regroup.getFrom())), dims.size(namesIn(regroup.getTo())),
                    "regroups dimensions of different sizes");
  if (auto part = dyn_cast<PartOp>(op))
    return atMost(op, dims.resolve(part.getOffset().getValue()) + dims.size(part.getPart()),
                  dims.size(part.getDim()), "the part ends behind its dimension");
  if (auto insert = dyn_cast<InsertPartOp>(op))
    return atMost(op, dims.resolve(insert.getOffset().getValue()) + dims.size(insert.getPart()),
                  dims.size(insert.getDim()), "the part ends behind its dimension");
  if (auto pick = dyn_cast<PickOp>(op))
    return atMost(op, Size::number(pick.getPosition()) + Size::number(1), dims.size(pick.getDim()),
                  "picks behind the end");
  if (auto top = dyn_cast<TopOp>(op))
    return atMost(op, dims.size(top.getK()), dims.size(top.getDim()), "takes more than there are");
  if (auto stack = dyn_cast<StackOp>(op))
    return sameSize(op, Size::number(stack.getInputs().size()), dims.size(stack.getDim()),
                    "inputs and size of the dimension differ");
  if (auto concat = dyn_cast<ConcatOp>(op)) {
    Size total;
    for (StringAttr part : namesIn(concat.getParts()))
      total = total + dims.size(part);
    return sameSize(op, total, dims.size(concat.getDim()), "parts and dimension differ in size");
  }
  return success();
}

LogicalResult weft::model::verifyDims(Operation *op, SymbolTableCollection &symbols) {
  auto module = op->getParentOfType<ModuleOp>();
  if (!module || module.getOps<DimOp>().empty())
    return success();
  StringAttr unknown;
  forEachDim(op, [&](StringAttr dim) {
    if (!unknown && !symbols.lookupSymbolIn<DimOp>(module, dim))
      unknown = dim;
  });
  if (unknown)
    return op->emitOpError() << "speaks of dimension '" << unknown.getValue()
                             << "', which the module does not declare";
  if (isa<RegroupOp, PartOp, InsertPartOp, PickOp, TopOp, StackOp, ConcatOp>(op))
    return verifySizes(op, Dims(module));
  return success();
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
  SmallVector<StringAttr> around;
  for (auto loop = op->getParentOfType<RepeatOp>(); loop; loop = loop->getParentOfType<RepeatOp>())
    around.push_back(loop.getDimAttr());
  auto declared = getTensor();
  ArrayRef<StringAttr> dims = declared.getDims();
  SmallVector<StringAttr> seen = without(dims.take_front(getLoops()), around);
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
  if (input.getElement() != result.getElement() ||
      input.getDims().size() != result.getDims().size() ||
      !without(input.getDims(), result.getDims()).empty())
    return emitOpError() << "arranges " << input << " as " << result << ", which is another tensor";
  return success();
}

LogicalResult ScatterOp::verify() {
  NamedTensorType input = typeOf(getInput()), index = typeOf(getIndex()),
                  result = typeOf(getResult());
  if (index.isFloat() || index.isBool())
    return emitOpError("the index has elements i64");
  if (input.getElement() != result.getElement() || input.isBool())
    return emitOpError("input and result have the same element, f32 or i64");
  if (!result.has(getDimAttr()))
    return emitOpError() << "the result has no dimension '" << getDim() << "'";
  for (StringAttr dim : result.getDims())
    if (dim != getDimAttr() && !input.has(dim) && !index.has(dim))
      return emitOpError() << "neither input nor index has dimension '" << dim.getValue() << "'";
  return success();
}

LogicalResult InsertPartOp::verify() {
  NamedTensorType input = typeOf(getInput()), into = typeOf(getInto()),
                  result = typeOf(getResult());
  if (input.getElement() != into.getElement() || into.getElement() != result.getElement())
    return emitOpError("operands and result have different elements");
  if (!input.has(getPartAttr()))
    return emitOpError() << "the input has no dimension '" << getPart() << "'";
  SmallVector<StringAttr> expected = with(without(input.getDims(), getPartAttr()), into.getDims());
  expected = with(expected, getDimAttr());
  for (StringAttr dim : expected)
    if (!result.has(dim))
      return emitOpError() << "the result has no dimension '" << dim.getValue() << "'";
  if (result.getDims().size() != expected.size())
    return emitOpError("the result has dimensions of neither operand");
  return success();
}
