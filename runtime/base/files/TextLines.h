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

/// All lines of a file, the last one also where nothing ends it; "-" is standard input.
Result<std::vector<TextLine>> readLines(const std::string &path);

} // namespace weft::runtime
#endif
