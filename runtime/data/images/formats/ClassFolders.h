// Pictures sorted into folders by class: `train/cat/01.png`.
#ifndef WEFT_RUNTIME_DATA_IMAGES_FORMATS_CLASSFOLDERS_H
#define WEFT_RUNTIME_DATA_IMAGES_FORMATS_CLASSFOLDERS_H

#include "runtime/data/images/formats/ImageSet.h"

namespace weft::runtime {

/// Reads every .png, .jpg and .jpeg of the folders in `path`. A folder is a class, whose number is
/// its place in `classes`: not every class need be there, but no other. Where `classes` is empty
/// they are the folders in the order of their names. All images have the size `wanted`, or where
/// that has zeros, that of the first. Errors name the file.
Result<ImageSet> readClassFolders(const std::string &path, const ImageSize &wanted,
                                  std::vector<std::string> classes);

/// The folders in a folder, sorted, but for hidden ones.
std::vector<std::string> foldersIn(const std::string &path);

} // namespace weft::runtime
#endif
