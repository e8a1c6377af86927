// Counts the bytes of caches.
#include "tools/weft/weights/CachesReport.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"

#include <fmt/format.h>

namespace weft {

namespace {
/// A cache of a decoding: its elements for one position of one text, and how they are stored.
struct Cache {
  int64_t elements;
  model::StorageType storage;
  bool grows; ///< it has a row for each position
};
} // namespace

static std::vector<Cache> cachesOf(mlir::ModuleOp plan, model::DecodingOp decoding) {
  auto entry = plan.lookupSymbol<plan::EntryOp>(decoding.getAdvance().value_or(""));
  std::vector<Cache> caches;
  if (!entry)
    return caches;
  model::Dims dims(plan);
  for (auto input : entry.getInputs().getAsRange<mlir::DictionaryAttr>()) {
    if (!input.contains(model::attr::cache))
      continue;
    auto type = llvm::cast<model::NamedTensorType>(input.getAs<mlir::TypeAttr>("type").getValue());
    auto said = input.getAs<mlir::TypeAttr>(model::attr::storage);
    // Sizes that come with the data are positions and texts.
    Size one = dims.size(type.getDims()).substitute([](const std::string &) {
      return std::optional(Size::number(1));
    });
    caches.push_back(
        {one.constant().value_or(0),
         said ? model::narrowStorageOf(said.getValue()) : model::storageTypeOf(type.getElement()),
         type.has(decoding.getCapacityAttr())});
  }
  return caches;
}

static std::string bytesSaid(int64_t bytes) {
  return bytes < 1000 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} KB", double(bytes) / 1e3);
}

static std::optional<model::StorageType> storageOf(model::CacheFormat format) {
  if (format == model::CacheFormat::float32)
    return std::nullopt;
  return format == model::CacheFormat::int8 ? model::StorageType::grouped
                                            : model::StorageType::bfloat16;
}

std::string cachesReport(mlir::ModuleOp plan) {
  std::string text;
  for (auto decoding : plan.getOps<model::DecodingOp>()) {
    std::vector<Cache> caches = cachesOf(plan, decoding);
    int64_t bytes = 0, asFloats = 0;
    for (const Cache &cache : caches)
      if (cache.grows) {
        bytes += model::bytesOf(cache.storage, cache.elements);
        asFloats += model::bytesOf(model::StorageType::float32, cache.elements);
      }
    std::string kept;
    for (model::CacheFormat format : {model::CacheFormat::int8, model::CacheFormat::bf16})
      if (auto count = llvm::count_if(
              caches, [&](const Cache &cache) { return cache.storage == storageOf(format); }))
        kept += fmt::format("{}{} of {} as {}", kept.empty() ? "" : ", ", count, caches.size(),
                            model::cacheFormats[unsigned(format)]);
    if (!kept.empty())
      text += fmt::format("{}: caches take {} a position, {} as float32 ({})\n",
                          decoding.getName().str(), bytesSaid(bytes), bytesSaid(asFloats), kept);
  }
  return text;
}

bool keepsCachesAs(mlir::ModuleOp plan, model::CacheFormat format) {
  return llvm::any_of(plan.getOps<model::DecodingOp>(), [&](model::DecodingOp decoding) {
    return llvm::any_of(cachesOf(plan, decoding),
                        [&](const Cache &cache) { return cache.storage == storageOf(format); });
  });
}

} // namespace weft
