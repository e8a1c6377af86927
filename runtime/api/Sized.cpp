// What may be wrong with the size of a structure.
#include "runtime/api/Sized.h"

using namespace weft::runtime;

Status weft::runtime::checkSize(const char *name, size_t size, size_t least) {
  constexpr size_t most = 4096; // more is no structure, but memory that nobody has filled in
  if (size >= least && size <= most)
    return success();
  return Error{Code::Usage,
               text("`%s` begins with its size: %zu makes no sense, expected %zu (sizeof) or more",
                    name, size, least)};
}

Status weft::runtime::checkTail(const char *name, const void *given, size_t known, size_t size) {
  auto *bytes = static_cast<const char *>(given);
  for (size_t i = known; i < size; ++i)
    if (bytes[i])
      return Error{Code::Usage, text("`%s` has something set at byte %zu, which a later version of "
                                     "weft.h than the library's has added",
                                     name, i)};
  return success();
}
