// Reads what makes a function an entry.
#include "ir/model/Entries.h"

using namespace mlir;
using namespace weft::model;

StringRef weft::model::publicName(Operation *entry) {
  auto name = entry->getAttrOfType<StringAttr>(attr::entry);
  return name ? name.getValue() : SymbolTable::getSymbolName(entry).getValue();
}

std::optional<EntryKind> weft::model::kindOf(Operation *entry) {
  auto kind = entry->getAttrOfType<StringAttr>(attr::kind);
  return kind ? symbolizeEntryKind(kind.getValue()) : std::nullopt;
}

bool weft::model::packsAhead(Operation *entry) {
  std::optional<EntryKind> kind = kindOf(entry);
  return kind != EntryKind::gradient && kind != EntryKind::update;
}

Precision weft::model::precisionOf(ModuleOp module) {
  auto said = module->getAttrOfType<StringAttr>(attr::precision);
  return said ? precisionNamed(said.getValue()).value_or(Precision::float32) : Precision::float32;
}

void weft::model::setPrecision(ModuleOp module, Precision precision) {
  StringRef name = precisionName(precision);
  module->setAttr(attr::precision, StringAttr::get(module.getContext(), name));
}

std::optional<CacheFormat> weft::model::cacheFormatOf(ModuleOp module) {
  auto said = module->getAttrOfType<StringAttr>(attr::caches);
  return said ? cacheFormatNamed(said.getValue()) : std::nullopt;
}

void weft::model::setCacheFormat(ModuleOp module, CacheFormat format) {
  StringRef name = cacheFormats[static_cast<unsigned>(format)];
  module->setAttr(attr::caches, StringAttr::get(module.getContext(), name));
}
