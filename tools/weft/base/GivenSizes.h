// --size: sizes of what comes with the data.
#ifndef WEFT_TOOLS_WEFT_BASE_GIVENSIZES_H
#define WEFT_TOOLS_WEFT_BASE_GIVENSIZES_H

#include "tools/weft/base/Options.h"

#include <map>
#include <optional>

namespace weft {

/// Reads a list `batch=4,seq=64` into `sizes`, or gives what is wrong with it.
std::optional<std::string> readSizeList(const std::string &list,
                                        std::map<std::string, int64_t> &sizes);

/// Reads `--size batch=4,seq=64` into `sizes`, or gives what is wrong with it.
std::optional<std::string> readSizes(const Arguments &arguments,
                                     std::map<std::string, int64_t> &sizes);

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_GIVENSIZES_H
