// Counting what runs take.
#include "runtime/machine/memory/MemoryUse.h"

#include "runtime/base/Block.h"
#include "runtime/base/Text.h"

#include <algorithm>
#include <unistd.h>
#include <vector>

using namespace weft::runtime;

static const char *nameOf(int kind) {
  static const char *const names[MemoryUse::kinds] = {"program",    "data",
                                                      "parameters", "optimizer states",
                                                      "gradients",  "inputs and results",
                                                      "caches",     "packed weights",
                                                      "work space", "threads' work space"};
  return names[kind];
}

void MemoryUse::add(Kind kind, int64_t count) {
  static const int64_t page = sysconf(_SC_PAGESIZE);
  constexpr int64_t most = int64_t(1) << 60; // that sums do not overflow
  count = std::clamp<int64_t>(count, 0, most);
  bytes[kind] = std::min(most, bytes[kind] + (count + page - 1) / page * page);
}

void MemoryUse::alternate(const MemoryUse &other) {
  for (int kind = 0; kind < kinds; ++kind)
    bytes[kind] =
        kind >= Work ? std::max(bytes[kind], other.bytes[kind]) : bytes[kind] + other.bytes[kind];
}

int64_t MemoryUse::total() const {
  int64_t sum = 0;
  for (int64_t each : bytes)
    if (__builtin_add_overflow(sum, each, &sum))
      return INT64_MAX;
  return sum;
}

std::string MemoryUse::text() const {
  std::vector<int> order;
  for (int kind = 0; kind < kinds; ++kind)
    if (bytes[kind] > 0)
      order.push_back(kind);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return bytes[a] > bytes[b]; });
  std::string out = bytesText(total());
  for (int kind : order)
    out += runtime::text("%s %s %s", kind == order[0] ? ":" : ",", nameOf(kind),
                         bytesText(bytes[kind]).c_str());
  return out;
}

std::string MemoryUse::table(const char *indent) const {
  std::string out;
  for (int kind = 0; kind < kinds; ++kind)
    if (bytes[kind] > 0)
      out += runtime::text("%s%12s  %s\n", indent, bytesText(bytes[kind]).c_str(), nameOf(kind));
  return out + runtime::text("%s%12s  in all\n", indent, bytesText(total()).c_str());
}
