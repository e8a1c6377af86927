// Images become floats: normalized, and in training mirrored and shifted by chance.
#ifndef WEFT_RUNTIME_DATA_IMAGES_AUGMENTATION_H
#define WEFT_RUNTIME_DATA_IMAGES_AUGMENTATION_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// `(byte / 255 - mean) / deviation`, for each channel, by a table.
class Normalization {
public:
  /// A number for each channel, or one for all. Errors of usage: other counts.
  static Result<Normalization> create(const std::vector<double> &means,
                                      const std::vector<double> &deviations, int64_t channels);
  /// 256 values.
  const float *channel(int64_t number) const { return values.data() + number * 256; }

private:
  std::vector<float> values;
};

/// Where an image is taken from: as it is, or mirrored, or moved inside a black border.
struct Placement {
  bool mirrored = false;
  int64_t down = 0, right = 0; // the first row and column taken; negative ones lie in the border
};

/// What chance may do to an image in training.
struct Augmentation {
  bool flip = false; // mirror half of the images
  int64_t crop = 0; // lay a black border of this width around, and cut the size out again somewhere

  /// A function of seed, epoch and image alone.
  Placement draw(uint64_t seed, uint64_t epoch, uint64_t image) const;
};

/// Writes an image as floats, [channel][row][column].
void writeImage(std::span<const uint8_t> image, const ImageSize &size,
                const Normalization &normalization, const Placement &placement, float *into);

} // namespace weft::runtime
#endif
