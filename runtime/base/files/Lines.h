// Small files of the kernel, in /proc and /sys.
#ifndef WEFT_RUNTIME_BASE_FILES_LINES_H
#define WEFT_RUNTIME_BASE_FILES_LINES_H

#include <string>
#include <vector>

namespace weft::runtime {

/// Without the line breaks, and whatever their length; none if there is no such file. Such a file
/// has no size, so it is read to its end.
std::vector<std::string> linesOf(const std::string &path);

} // namespace weft::runtime
#endif
