// Files and standard input, line by line.
#include "runtime/base/files/TextLines.h"

#include "runtime/base/files/InputFile.h"

#include <algorithm>
#include <cstdio>

using namespace weft::runtime;

Result<std::vector<TextLine>> weft::runtime::readLines(const std::string &path) {
  bool isStandard = path == "-";
  std::string all;
  if (isStandard) {
    char buffer[4096];
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, stdin)) > 0;)
      all.append(buffer, count);
  } else {
    Result<WholeFile> file = WholeFile::read(path);
    if (!file)
      return file.error();
    all = file->view();
  }
  std::vector<TextLine> lines;
  for (std::string_view rest = all; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back(
        {std::string(line), text("%s:%zu", isStandard ? "stdin" : path.c_str(), lines.size() + 1)});
  }
  return lines;
}
