// A file of lines, each of which is one thing: a sentence, a prompt.
#ifndef WEFT_RUNTIME_BASE_FILES_TEXTLINES_H
#define WEFT_RUNTIME_BASE_FILES_TEXTLINES_H

#include "runtime/base/Error.h"

#include <vector>

namespace weft::runtime {

struct TextLine {
  std::string text;   // without what ends it, "\n" or "\r\n"
  std::string origin; // "FILE:3"
};

/// All lines of files and pipes, in order, a last one also where nothing ends it; "-" is standard
/// input, which can be read once.
Result<std::vector<TextLine>> readLines(const std::vector<std::string> &paths);

} // namespace weft::runtime
#endif
