// model.repeat: its text and its rules.
#include "ir/model/infer/Infer.h"

#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

YieldOp RepeatOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

SmallVector<Region *> RepeatOp::getLoopRegions() {
  return {&getBody()};
}

/// `keyword(%a = %x : type, …)`, or nothing. Appends the arguments that the region gets.
static ParseResult parseBindings(OpAsmParser &parser, StringRef keyword,
                                 SmallVectorImpl<OpAsmParser::Argument> &arguments,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands,
                                 SmallVectorImpl<Type> &types) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&]() -> ParseResult {
    NamedTensorType type;
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) || parser.parseColon() ||
        parser.parseCustomTypeWithFallback(type))
      return failure();
    types.push_back(type);
    return success();
  });
}

ParseResult RepeatOp::parse(OpAsmParser &parser, OperationState &state) {
  DimAttr dim;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types, results;
  SMLoc start = parser.getCurrentLocation();
  if (parseDim(parser, dim))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("reverse")))
    state.getOrAddProperties<Properties>().reverse = parser.getBuilder().getUnitAttr();
  if (parseBindings(parser, "carry", arguments, operands, types))
    return failure();
  size_t carried = operands.size();
  if (parseBindings(parser, "slices", arguments, operands, types) ||
      parser.parseOptionalArrowTypeList(results) ||
      parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.resolveOperands(operands, types, start, state.operands))
    return failure();

  for (auto [i, argument] : llvm::enumerate(arguments)) {
    auto type = cast<NamedTensorType>(types[i]);
    argument.type = i < carried ? type : sliceOf(type, dim);
  }
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.dim = dim;
  properties.operandSegmentSizes = {int32_t(carried), int32_t(operands.size() - carried)};
  state.addTypes(results);
  Region *body = state.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), state.location);
  return success();
}

static void printBindings(OpAsmPrinter &printer, StringRef keyword,
                          ArrayRef<BlockArgument> arguments, OperandRange operands) {
  if (operands.empty())
    return;
  printer << ' ' << keyword << '(';
  llvm::interleaveComma(llvm::zip(arguments, operands), printer, [&](auto pair) {
    auto [argument, operand] = pair;
    printer.printRegionArgument(argument, {},
                                /*omitType=*/true); // with its location, if those are wanted
    printer << " = " << operand << " : ";
    printer.printStrippedAttrOrType(typeOf(operand));
  });
  printer << ')';
}

void RepeatOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printDim(printer, *this, getDim());
  if (getReverse())
    printer << " reverse";
  printBindings(printer, "carry", getPassCarried(), getCarried());
  printBindings(printer, "slices", getPassSlices(), getSlices());
  printer.printOptionalArrowTypeList(getResultTypes());
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"dim", "reverse", "operandSegmentSizes"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false, /*printBlockTerminators=*/true);
}

NamedTensorType RepeatOp::sliceOf(NamedTensorType type, DimAttr dim) {
  return NamedTensorType::get(type.getContext(), type.getElement(), without(type.getDims(), dim));
}

NamedTensorType RepeatOp::stackOf(NamedTensorType type, DimAttr dim) {
  return NamedTensorType::get(type.getContext(), type.getElement(), with(dim, type.getDims()));
}

LogicalResult RepeatOp::verify() {
  for (Value value : getSlices())
    if (!typeOf(value).has(getDimAttr()))
      return emitOpError() << "slices a value without its dimension '" << getDim() << "'";
  if (getNumResults() < getNumCarried())
    return emitOpError("has fewer results than carried values");
  for (auto [value, result] : llvm::zip(getCarried(), getResults()))
    if (value.getType() != result.getType())
      return emitOpError() << "carries " << value.getType() << ", but gives " << result.getType();
  return success();
}

LogicalResult RepeatOp::verifyRegions() {
  if (getBody().getNumArguments() != getNumOperands())
    return emitOpError() << "has " << getNumOperands() << " operands, but its pass takes "
                         << getBody().getNumArguments();
  for (auto [value, argument] : llvm::zip(getCarried(), getPassCarried()))
    if (value.getType() != argument.getType())
      return emitOpError() << "carries " << value.getType() << ", but its pass takes "
                           << argument.getType();
  for (auto [value, argument] : llvm::zip(getSlices(), getPassSlices()))
    if (sliceOf(typeOf(value), getDimAttr()) != argument.getType())
      return emitOpError() << "a slice of " << value.getType() << " is not " << argument.getType();

  OperandRange yielded = getYield().getValues();
  if (yielded.size() != getNumResults())
    return emitOpError() << "has " << getNumResults() << " results, but a pass yields "
                         << yielded.size();
  for (auto [i, value] : llvm::enumerate(yielded)) {
    NamedTensorType type = typeOf(value);
    if (i >= getNumCarried() && type.has(getDimAttr()))
      return emitOpError() << "stacks a value that has its dimension '" << getDim() << "' already";
    NamedTensorType expected = i < getNumCarried() ? type : stackOf(type, getDimAttr());
    if (getResult(i).getType() != expected)
      return emitOpError() << "result " << i << " has type " << getResult(i).getType()
                           << ", a pass makes it " << expected;
  }
  return success();
}
