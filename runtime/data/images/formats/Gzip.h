// Whole files, unpacked where they are gzip.
#ifndef WEFT_RUNTIME_DATA_IMAGES_FORMATS_GZIP_H
#define WEFT_RUNTIME_DATA_IMAGES_FORMATS_GZIP_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// What gzip packed; several members follow each other (RFC 1952). `path` is for errors: bytes that
/// are no gzip, cut off, or do not match their checksum.
Result<std::vector<std::byte>> unpackGzip(Bytes packed, const std::string &path);

/// The contents of a file, unpacked if it is gzip.
Result<std::vector<std::byte>> readUnpacked(const std::string &path);

} // namespace weft::runtime
#endif
