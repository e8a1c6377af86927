// Text of the dialect's type and attribute.
#include "ir/model/Model.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace weft;
using namespace weft::model;

llvm::hash_code weft::hash_value(const Size &size) {
  return llvm::hash_value(size.str());
}

LogicalResult NamedTensorType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                      Type element, ArrayRef<DimAttr> dims) {
  if (!element.isF32() && !element.isInteger(32) && !element.isInteger(1) &&
      !isa<DimIndexType>(element))
    return emitError() << "an element is f32, i32, i1 or an index, not " << element;
  for (size_t i = 0; i < dims.size(); ++i)
    if (llvm::is_contained(dims.take_front(i), dims[i]))
      return emitError() << "dimension '" << dims[i].getValue() << "' stands twice";
  return success();
}

DimAttr NamedTensorType::indexed() const {
  auto index = dyn_cast<DimIndexType>(getElement());
  return index ? index.getDim() : DimAttr();
}

Type DimIndexType::parse(AsmParser &parser) {
  DimAttr dim;
  if (parser.parseLess() || parseDimWord(parser, dim) || parser.parseGreater())
    return {};
  return get(parser.getContext(), dim);
}

void DimIndexType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(getDim());
  printer << '>';
}

Type NamedTensorType::parse(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Type element;
  DimList dims;
  if (parser.parseLess())
    return {};
  // Inside of a tensor, an index needs no name of the dialect.
  if (succeeded(parser.parseOptionalKeyword(DimIndexType::getMnemonic())))
    element = DimIndexType::parse(parser);
  else if (parser.parseType(element))
    return {};
  if (!element)
    return {};
  while (succeeded(parser.parseOptionalComma())) {
    if (parseDimWord(parser, dims.emplace_back()))
      return {};
  }
  if (parser.parseGreater())
    return {};
  return parser.getChecked<NamedTensorType>(start, parser.getContext(), element, ArrayRef(dims));
}

void NamedTensorType::print(AsmPrinter &printer) const {
  printer << '<';
  if (auto index = dyn_cast<DimIndexType>(getElement())) {
    printer << DimIndexType::getMnemonic();
    index.print(printer);
  } else {
    printer << getElement();
  }
  for (DimAttr dim : getDims()) {
    printer << ", ";
    printer.printKeywordOrString(dim);
  }
  printer << '>';
}

/// The text up to the closing `>`, token by token: names, whole numbers, operators.
static std::string sizeText(AsmParser &parser) {
  std::string text;
  while (true) {
    StringRef name;
    int64_t number;
    if (succeeded(parser.parseOptionalPlus()))
      text += '+';
    else if (succeeded(parser.parseOptionalMinus()))
      text += '-';
    else if (succeeded(parser.parseOptionalStar()))
      text += '*';
    else if (succeeded(parser.parseOptionalSlash()))
      text += '/';
    else if (succeeded(parser.parseOptionalLParen()))
      text += '(';
    else if (succeeded(parser.parseOptionalRParen()))
      text += ')';
    else if (succeeded(parser.parseOptionalKeyword(&name)))
      text += name;
    else if (OptionalParseResult result = parser.parseOptionalInteger(number);
             result.has_value() && succeeded(*result))
      text += std::to_string(number);
    else
      return text;
    text += ' ';
  }
}

Attribute SizeAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  SMLoc start = parser.getCurrentLocation();
  std::string text = sizeText(parser);
  if (parser.parseGreater())
    return {};
  std::optional<Size> size = Size::parse(text);
  if (!size || size->isUndefined()) {
    parser.emitError(start, "not a size: '") << StringRef(text).trim() << "'";
    return {};
  }
  return SizeAttr::get(parser.getContext(), *size);
}

void SizeAttr::print(AsmPrinter &printer) const {
  printer << '<' << getValue().str() << '>';
}

static constexpr StringRef relations[] = {"at_most", "equal", "multiple"};

StringRef weft::model::relationName(Relation relation) {
  return relations[unsigned(relation)];
}

Attribute RequireAttr::parse(AsmParser &parser, Type) {
  StringRef word;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&word))
    return {};
  const auto *relation = llvm::find(relations, word);
  std::optional<Size> left = Size::parse(sizeText(parser)), right;
  if (parser.parseComma())
    return {};
  right = Size::parse(sizeText(parser));
  StringAttr text;
  if (parser.parseColon() || parser.parseAttribute(text) || parser.parseGreater())
    return {};
  if (relation == std::end(relations) || !left || !right) {
    parser.emitError(start, "not a relation of two sizes");
    return {};
  }
  return RequireAttr::get(parser.getContext(), Relation(relation - relations), *left, *right, text);
}

void RequireAttr::print(AsmPrinter &printer) const {
  printer << '<' << relationName(getRelation()) << ' ' << getLeft().str() << ", "
          << getRight().str() << " : " << getText() << '>';
}
