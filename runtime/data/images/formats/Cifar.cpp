// Reading CIFAR-10.
#include "runtime/data/images/formats/Cifar.h"

#include "runtime/data/images/formats/Gzip.h"

using namespace weft::runtime;

static constexpr ImageSize cifarSize{3, 32, 32};
static constexpr size_t record = 1 + 3 * 32 * 32;

Result<ImageSet> weft::runtime::parseCifar(Bytes bytes, const std::string &path) {
  if (bytes.empty())
    return Error{Code::Value, text("%s: holds no images", path.c_str())};
  if (bytes.size() % record != 0)
    return Error{Code::Value,
                 text("%s: is no file of CIFAR-10, or cut off: record %zu has %zu bytes of %zu",
                      path.c_str(), bytes.size() / record, bytes.size() % record, record)};
  ImageSet set{.path = path,
               .size = cifarSize,
               .pixels = {},
               .labels = {},
               .files = {},
               .classes = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse",
                           "ship", "truck"}};
  set.pixels.reserve(bytes.size());
  const auto *at = reinterpret_cast<const uint8_t *>(bytes.data()), *end = at + bytes.size();
  for (; at != end; at += record) {
    if (*at > 9)
      return Error{Code::Value,
                   text("%s: record %lld has the label %d; those of CIFAR-10 are 0 to 9",
                        path.c_str(), wide(set.count()), *at)};
    set.labels.push_back(*at);
    set.pixels.insert(set.pixels.end(), at + 1, at + record);
  }
  return set;
}

Result<ImageSet> weft::runtime::readCifar(const std::string &path) {
  Result<std::vector<std::byte>> bytes = readUnpacked(path);
  if (!bytes)
    return bytes.error();
  return parseCifar(*bytes, path);
}
