// What a path to images holds: which format, and which files are to train on, to validate and to
// test.
#ifndef WEFT_RUNTIME_DATA_IMAGES_IMAGEFILES_H
#define WEFT_RUNTIME_DATA_IMAGES_IMAGEFILES_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// Files or folders of each part, none where it is not there by itself. A path without parts, such
/// as a single file, has everything in `train`.
struct ImageFiles {
  enum class Format { Idx, Cifar, Folders };
  Format format;
  std::vector<std::string> train, validation, test;
  std::vector<std::string> packed = {}; // left out, because they are there unpacked too
};

/// Looks at names only. A folder is MNIST's (`train-images-idx3-ubyte`, `t10k-images-idx3-ubyte`,
/// with .gz or without), CIFAR-10's (`data_batch_1.bin`, …, `test_batch.bin`), has the folders
/// `train` and perhaps `validation` (or `val`) and `test` with a folder for each class inside, or
/// has those folders itself. A file is idx or CIFAR-10. Anything else is an error that lists these.
Result<ImageFiles> findImages(const std::string &path);

/// Reads a part, all of whose images have the size `wanted`, or one of their own where that has
/// zeros. `classes` are the names of 0, 1, … where folders have to go by them.
Result<ImageSet> readImages(ImageFiles::Format format, const std::vector<std::string> &files,
                            const ImageSize &wanted, const std::vector<std::string> &classes = {});

} // namespace weft::runtime
#endif
