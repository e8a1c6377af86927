// PNG through libpng. Its simplified interface would be shorter, but mixes up the rows of pictures
// that are interlaced and have 16 bits (libpng 1.6.39), and lays transparent pixels on white in
// linear light: decision 20.
#include "runtime/data/images/formats/Picture.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <png.h>

using namespace weft::runtime;

namespace {
/// The state of a decoding. Of trivial types only, because it is left by longjmp.
struct PngDecoding {
  png_structp decoder;
  png_infop info;
  const char *next; // of the file
  size_t left;
  char message[128];
};
} // namespace

[[noreturn]] static void fail(png_structp decoder, png_const_charp message) {
  auto *work = static_cast<PngDecoding *>(png_get_error_ptr(decoder));
  snprintf(work->message, sizeof work->message, "%s", message);
  png_longjmp(decoder, 1);
}

/// What libpng can do without: text chunks that are damaged, profiles that are odd.
static void pass(png_structp, png_const_charp) {}

static void take(png_structp decoder, png_bytep into, size_t count) {
  auto *work = static_cast<PngDecoding *>(png_get_io_ptr(decoder));
  if (count > work->left)
    png_error(decoder, "read beyond end of data");
  std::copy_n(work->next, count, into);
  work->next += count;
  work->left -= count;
}

/// Reads up to the pixels, which come as 8 bits of grey or of colours, with alpha if there is some;
/// false on failure.
static bool begin(PngDecoding &work) {
  work.decoder = png_create_read_struct(PNG_LIBPNG_VER_STRING, &work, fail, pass);
  work.info = work.decoder ? png_create_info_struct(work.decoder) : nullptr;
  if (!work.info)
    return false;
  if (setjmp(png_jmpbuf(work.decoder)))
    return false;
  png_set_read_fn(work.decoder, &work, take);
  png_read_info(work.decoder, work.info);
  png_set_expand(work.decoder); // palettes, less than 8 bits, a transparent colour
  png_set_scale_16(work.decoder);
  png_set_interlace_handling(work.decoder);
  png_read_update_info(work.decoder, work.info);
  return true;
}

/// Decodes into rows; false on failure.
static bool finish(PngDecoding &work, png_bytepp rows) {
  if (setjmp(png_jmpbuf(work.decoder)))
    return false;
  png_read_image(work.decoder, rows);
  return true;
}

/// Values without alpha: what is transparent lies on white, and shows as much of it as its alpha
/// says, in the numbers of the file, as browsers do.
static std::vector<uint8_t> onWhite(const std::vector<uint8_t> &values, size_t channels) {
  std::vector<uint8_t> result;
  result.reserve(values.size() / (channels + 1) * channels);
  for (size_t pixel = 0; pixel < values.size(); pixel += channels + 1) {
    unsigned alpha = values[pixel + channels];
    for (size_t i = 0; i < channels; ++i)
      result.push_back(
          static_cast<uint8_t>((values[pixel + i] * alpha + 255 * (255 - alpha) + 127) / 255));
  }
  return result;
}

Result<Picture> weft::runtime::decodePng(Bytes bytes, const ImageSize &wanted) {
  PngDecoding work{};
  work.next = reinterpret_cast<const char *>(bytes.data());
  work.left = bytes.size();
  Picture picture;
  std::optional<Error> wrong;
  bool read = begin(work);
  if (read) {
    unsigned kind = png_get_color_type(work.decoder, work.info);
    picture.size = {kind & PNG_COLOR_MASK_COLOR ? 3 : 1,
                    png_get_image_height(work.decoder, work.info),
                    png_get_image_width(work.decoder, work.info)};
    wrong = wrongSize(picture.size, wanted, bytes.size());
    if (!wrong) {
      size_t rowBytes = png_get_rowbytes(work.decoder, work.info);
      auto height = static_cast<size_t>(picture.size.height);
      picture.values.resize(rowBytes * height);
      std::vector<png_bytep> rows;
      for (size_t row = 0; row < height; ++row)
        rows.push_back(picture.values.data() + row * rowBytes);
      read = finish(work, rows.data());
      if (read && kind & PNG_COLOR_MASK_ALPHA)
        picture.values = onWhite(picture.values, static_cast<size_t>(picture.size.channels));
    }
  }
  if (!work.info)
    wrong = Error{Code::Memory, "no memory to read it"};
  else if (!read)
    wrong = Error{Code::Value, text("is damaged or cut off: %s", work.message)};
  png_destroy_read_struct(&work.decoder, &work.info, nullptr);
  if (wrong)
    return *wrong;
  return picture;
}
