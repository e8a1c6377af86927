// Printing, parsing and checking of the kernel dialect.
#include "ir/kernel/Kernel.h"

#include "ir/kernel/Walk.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace weft;
using namespace weft::kernel;

#include "ir/kernel/KernelDialect.cpp.inc"
#include "ir/kernel/KernelEnum.cpp.inc"

#include "ir/kernel/KernelAttrInterface.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/kernel/KernelAttrdef.cpp.inc"
#define GET_OP_CLASSES
#include "ir/kernel/KernelOp.cpp.inc"

void KernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/kernel/KernelAttrdef.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/kernel/KernelOp.cpp.inc"
      >();
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != groupName)
    return op->emitError() << "there is no attribute '" << attribute.getName().strref()
                           << "' of ops";
  auto number = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!number || number.getValue().isNegative() ||
      !isa_and_present<model::ModelDialect>(op->getDialect()))
    return op->emitError() << "'" << groupName
                           << "' is the number of the kernel that an op of the model will be in";
  return success();
}

static void printGroup(AsmPrinter &printer, ArrayRef<DimAttr> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer, [&](DimAttr dim) { printer.printKeywordOrString(dim); });
  printer << ']';
}

//===-- Layouts
//-----------------------------------------------------------------------------------===//

// #kernel.layout<seq: "768", model: "1", storage = bf16>
Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  DimList dims;
  SmallVector<Size> strides;
  Type storage;
  auto entry = [&]() -> ParseResult {
    std::string text;
    SMLoc at = parser.getCurrentLocation();
    DimAttr dim;
    if (storage)
      return parser.emitError(at, "`storage` comes last");
    if (parseDimWord(parser, dim))
      return failure();
    if (dim.getValue() == "storage" && succeeded(parser.parseOptionalEqual()))
      return parser.parseType(storage);
    dims.push_back(dim);
    if (parser.parseColon() || (at = parser.getCurrentLocation(), false) ||
        parser.parseString(&text))
      return failure();
    std::optional<Size> size = Size::parse(text);
    if (!size)
      return parser.emitError(at, "not a size: \"") << text << '"';
    strides.push_back(*size);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, entry))
    return {};
  return get(parser.getContext(), dims, strides, storage);
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  for (auto [i, dim] : llvm::enumerate(getDims())) {
    if (i)
      printer << ", ";
    printer.printKeywordOrString(dim);
    printer << ": \"" << getStrides()[i].str() << '"';
  }
  if (getStorage())
    printer << (getDims().empty() ? "storage = " : ", storage = ") << getStorage();
  printer << '>';
}

std::optional<Size> LayoutAttr::stride(DimAttr dim) const {
  auto *at = llvm::find(getDims(), dim);
  if (at == getDims().end())
    return std::nullopt;
  return getStrides()[at - getDims().begin()];
}

LayoutAttr LayoutAttr::dense(MLIRContext *context, ArrayRef<DimAttr> dims) {
  SmallVector<Size> strides(dims.size());
  Size stride = Size::number(1);
  for (size_t i = dims.size(); i-- > 0;) {
    strides[i] = stride;
    stride = stride * Size::dim(dims[i].getValue());
  }
  return get(context, dims, strides);
}

// #kernel.panels<batch = [], rows = [model], columns = [head, dh], width = 16>
Attribute PanelsAttr::parse(AsmParser &parser, Type) {
  DimList batch, rows, columns;
  int64_t width = 0;
  Type storage;
  auto group = [&](StringRef word, SmallVectorImpl<DimAttr> &dims) -> ParseResult {
    return failure(
        parser.parseKeyword(word) || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                       [&] { return parseDimWord(parser, dims.emplace_back()); }) ||
        parser.parseComma());
  };
  if (parser.parseLess() || group("batch", batch) || group("rows", rows) ||
      group("columns", columns) || parser.parseKeyword("width") || parser.parseEqual() ||
      parser.parseInteger(width))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseKeyword("storage") || parser.parseEqual() || parser.parseType(storage)))
    return {};
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), batch, rows, columns, width, storage);
}

void PanelsAttr::print(AsmPrinter &printer) const {
  printer << "<batch = ";
  printGroup(printer, getBatch());
  printer << ", rows = ";
  printGroup(printer, getRows());
  printer << ", columns = ";
  printGroup(printer, getColumns());
  printer << ", width = " << getWidth();
  if (getStorage())
    printer << ", storage = " << getStorage();
  printer << '>';
}

//===-- kernel.fused
//--------------------------------------------------------------------------------===//

// %r = kernel.fused rows "layer.norm1" (%a = %x : type, …) -> (types) attributes { … } { … }
ParseResult FusedOp::parse(OpAsmParser &parser, OperationState &state) {
  StringRef family;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseKeyword(&family))
    return failure();
  std::optional<Family> kind = symbolizeFamily(family);
  if (!kind)
    return parser.emitError(at, "unknown kernel family `") << family << '`';
  auto &properties = state.getOrAddProperties<Properties>();
  properties.family = FamilyAttr::get(parser.getContext(), *kind);
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  auto operand = [&]() -> ParseResult {
    if (parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
        parser.parseOperand(operands.emplace_back()) || parser.parseColonType(types.emplace_back()))
      return failure();
    arguments.back().type = types.back();
    return success();
  };
  if (parser.parseAttribute(properties.label) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, operand) || parser.parseArrow() ||
      parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen()))
    if (parser.parseTypeList(state.types) || parser.parseRParen())
      return failure();
  SMLoc dictionary = parser.getCurrentLocation();
  auto wrong = [&] { return parser.emitError(dictionary); }; // else it would be dropped
  if (parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      failed(verifyInherentAttrs(state.name, state.attributes, wrong)) ||
      parser.resolveOperands(operands, types, parser.getCurrentLocation(), state.operands) ||
      parser.parseRegion(*state.addRegion(), arguments))
    return failure();
  return success();
}

void FusedOp::print(OpAsmPrinter &printer) {
  printer << ' ' << stringifyFamily(getFamily()) << ' ' << getLabelAttr() << " (";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getInputs()), printer, [&](auto pair) {
    auto [argument, operand] = pair;
    printer.printRegionArgument(argument, {},
                                /*omitType=*/true); // with its location, if those are wanted
    printer << " = " << operand << " : " << operand.getType();
  });
  printer << ") -> (";
  llvm::interleaveComma(getResultTypes(), printer);
  printer << ')';
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {"family", "label"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Whether panels have each dimension of `type` once.
static bool arePanelsOf(PanelsAttr panels, model::NamedTensorType type) {
  SmallVector<DimAttr> dims(panels.getBatch());
  llvm::append_range(dims, panels.getRows());
  llvm::append_range(dims, panels.getColumns());
  return dims.size() == type.getDims().size() &&
         llvm::all_of(type.getDims(), [&](DimAttr dim) { return llvm::is_contained(dims, dim); });
}

/// What a kernel packs for itself is strided, and a factor of one product of it.
static LogicalResult verifyPacks(FusedOp op) {
  ArrayAttr packs = op.getPacksAttr(), layouts = op.getLayoutsAttr();
  if (!packs)
    return success();
  if (packs.size() != op.getNumOperands())
    return op.emitOpError("has ") << packs.size() << " `packs` for " << op.getNumOperands()
                                  << " operands";
  for (auto [number, each] : llvm::enumerate(packs)) {
    if (isa<UnitAttr>(each))
      continue;
    auto refuse = [&, number = number, each = each](const llvm::Twine &why) {
      return op.emitOpError("packs operand ") << number << " as " << each << "; " << why;
    };
    auto panels = dyn_cast<PanelsAttr>(each);
    BlockArgument side = op.getBody().getArgument(number);
    if (!panels || panels.getStorage() || op.getFamily() != Family::contraction ||
        !isa<LayoutAttr>(layouts[number]) || !model::typeOf(side).isFloat())
      return refuse("a contraction packs floats that are strided, in panels of f32");
    if (!arePanelsOf(panels, model::typeOf(side)))
      return refuse("panels have each dimension of the operand once");
    if (!side.hasOneUse() || !isa<model::ContractOp>(*side.user_begin()))
      return refuse("what is packed is a factor of one product, and nothing else");
  }
  return success();
}

LogicalResult FusedOp::verify() {
  Block &body = getBody().front();
  if (body.empty() || !isa<YieldOp>(body.back()))
    return emitOpError("does not end in kernel.yield");
  if (body.getArgumentTypes() != getInputs().getTypes())
    return emitOpError("has region arguments that differ from its operands");
  if (cast<YieldOp>(body.back()).getValues().getTypes() != getResultTypes())
    return emitOpError("yields other types than its results");
  if (DictionaryAttr schedules = getScheduleAttr())
    for (NamedAttribute each : schedules) {
      auto schedule = dyn_cast<ScheduleAttr>(each.getValue());
      if (!schedule || !schedule.suits(getFamily()))
        return emitOpError() << each.getValue() << " is no schedule of "
                             << stringifyFamily(getFamily());
    }
  ArrayAttr layouts = getLayoutsAttr();
  if (!layouts)
    return getPacksAttr() ? emitOpError("has `packs`, and no layouts") : success();
  if (layouts.size() != getNumOperands() + getNumResults())
    return emitOpError("has ") << layouts.size() << " layouts for "
                               << getNumOperands() + getNumResults() << " operands and results";
  SmallVector<Type> types(getOperandTypes());
  types.append(getResultTypes().begin(), getResultTypes().end());
  for (auto [number, layout, type] : llvm::enumerate(layouts, types)) {
    if (!isa<LayoutAttr, PanelsAttr>(layout))
      return emitOpError() << layout << " is not a layout";
    Type storage = storageIn(layout);
    if (!storage)
      continue;
    bool isFloat = cast<model::NamedTensorType>(type).isFloat();
    bool panels = isa<PanelsAttr>(layout);
    bool isWhole = storage.isSignlessInteger(8) || (storage.isSignlessInteger(4) && panels);
    if (!isFloat || !(storage.isBF16() || isWhole))
      return emitOpError() << "stores " << type << " as " << storage
                           << "; floats are stored as f32, as bf16 or as i8, and panels also as i4";
    bool isResult = number >= getNumOperands();
    Family reader = panels ? Family::contraction : Family::attention;
    if (isWhole && getFamily() != (isResult ? Family::pack : reader))
      return emitOpError() << "has " << (panels ? "panels" : "rows") << " that are stored as "
                           << storage << ", which packs write and "
                           << (panels ? "contractions" : "attention") << " reads";
    if (auto rows = dyn_cast<LayoutAttr>(layout); isWhole && rows && !hasGroupedRows(rows))
      return emitOpError()
             << "stores rows as " << storage << " that lie as " << layout
             << "; 32 elements side by side share a scale, and all strides but one are "
                "multiples of that";
  }
  return verifyPacks(*this);
}

//===-- Packs
//-------------------------------------------------------------------------------------===//

PanelsAttr kernel::packedWithin(FusedOp op, unsigned operand) {
  ArrayAttr packs = op.getPacksAttr();
  return packs ? dyn_cast<PanelsAttr>(packs[operand]) : PanelsAttr();
}

void kernel::packWithin(FusedOp op, unsigned operand, PanelsAttr panels) {
  SmallVector<Attribute> packs(op.getNumOperands(), UnitAttr::get(op.getContext()));
  if (ArrayAttr before = op.getPacksAttr())
    packs.assign(before.begin(), before.end());
  packs[operand] = panels;
  op.setPacksAttr(ArrayAttr::get(op.getContext(), packs));
}

bool kernel::packsWithin(FusedOp op) {
  return op.getPacksAttr() && llvm::any_of(op.getPacksAttr(), llvm::IsaPred<PanelsAttr>);
}

Attribute kernel::readAs(FusedOp op, unsigned operand) {
  PanelsAttr panels = packedWithin(op, operand);
  return panels ? Attribute(panels) : op.getLayoutsAttr()[operand];
}

//===-- Storage
//-----------------------------------------------------------------------------------===//

Type kernel::storageIn(Attribute layout) {
  if (auto panels = dyn_cast<PanelsAttr>(layout))
    return panels.getStorage();
  return cast<LayoutAttr>(layout).getStorage();
}

Attribute kernel::withStorage(Attribute layout, Type storage) {
  MLIRContext *context = layout.getContext();
  if (auto panels = dyn_cast<PanelsAttr>(layout))
    return PanelsAttr::get(context, panels.getBatch(), panels.getRows(), panels.getColumns(),
                           panels.getWidth(), storage);
  auto strided = cast<LayoutAttr>(layout);
  return LayoutAttr::get(context, strided.getDims(), strided.getStrides(), storage);
}

model::StorageType kernel::storageOf(model::NamedTensorType type, Attribute layout) {
  Type storage = storageIn(layout);
  if (!storage)
    return model::storageTypeOf(type.getElement());
  assert((storage.isBF16() || isa<LayoutAttr>(layout)) && "panels in groups have other sizes");
  return model::narrowStorageOf(storage);
}

bool kernel::hasGroupedRows(LayoutAttr layout) {
  bool rows = false;
  for (const Size &stride : layout.getStrides()) {
    if (stride == Size::number(1) && !rows)
      rows = true;
    else if (!isMultiple(stride, model::grouped::length))
      return false;
  }
  return rows;
}

void YieldOp::build(OpBuilder &, OperationState &) {}
