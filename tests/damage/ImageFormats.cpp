// Sets of images, packed and not.
#include "tests/damage/Formats.h"
#include "tests/unit/runtime/data/PackedImages.h"

#include "runtime/data/images/ImageFiles.h"
#include "runtime/data/images/formats/ClassFolders.h"

using namespace weft::runtime;

static std::string use(const std::string &path) {
  Result<ImageFiles> files = findImages(path);
  if (!files)
    return files.error().message;
  Result<ImageSet> set = readImages(files->format, files->train, {}, {});
  if (!set)
    return set.error().message;
  if (static_cast<int64_t>(set->pixels.size()) != set->count() * set->size.values())
    abort();
  uint64_t sum = 0;
  for (int64_t i = 0; i < set->count(); ++i)
    for (uint8_t value : set->image(i))
      sum += value;
  return set->count() > 0 && sum + 1 > 0 ? "" : "nothing in it";
}

static std::vector<uint8_t> pixels(size_t count) {
  std::vector<uint8_t> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<uint8_t>(i * 37 + i / 7);
  return all;
}

static std::string text(const std::vector<uint8_t> &bytes) {
  return {bytes.begin(), bytes.end()};
}

std::vector<Format> imageFormats() {
  using std::string_literals::operator""s;
  const std::string images =
                        "\0\0\x08\x03\0\0\0\x03\0\0\0\x08\0\0\0\x05"s + text(pixels(3 * 8 * 5)),
                    labels = "\0\0\x08\x01\0\0\0\x03\0\x01\x02"s;
  std::string cifar;
  for (char label : {3, 9})
    cifar += std::string(1, label) + text(pixels(3072));
  // what is packed may be a thousand times as large
  constexpr uint64_t packed = 1 << 16;
  return {
      {"idx", "", {{"train-images-idx3-ubyte", images}, {"train-labels-idx1-ubyte", labels}}, use},
      {"idx-gz",
       "",
       {{"train-images-idx3-ubyte.gz", gzipped(images)},
        {"train-labels-idx1-ubyte.gz", gzipped(labels)}},
       use,
       packed},
      {"cifar", "data.bin", {{"data.bin", cifar}}, use},
      {"cifar-gz", "data.bin.gz", {{"data.bin.gz", gzipped(cifar)}}, use, packed},
      {"png",
       "",
       {{"cat/a.png", png(pixels(9 * 7 * 3), 9, 7, 3)}, {"dog/b.png", png(pixels(9 * 7), 9, 7, 1)}},
       use,
       packed},
      {"jpeg",
       "",
       {{"cat/a.jpg", jpeg(pixels(16 * 24 * 3), 16, 24, 3)},
        {"dog/b.jpg", jpeg(pixels(16 * 24), 16, 24, 1)}},
       use,
       packed},
  };
}
