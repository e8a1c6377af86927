// Names of images and sizes, for people.
#include "runtime/data/images/formats/ImageSet.h"

using namespace weft::runtime;

std::string weft::runtime::sizeText(const ImageSize &size) {
  std::string out;
  for (int64_t number : {size.channels, size.height, size.width})
    out += (out.empty() ? "" : " x ") + (number > 0 ? text("%lld", wide(number)) : "any");
  return out;
}

std::string ImageSet::name(int64_t number) const {
  return files.empty() ? text("%s: image %lld", path.c_str(), wide(number))
                       : files[static_cast<size_t>(number)];
}
