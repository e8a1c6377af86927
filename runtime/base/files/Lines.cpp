// Reading to the end.
#include "runtime/base/files/Lines.h"

#include <algorithm>
#include <cstdio>
#include <memory>

using namespace weft::runtime;

std::vector<std::string> weft::runtime::linesOf(const std::string &path) {
  std::unique_ptr<FILE, int (*)(FILE *)> file(fopen(path.c_str(), "re"), fclose);
  std::string all;
  char piece[4096];
  for (size_t count; file && (count = fread(piece, 1, sizeof piece, file.get())) > 0;)
    all.append(piece, count);
  std::vector<std::string> lines;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = std::min(all.find('\n', begin), all.size());
    lines.push_back(all.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}
