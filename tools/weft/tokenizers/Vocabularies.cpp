// Looks at what entries take, and at the trainings and decodings that say what it is.
#include "tools/weft/tokenizers/Vocabularies.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"
#include "ir/plan/Plan.h"
#include "tools/weft/base/Inference.h"

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

std::vector<Index> indices(mlir::ModuleOp module) {
  std::vector<Index> found;
  auto add = [&](llvm::StringRef entry, DictionaryAttr input, mlir::Type type) {
    if (model::DimAttr dim = mlir::cast<model::NamedTensorType>(type).indexed())
      found.push_back({entry, text(input, model::attr::name), dim});
  };
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      add(model::publicName(function), function.getArgAttrDict(i), function.getArgumentTypes()[i]);
  for (auto entry : module.getOps<plan::EntryOp>())
    for (auto input : entry.getInputs().getAsRange<DictionaryAttr>())
      add(model::publicName(entry), input, input.getAs<mlir::TypeAttr>("type").getValue());
  return found;
}

std::string sourceName(mlir::ModuleOp module) {
  std::string name = "source";
  for (DictionaryAttr data : dataOfLosses(module))
    if (text(data, "kind") == "pairs") {
      llvm::StringRef bound = text(data.getAs<DictionaryAttr>("arguments"), "source");
      name = bound.empty() ? name : bound.str();
    }
  return name;
}

} // namespace

Vocabularies vocabulariesOf(mlir::ModuleOp module) {
  model::Dims sizes(module);
  std::string source = sourceName(module);
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> decoded; // entry, input
  for (auto decoding : module.getOps<model::DecodingOp>()) {
    decoded.emplace(decoding.getEntry(), decoding.getArgument());
    decoded.emplace(decoding.getAdvance().value_or(""), decoding.getArgument());
  }
  Vocabularies found;
  std::pair<bool, int64_t> most; // of the others: whether a decoding takes it, its size
  for (const Index &index : indices(module)) {
    std::optional<int64_t> size = sizes.size(index.dim).constant();
    if (!size)
      continue;
    runtime::Dimension dimension{index.dim.str(), size, std::nullopt, std::nullopt};
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
