// PNG through libpng's simplified interface, which needs no setjmp of ours.
#include "runtime/images/Picture.h"

#include <png.h>

using namespace weft::runtime;

namespace {
/// A reader of libpng, released with it.
struct PngReader {
  png_image image{};
  PngReader() { image.version = PNG_IMAGE_VERSION; }
  ~PngReader() { png_image_free(&image); }
  Error error() const { return {Code::Value, text("is damaged or cut off: %s", image.message)}; }
};
} // namespace

Result<Picture> weft::runtime::decodePng(Bytes bytes, const ImageSize &wanted) {
  PngReader reader;
  png_image &image = reader.image;
  if (!png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()))
    return reader.error();
  bool colours = (image.format & PNG_FORMAT_FLAG_COLOR) != 0;
  Picture picture{{colours ? 3 : 1, image.height, image.width}, {}};
  if (std::optional<Error> wrong = wrongSize(picture.size, wanted, bytes.size()))
    return *wrong;
  image.format = colours ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // 16 bits are what 8 are, finer
  picture.values.resize(static_cast<size_t>(picture.size.values()));
  png_color white{255, 255, 255};
  if (!png_image_finish_read(&image, &white, picture.values.data(), 0, nullptr))
    return reader.error();
  return picture;
}
