// Verifies what makes a function an entry, and what a module says of all.
#include "ir/model/Entries.h"
#include "ir/model/demands/Demands.h"
#include "ir/model/weights/WeightsAs.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace weft::model;

static bool isText(Attribute value) {
  auto text = dyn_cast<StringAttr>(value);
  return text && !text.empty();
}

template <typename Element> static bool isListOf(Attribute value) {
  auto list = dyn_cast<ArrayAttr>(value);
  return list && llvm::all_of(list, llvm::IsaPred<Element>);
}

LogicalResult ModelDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  Attribute value = attribute.getValue();
  auto wrong = [&](const Twine &what) {
    return op->emitError() << "'" << name << "' " << what << ", not " << value;
  };
  if (name == attr::precision && isa<ModuleOp>(op)) {
    auto text = dyn_cast<StringAttr>(value);
    if (text && precisionNamed(text.getValue()))
      return success();
    return wrong("is " + precisionNames());
  }
  if (name == attr::caches && isa<ModuleOp>(op)) {
    auto text = dyn_cast<StringAttr>(value);
    if (text && cacheFormatNamed(text.getValue()))
      return success();
    return wrong("is " + std::string(cacheFormatNames));
  }
  if (name == attr::recompute && isa<ModuleOp>(op))
    return isText(value) ? success() : wrong("is what gradients may keep");
  if (name == attr::weights && isa<ModuleOp>(op)) {
    auto text = dyn_cast<StringAttr>(value);
    std::string problem = "it is a string";
    if (text && readWeightsAs(text.getValue(), problem))
      return success();
    return wrong("says which weights are whole numbers: " + problem);
  }
  if (name == attr::demands && isa<ModuleOp>(op)) {
    std::string problem;
    return areDemands(value, problem) ? success() : wrong("lists what is demanded: " + problem);
  }
  if (!isa<SymbolOpInterface>(op) || op->hasTrait<Structural>())
    return op->emitError() << "'" << name << "' is an attribute of entries";
  if (name == attr::entry)
    return isText(value) ? success() : wrong("is what the program calls the entry");
  if (name == attr::kind) {
    auto text = dyn_cast<StringAttr>(value);
    if (text && symbolizeEntryKind(text.getValue()))
      return success();
    return wrong("is one of plain, gradient, update, begin and advance");
  }
  if (name == attr::parameters)
    return isListOf<StringAttr>(value) ? success() : wrong("lists the names of parameters");
  if (name == attr::requirements)
    return isListOf<RequireAttr>(value) ? success() : wrong("lists what must hold of sizes");
  return op->emitError() << "there is no attribute '" << name << "' of entries";
}

/// Of an argument or a result.
static LogicalResult verifyName(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == attr::storage) {
    auto type = dyn_cast<TypeAttr>(attribute.getValue());
    return type && (type.getValue().isBF16() || type.getValue().isSignlessInteger(8))
               ? success()
               : op->emitError() << "'" << name << "' is bf16 or i8, not " << attribute.getValue();
  }
  if (!llvm::is_contained({attr::name, attr::gradientOf, attr::cache}, name))
    return op->emitError() << "there is no attribute '" << name << "' of arguments and results";
  if (isa<StringAttr>(attribute.getValue()))
    return success();
  return op->emitError() << "'" << name << "' is a name, not " << attribute.getValue();
}

LogicalResult ModelDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                     NamedAttribute attribute) {
  return isa<FunctionOpInterface>(op)
             ? verifyName(op, attribute)
             : op->emitError() << "'" << attribute.getName().strref() << "' is of functions alone";
}

LogicalResult ModelDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                        NamedAttribute attribute) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError() << "'" << attribute.getName().strref() << "' is of functions alone";
  if (failed(verifyName(op, attribute)))
    return failure();
  if (attribute.getName() != attr::cache)
    return success();
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, attr::cache) == attribute.getValue())
      return success();
  return op->emitError() << "gives back the cache " << attribute.getValue()
                         << ", which it does not take";
}
