// Where a library lies.
#ifndef WEFT_RUNTIME_API_OWNFILE_H
#define WEFT_RUNTIME_API_OWNFILE_H

#include <string>

namespace weft::runtime {

/// The path of the file that is mapped at `address`, from the root on, wherever the process stands
/// by now: the loader knows it as it was asked for it. "" if none is.
std::string fileMappedAt(const void *address);

} // namespace weft::runtime
#endif
