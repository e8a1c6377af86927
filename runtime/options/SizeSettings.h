// Sizes on the command line: `--set seq=12,batch=2`.
#ifndef WEFT_RUNTIME_OPTIONS_SIZESETTINGS_H
#define WEFT_RUNTIME_OPTIONS_SIZESETTINGS_H

#include "runtime/options/Options.h"

namespace weft::runtime {

struct SizeSetting {
  std::string dimension;
  int64_t size;
};

/// Reads every DIM=N of an option, in order; sizes are from `least` to the largest int32. Errors
/// (Usage): not of that form, or a dimension that comes twice.
Result<std::vector<SizeSetting>> readSizeSettings(const Options &options,
                                                  const char *option = "set", int64_t least = 1);

} // namespace weft::runtime
#endif
