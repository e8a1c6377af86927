// The binary files of CIFAR-10: records of a label and 3 x 32 x 32 bytes. Source: Krizhevsky, "The
// CIFAR-10 dataset".
#ifndef WEFT_RUNTIME_DATA_IMAGES_FORMATS_CIFAR_H
#define WEFT_RUNTIME_DATA_IMAGES_FORMATS_CIFAR_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// Errors: no record, one that is cut off, a label above 9.
Result<ImageSet> parseCifar(Bytes bytes, const std::string &path);

/// Reads a file, which may be gzip.
Result<ImageSet> readCifar(const std::string &path);

} // namespace weft::runtime
#endif
