// Pictures of one size in memory, with their labels.
#ifndef WEFT_RUNTIME_DATA_IMAGES_FORMATS_IMAGESET_H
#define WEFT_RUNTIME_DATA_IMAGES_FORMATS_IMAGESET_H

#include "runtime/base/Error.h"

#include <cstddef>
#include <span>

namespace weft::runtime {

/// How many channels, rows and columns; 0 where any will do.
struct ImageSize {
  int64_t channels = 0, height = 0, width = 0;

  int64_t values() const { return channels * height * width; }
  bool operator==(const ImageSize &) const = default;
};

/// "3 x 32 x 32"
std::string sizeText(const ImageSize &size);

/// A byte for each value, as [image][channel][row][column].
struct ImageSet {
  std::string path; // of the file or folder
  ImageSize size;
  std::vector<uint8_t> pixels;
  std::vector<int32_t> labels;
  std::vector<std::string> files;   // of each image, where each is a file
  std::vector<std::string> classes; // what they are called, where that is known

  int64_t count() const { return static_cast<int64_t>(labels.size()); }
  std::span<const uint8_t> image(int64_t number) const {
    return std::span(pixels).subspan(static_cast<size_t>(number * size.values()),
                                     static_cast<size_t>(size.values()));
  }
  /// "mnist/t10k-images-idx3-ubyte.gz: image 17", counted from 0, or the name of its file.
  std::string name(int64_t number) const;
};

using Bytes = std::span<const std::byte>;

} // namespace weft::runtime
#endif
