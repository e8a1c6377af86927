// Files, pipes and standard input, line by line.
#include "runtime/base/files/TextLines.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace weft::runtime;

static Status addLines(const std::string &path, std::vector<TextLine> &lines) {
  const std::string name = path == "-" ? "stdin" : path;
  auto error = [&](const char *what) {
    return Error{Code::File, text("%s: %s: %s", name.c_str(), what, strerror(errno))};
  };
  std::unique_ptr<FILE, int (*)(FILE *)> opened(nullptr, fclose);
  if (path != "-" && !(opened.reset(fopen(path.c_str(), "re")), opened))
    return error("cannot be opened");
  FILE *file = opened ? opened.get() : stdin;
  std::string all;
  char buffer[4096];
  errno = 0;
  for (size_t count; (count = fread(buffer, 1, sizeof buffer, file)) > 0;)
    all.append(buffer, count);
  if (ferror(file))
    return error("cannot be read");
  size_t number = 0;
  for (std::string_view rest = all; !rest.empty();) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    lines.push_back({std::string(line), text("%s:%zu", name.c_str(), ++number)});
  }
  return success();
}

Result<std::vector<TextLine>> weft::runtime::readLines(const std::vector<std::string> &paths) {
  if (std::count(paths.begin(), paths.end(), "-") > 1)
    return Error{Code::Usage, "standard input, `-`, is given twice: it can be read once"};
  std::vector<TextLine> lines;
  for (const std::string &path : paths)
    if (Status status = addLines(path, lines); !status)
      return status.error();
  return lines;
}
