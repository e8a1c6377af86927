// What the decoders share: which one it is, sizes, channels.
#include "runtime/data/images/formats/Picture.h"

#include <cstring>

using namespace weft::runtime;

Result<Picture> weft::runtime::decodePicture(Bytes bytes, const ImageSize &wanted) {
  auto begins = [&](std::string_view magic) {
    return bytes.size() >= magic.size() && memcmp(bytes.data(), magic.data(), magic.size()) == 0;
  };
  if (begins("\x89PNG\r\n\x1a\n"))
    return decodePng(bytes, wanted);
  if (begins("\xff\xd8\xff"))
    return decodeJpeg(bytes, wanted);
  return Error{Code::Type, bytes.empty() ? "is empty" : "is neither PNG nor JPEG"};
}

std::optional<Error> weft::runtime::wrongSize(const ImageSize &found, const ImageSize &wanted,
                                              size_t bytes) {
  constexpr int64_t mostPixels = int64_t(1) << 26;
  bool same = (wanted.height == 0 || found.height == wanted.height) &&
              (wanted.width == 0 || found.width == wanted.width);
  if (!same)
    return Error{Code::Size,
                 text("is %lld x %lld (height x width), expected %lld x %lld; Weft does "
                      "not resize images",
                      wide(found.height), wide(found.width), wide(wanted.height),
                      wide(wanted.width))};
  if (found.height * found.width > mostPixels)
    return Error{Code::Size, text("is %lld x %lld: more than 2^26 pixels", wide(found.height),
                                  wide(found.width))};
  // deflate packs 1032 bytes of 8 one-bit pixels into one (zlib's documentation), and the bits of
  // JPEG stand for at most a block of 64 pixels each: memory stays in proportion to the file
  constexpr uint64_t mostOfAByte = 1032 * 8;
  if (static_cast<uint64_t>(found.height * found.width) > mostOfAByte * bytes)
    return Error{Code::Value, text("is damaged or cut off: it says %lld x %lld, and has %zu bytes",
                                   wide(found.height), wide(found.width), bytes)};
  return std::nullopt;
}

void weft::runtime::appendPlanes(const Picture &picture, int64_t channels,
                                 std::vector<uint8_t> &pixels) {
  int64_t there = picture.size.channels, count = picture.size.height * picture.size.width;
  const uint8_t *values = picture.values.data();
  for (int64_t channel = 0; channel < channels; ++channel)
    for (int64_t i = 0; i < count; ++i) {
      const uint8_t *pixel = values + i * there;
      bool luma = channels == 1 && there == 3;
      // 0.299, 0.587, 0.114 of 65536, as libjpeg has them
      pixels.push_back(
          luma ? static_cast<uint8_t>(
                     (19595u * pixel[0] + 38470u * pixel[1] + 7471u * pixel[2] + 32768u) >> 16)
               : pixel[there == 1 ? 0 : channel]);
    }
}
