// Any bytes as files of images: refused with a reason, or read into as many values as they have.
#include "runtime/data/images/formats/Cifar.h"
#include "runtime/data/images/formats/Gzip.h"
#include "runtime/data/images/formats/Idx.h"
#include "runtime/data/images/formats/Picture.h"
#include "tests/fuzz/Require.h"

using namespace weft::runtime;

static void checkSet(const Result<ImageSet> &set) {
  if (!set) {
    require(!set.error().message.empty());
    return;
  }
  require(set->count() > 0 && set->size.values() > 0);
  require(static_cast<int64_t>(set->pixels.size()) == set->count() * set->size.values());
  require(set->image(set->count() - 1).size() == static_cast<size_t>(set->size.values()));
}

/// The first byte says which reader; for idx, the second how long the labels at the end are.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  Bytes bytes = std::as_bytes(std::span(data + 2, size - 2));
  switch (data[0] % 4) {
  case 0: {
    size_t labels = std::min<size_t>(data[1], bytes.size());
    checkSet(parseIdx(bytes.first(bytes.size() - labels), "images", bytes.last(labels), "labels"));
    break;
  }
  case 1:
    checkSet(parseCifar(bytes, "cifar"));
    break;
  case 2:
    if (auto unpacked = unpackGzip(bytes, "packed"); !unpacked)
      require(!unpacked.error().message.empty());
    break;
  default:
    ImageSize wanted = data[1] == 0 ? ImageSize{} : ImageSize{3, data[1], data[1]};
    auto picture = decodePicture(bytes, wanted);
    if (!picture) {
      require(!picture.error().message.empty());
      break;
    }
    require(static_cast<int64_t>(picture->values.size()) == picture->size.values());
    require(data[1] == 0 || picture->size.height == wanted.height);
    std::vector<uint8_t> planes;
    appendPlanes(*picture, 3, planes);
    require(static_cast<int64_t>(planes.size()) == 3 * picture->size.height * picture->size.width);
  }
  return 0;
}
