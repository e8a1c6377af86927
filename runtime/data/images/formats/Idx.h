// The files of MNIST: a header of sizes, then bytes. Source: LeCun, Cortes, Burges, "The MNIST
// database".
#ifndef WEFT_RUNTIME_DATA_IMAGES_FORMATS_IDX_H
#define WEFT_RUNTIME_DATA_IMAGES_FORMATS_IDX_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// Images and labels from the bytes of their two files, whose paths are for errors: a header of
/// something else, other bytes than it says, other counts, no images.
Result<ImageSet> parseIdx(Bytes images, const std::string &imagesPath, Bytes labels,
                          const std::string &labelsPath);

/// Reads `…images-idx3-ubyte` and the labels beside it, `…labels-idx1-ubyte`; either may be gzip
/// (`.gz`).
Result<ImageSet> readIdx(const std::string &imagesPath);

} // namespace weft::runtime
#endif
