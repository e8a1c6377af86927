// Normalizing, mirroring, cropping.
#include "runtime/data/images/Augmentation.h"

#include "runtime/base/Philox.h"

using namespace weft::runtime;

Result<Normalization> Normalization::create(const std::vector<double> &means,
                                            const std::vector<double> &deviations,
                                            int64_t channels) {
  for (auto [name, list] : {std::pair{"mean", &means}, {"std", &deviations}})
    if (list->size() != 1 && static_cast<int64_t>(list->size()) != channels)
      return Error{Code::Usage, text("--%s: has %zu numbers; the images have %lld channels", name,
                                     list->size(), wide(channels))};
  auto of = [](const std::vector<double> &list, int64_t channel) {
    return list.size() == 1 ? list[0] : list[static_cast<size_t>(channel)];
  };
  Normalization made;
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int byte = 0; byte < 256; ++byte)
      made.values.push_back(
          static_cast<float>((byte / 255.0 - of(means, channel)) / of(deviations, channel)));
  return made;
}

Placement Augmentation::draw(uint64_t seed, uint64_t epoch, uint64_t image) const {
  RandomStream stream(seed, streamNamed("data.augment") + epoch);
  auto places = static_cast<uint64_t>(2 * crop + 1);
  auto shift = [&](uint64_t index) {
    return static_cast<int64_t>(stream.below(places, index)) - crop;
  };
  return {flip && (stream.at(3 * image)[0] & 1) != 0, shift(3 * image + 1), shift(3 * image + 2)};
}

void weft::runtime::writeImage(std::span<const uint8_t> image, const ImageSize &size,
                               const Normalization &normalization, const Placement &placement,
                               float *into) {
  const uint8_t *plane = image.data();
  for (int64_t channel = 0; channel < size.channels; ++channel) {
    const float *values = normalization.channel(channel);
    for (int64_t row = 0; row < size.height; ++row) {
      int64_t from = row + placement.down;
      bool inside = from >= 0 && from < size.height;
      for (int64_t column = 0; column < size.width; ++column) {
        int64_t at = column + placement.right;
        bool there = inside && at >= 0 && at < size.width;
        int64_t source = placement.mirrored ? size.width - 1 - at : at;
        *into++ = values[there ? plane[from * size.width + source] : 0];
      }
    }
    plane += size.height * size.width;
  }
}
