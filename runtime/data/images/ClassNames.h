// What the classes of a set of images are called, the same in all its parts and beside the weights.
#ifndef WEFT_RUNTIME_DATA_IMAGES_CLASSNAMES_H
#define WEFT_RUNTIME_DATA_IMAGES_CLASSNAMES_H

#include "runtime/data/OpenData.h"
#include "runtime/data/images/ImageFiles.h"

namespace weft::runtime {

/// The names of the classes 0, 1, …: those that the weights were trained with, or else the folders
/// to train on (or what there is). None where classes are not folders. A part may lack some, but
/// has no other: the error names both folders and the classes. `count` is how many the model has.
Result<std::vector<std::string>> classNames(const ImageFiles &files, const DataRequest &request,
                                            int64_t count);

} // namespace weft::runtime
#endif
