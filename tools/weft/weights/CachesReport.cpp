// Counts the bytes of caches.
#include "tools/weft/weights/CachesReport.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"

#include <fmt/format.h>

#include <map>

namespace weft {

namespace {
/// A cache of an entry: its elements for one position of one text, and how they are stored.
struct Cache {
  int64_t elements;
  model::StorageType storage;
};
} // namespace

static std::vector<Cache> cachesOf(plan::EntryOp entry) {
  model::Dims dims(entry->getParentOfType<mlir::ModuleOp>());
  std::vector<Cache> caches;
  for (auto input : entry.getInputs().getAsRange<mlir::DictionaryAttr>()) {
    if (!input.contains(model::attr::cache))
      continue;
    auto type = llvm::cast<model::NamedTensorType>(input.getAs<mlir::TypeAttr>("type").getValue());
    auto said = input.getAs<mlir::TypeAttr>(model::attr::storage);
    // Sizes that come with the data are positions and texts.
    Size one = dims.size(type.getDims()).substitute([](const std::string &) {
      return std::optional(Size::number(1));
    });
    caches.push_back({one.constant().value_or(0), said ? model::narrowStorageOf(said.getValue())
                                                       : model::storageTypeOf(type.getElement())});
  }
  return caches;
}

std::string cachesReport(mlir::ModuleOp plan) {
  std::string text;
  for (auto entry : plan.getOps<plan::EntryOp>()) {
    if (model::kindOf(entry) != model::EntryKind::advance)
      continue;
    std::map<std::string, int> formats;
    int64_t bytes = 0, asFloats = 0, count = 0;
    for (const Cache &cache : cachesOf(entry)) {
      ++count;
      bytes += model::bytesOf(cache.storage, cache.elements);
      asFloats += model::bytesOf(model::StorageType::float32, cache.elements);
      if (cache.storage == model::StorageType::grouped)
        ++formats["int8"];
      else if (cache.storage == model::StorageType::bfloat16)
        ++formats["bf16"];
    }
    std::string kept;
    for (auto &[name, number] : formats)
      kept += fmt::format("{}{} {}", kept.empty() ? "" : ", ", number, name);
    if (!kept.empty())
      text += fmt::format(
          "{}: caches take {:.1f} KB for a position, {:.1f} KB as float32; of {} {}\n",
          model::publicName(entry).str(), double(bytes) / 1e3, double(asFloats) / 1e3, count, kept);
  }
  return text;
}

bool hasRoundedCaches(mlir::ModuleOp plan) {
  return llvm::any_of(plan.getOps<plan::EntryOp>(), [](plan::EntryOp entry) {
    return llvm::any_of(cachesOf(entry), [](const Cache &cache) {
      return cache.storage == model::StorageType::grouped;
    });
  });
}

} // namespace weft
