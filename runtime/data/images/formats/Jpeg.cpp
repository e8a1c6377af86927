// JPEG through libjpeg-turbo.
#include "runtime/data/images/formats/Picture.h"

#include <csetjmp>
#include <cstdio>
#include <jpeglib.h>

using namespace weft::runtime;

namespace {
/// What libjpeg calls when something is wrong. It does not return: the decoding is left by
/// longjmp.
struct JpegFailure {
  jpeg_error_mgr calls; // first: libjpeg hands out its address
  jmp_buf leave;
  char message[JMSG_LENGTH_MAX];
};

/// The state of a decoding. Of trivial types only, because it is left by longjmp.
struct JpegDecoding {
  JpegFailure failure;
  jpeg_decompress_struct decoder;
};
} // namespace

[[noreturn]] static void fail(j_common_ptr state) {
  auto *failure = reinterpret_cast<JpegFailure *>(state->err);
  state->err->format_message(state, failure->message);
  longjmp(failure->leave, 1);
}

/// Level -1 is a warning: damaged data, which libjpeg would fill with grey.
static void note(j_common_ptr state, int level) {
  if (level < 0)
    fail(state);
}

/// Four inks, of which nobody can say the colours without a profile of the press.
static bool isForPrint(const JpegDecoding &work) {
  return work.decoder.jpeg_color_space == JCS_CMYK || work.decoder.jpeg_color_space == JCS_YCCK;
}

/// Reads up to the size; false on failure.
static bool begin(JpegDecoding &work, Bytes bytes) {
  work.decoder.err = jpeg_std_error(&work.failure.calls);
  work.failure.calls.error_exit = fail;
  work.failure.calls.emit_message = note;
  if (setjmp(work.failure.leave))
    return false;
  jpeg_create_decompress(&work.decoder);
  jpeg_mem_src(&work.decoder, reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size());
  jpeg_read_header(&work.decoder, TRUE);
  work.decoder.out_color_space =
      work.decoder.jpeg_color_space == JCS_GRAYSCALE ? JCS_GRAYSCALE : JCS_RGB;
  return true;
}

/// Decodes into `values`; false on failure.
static bool finish(JpegDecoding &work, uint8_t *values, size_t rowBytes) {
  if (setjmp(work.failure.leave))
    return false;
  jpeg_start_decompress(&work.decoder);
  while (work.decoder.output_scanline < work.decoder.output_height) {
    JSAMPROW row = values + work.decoder.output_scanline * rowBytes;
    jpeg_read_scanlines(&work.decoder, &row, 1);
  }
  jpeg_finish_decompress(&work.decoder);
  return true;
}

Result<Picture> weft::runtime::decodeJpeg(Bytes bytes, const ImageSize &wanted) {
  JpegDecoding work{};
  Picture picture;
  std::optional<Error> wrong;
  if (!begin(work, bytes)) {
    wrong = Error{Code::Value, text("is damaged or cut off: %s", work.failure.message)};
  } else if (isForPrint(work)) {
    wrong = Error{Code::Value, "has the inks of a press (CMYK), expected grey or RGB: convert it"};
  } else {
    bool colours = work.decoder.out_color_space == JCS_RGB;
    picture.size = {colours ? 3 : 1, work.decoder.image_height, work.decoder.image_width};
    wrong = wrongSize(picture.size, wanted, bytes.size());
    if (!wrong) {
      picture.values.resize(static_cast<size_t>(picture.size.values()));
      auto rowBytes = static_cast<size_t>(picture.size.width * picture.size.channels);
      if (!finish(work, picture.values.data(), rowBytes))
        wrong = Error{Code::Value, text("is damaged or cut off: %s", work.failure.message)};
    }
  }
  jpeg_destroy_decompress(&work.decoder);
  return wrong ? Result<Picture>(*wrong) : Result<Picture>(std::move(picture));
}
