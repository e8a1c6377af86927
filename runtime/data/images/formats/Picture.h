// One decoded picture file: PNG through libpng, JPEG through libjpeg-turbo.
#ifndef WEFT_RUNTIME_DATA_IMAGES_FORMATS_PICTURE_H
#define WEFT_RUNTIME_DATA_IMAGES_FORMATS_PICTURE_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// The values of a picture of `size.channels` channels (1 grey, 3 red, green, blue), as
/// [row][column][channel]: as decoders give them.
struct Picture {
  ImageSize size;
  std::vector<uint8_t> values;
};

/// Errors say what is wrong, without the file's name: neither PNG nor JPEG, damaged, cut off, or of
/// another height or width than `wanted` has (0: any), which is found out before it is decoded.
/// Transparent pixels are laid on white; 16 bits become 8.
Result<Picture> decodePicture(Bytes bytes, const ImageSize &wanted);

Result<Picture> decodePng(Bytes bytes, const ImageSize &wanted);
Result<Picture> decodeJpeg(Bytes bytes, const ImageSize &wanted);

/// A size that is too large to be meant, more than a file of `bytes` can hold, or not as wanted;
/// nothing if it is fine.
std::optional<Error> wrongSize(const ImageSize &found, const ImageSize &wanted, size_t bytes);

/// Appends a picture as [channel][row][column]; grey becomes three equal channels, colours their
/// luma as in JPEG (ITU-R BT.601).
void appendPlanes(const Picture &picture, int64_t channels, std::vector<uint8_t> &pixels);

} // namespace weft::runtime
#endif
