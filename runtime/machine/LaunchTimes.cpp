// Noting launches.
#include "runtime/machine/LaunchTimes.h"

#include <algorithm>

using namespace weft::runtime;

size_t LaunchTimes::noted(const int64_t *of) {
  if (sizes.empty() || !std::equal(sizes.back().begin(), sizes.back().end(), of))
    sizes.emplace_back(of, of + dimensions);
  return sizes.size() - 1;
}

void LaunchTimes::clear() {
  all.clear();
  for (std::vector<Chunk> &each : chunks)
    each.clear();
  sizes.clear();
}
