// Looks at what entries take, and at the rows of trainings and decodings that say what it is.
#include "tools/weft/base/Vocabularies.h"

#include "ir/model/Dims.h"
#include "ir/plan/Plan.h"

#include <functional>
#include <set>

namespace weft {
namespace {

using mlir::DictionaryAttr;
using mlir::StringAttr;

llvm::StringRef text(DictionaryAttr row, llvm::StringRef key) {
  auto value = row ? row.getAs<StringAttr>(key) : nullptr;
  return value ? value.getValue() : "";
}

/// An input that indexes a dimension.
struct Index {
  llvm::StringRef entry, input, dim;
};

/// The name in the language: the symbol may have stepped aside.
llvm::StringRef entryName(mlir::Operation *op) {
  auto name = op->getAttrOfType<StringAttr>("weft.entry");
  return name ? name.getValue() : mlir::SymbolTable::getSymbolName(op).getValue();
}

std::vector<Index> indices(mlir::ModuleOp module) {
  std::vector<Index> found;
  auto add = [&](llvm::StringRef entry, DictionaryAttr input) {
    if (llvm::StringRef dim = text(input, "weft.index"); !dim.empty())
      found.push_back({entry, text(input, "weft.name"), dim});
  };
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      add(entryName(function), function.getArgAttrDict(i));
  for (auto entry : module.getOps<plan::EntryOp>())
    for (auto input : entry.getInputs().getAsRange<DictionaryAttr>())
      add(entryName(entry), input);
  return found;
}

void forEachRow(mlir::ModuleOp module, llvm::StringRef attribute,
                const std::function<void(DictionaryAttr)> &visit) {
  if (auto rows = module->getAttrOfType<mlir::ArrayAttr>(attribute))
    for (auto row : rows.getAsRange<DictionaryAttr>())
      visit(row);
}

std::string sourceName(mlir::ModuleOp module) {
  std::string name = "source";
  forEachRow(module, "weft.trainings", [&](DictionaryAttr row) {
    auto data = row.getAs<DictionaryAttr>("data");
    auto arguments = data ? data.getAs<DictionaryAttr>("arguments") : nullptr;
    if (llvm::StringRef bound = text(arguments, "source");
        text(data, "kind") == "pairs" && !bound.empty())
      name = bound.str();
  });
  return name;
}

} // namespace

Vocabularies vocabulariesOf(mlir::ModuleOp module) {
  model::Dims sizes(module);
  std::string source = sourceName(module);
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> decoded; // entry, input
  forEachRow(module, "weft.decodings", [&](DictionaryAttr row) {
    for (const char *entry : {"entry", "advance"})
      decoded.emplace(text(row, entry), text(row, "argument"));
  });
  Vocabularies found;
  std::pair<bool, int64_t> most; // of the others: whether a decoding takes it, its size
  for (const Index &index : indices(module)) {
    std::optional<int64_t> size = sizes.size(index.dim).constant();
    if (!size)
      continue;
    runtime::Dimension dimension{index.dim.str(), size, std::nullopt};
    if (index.input == source) {
      if (!found.source || *size > *found.source->size)
        found.source = std::move(dimension);
    } else if (std::pair rank(decoded.count({index.entry, index.input}) != 0, *size); rank > most) {
      most = rank;
      found.other = std::move(dimension);
    }
  }
  return found;
}

} // namespace weft
