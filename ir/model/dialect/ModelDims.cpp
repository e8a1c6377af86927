// Text of dimensions, in types, ops and attributes.
#include "ir/model/Model.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace weft::model;

LogicalResult DimAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError, StringAttr name) {
  return name.empty() ? emitError() << "a dimension has no name" : success();
}

static ParseResult made(AsmParser &parser, SMLoc at, StringRef name, DimAttr &dim) {
  dim = parser.getChecked<DimAttr>(at, parser.getBuilder().getStringAttr(name));
  return success(dim != nullptr);
}

ParseResult weft::model::parseDimWord(AsmParser &parser, DimAttr &dim) {
  SMLoc at = parser.getCurrentLocation();
  std::string name;
  return failure(parser.parseKeywordOrString(&name) || made(parser, at, name, dim));
}

ParseResult weft::model::parseDim(AsmParser &parser, DimAttr &dim) {
  SMLoc at = parser.getCurrentLocation();
  std::string name;
  return failure(parser.parseString(&name) || made(parser, at, name, dim));
}

void weft::model::printDim(AsmPrinter &printer, Operation *, DimAttr dim) {
  printer.printString(dim);
}

static ParseResult parseList(AsmParser &parser, AsmParser::Delimiter delimiter, DimsAttr &dims,
                             ParseResult (*parseOne)(AsmParser &, DimAttr &)) {
  DimList list;
  if (parser.parseCommaSeparatedList(delimiter,
                                     [&] { return parseOne(parser, list.emplace_back()); }))
    return failure();
  dims = DimsAttr::get(parser.getContext(), list);
  return success();
}

ParseResult weft::model::parseDims(AsmParser &parser, DimsAttr &dims) {
  return parseList(parser, AsmParser::Delimiter::Square, dims, parseDim);
}

static void printList(AsmPrinter &printer, DimsAttr dims) {
  printer << '[';
  llvm::interleaveComma(dims.getValue(), printer, [&](DimAttr dim) { printer.printString(dim); });
  printer << ']';
}

void weft::model::printDims(AsmPrinter &printer, Operation *, DimsAttr dims) {
  printList(printer, dims);
}

// #model.dim<seq>
Attribute DimAttr::parse(AsmParser &parser, Type) {
  DimAttr dim;
  if (parser.parseLess() || parseDimWord(parser, dim) || parser.parseGreater())
    return {};
  return dim;
}

void DimAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getValue());
  printer << '>';
}

// #model.dims<batch, seq>
Attribute DimsAttr::parse(AsmParser &parser, Type) {
  DimsAttr dims;
  if (parseList(parser, AsmParser::Delimiter::LessGreater, dims, parseDimWord))
    return {};
  return dims;
}

void DimsAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getValue(), printer,
                        [&](DimAttr dim) { printer.printKeywordOrString(dim); });
  printer << '>';
}

// #model.origin<"Linear", [["in", ["model"]], ["out", ["head", "dh"]]]>
Attribute OriginAttr::parse(AsmParser &parser, Type) {
  StringAttr block;
  ArrayAttr dims;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseAttribute(block) || parser.parseComma() ||
      parser.parseAttribute(dims) || parser.parseGreater())
    return {};
  auto isName = [](Attribute attr) {
    auto name = dyn_cast<StringAttr>(attr);
    return name && !name.empty();
  };
  SmallVector<StringAttr> names;
  SmallVector<DimsAttr> filled;
  for (Attribute each : dims) {
    auto pair = dyn_cast<ArrayAttr>(each);
    auto fill = pair && pair.size() == 2 ? dyn_cast<ArrayAttr>(pair[1]) : ArrayAttr();
    if (!fill || !isName(pair[0]) || !llvm::all_of(fill, isName)) {
      parser.emitError(at, "an origin has of each dimension its name and the names of those that "
                           "fill it, not ")
          << each;
      return {};
    }
    names.push_back(cast<StringAttr>(pair[0]));
    DimList list = llvm::map_to_vector(fill.getAsRange<StringAttr>(),
                                       [](StringAttr name) { return DimAttr::get(name); });
    filled.push_back(DimsAttr::get(parser.getContext(), list));
  }
  return get(parser.getContext(), block, names, filled);
}

void OriginAttr::print(AsmPrinter &printer) const {
  printer << '<' << getBlock() << ", [";
  llvm::interleaveComma(llvm::zip(getNames(), getFilled()), printer, [&](auto pair) {
    printer << '[' << std::get<0>(pair) << ", ";
    printList(printer, std::get<1>(pair));
    printer << ']';
  });
  printer << "]>";
}
