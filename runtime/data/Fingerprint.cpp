// The end of a fingerprint: the lanes are joined, and every bit of them reaches every bit.
#include "runtime/data/Fingerprint.h"

#include "runtime/base/Text.h"

using namespace weft::runtime;

std::string Fingerprint::text() const {
  uint64_t hash = 0;
  for (uint64_t lane : lanes) {
    hash = (hash ^ lane) * first;
    hash = (hash ^ hash >> 33) * second;
    hash ^= hash >> 29;
  }
  return runtime::text("2:%016llx", static_cast<unsigned long long>(hash));
}
