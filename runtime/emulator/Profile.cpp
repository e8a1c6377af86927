// Counting what accesses of a warp touch.
#include "runtime/emulator/Profile.h"

#include "runtime/emulator/Cluster.h"

#include <algorithm>

namespace weft::emulator {

constexpr unsigned banks = 32, bankBytes = 4, sectorBytes = 32;

Passes passes(const uintptr_t *addresses, unsigned count, unsigned bytes) {
  Passes result{0, 0};
  unsigned each = bytes <= bankBytes ? 32 : 32 * bankBytes / bytes;
  for (unsigned begin = 0; begin < count; begin += each) {
    // Of each bank, the different words that are wanted of it.
    std::vector<uintptr_t> words;
    for (unsigned i = begin; i < std::min(count, begin + each); ++i)
      for (unsigned part = 0; part < std::max(bytes, bankBytes); part += bankBytes)
        words.push_back((addresses[i] + part) / bankBytes);
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    unsigned perBank[banks] = {}, most = 0;
    for (uintptr_t word : words)
      most = std::max(most, ++perBank[word % banks]);
    result.all += most;
    ++result.least;
  }
  return result;
}

Profile::Profile(Cluster &cluster)
    : cluster(cluster), warps(cluster.grid.cluster * cluster.grid.threads / lanesOfWarp) {}

void Profile::note(const Thread &thread, uintptr_t address, uint32_t bytes, bool writes,
                   bool isShared, uint16_t number) {
  OfWarp &warp = warps[thread.index / lanesOfWarp];
  if (warp.sites.size() <= number)
    warp.sites.resize(number + 1);
  Site &site = warp.sites[number];
  if (site.all.empty())
    warp.used.push_back(number);
  uint32_t which = site.seen[thread.lane()]++;
  if (site.all.size() <= which)
    site.all.resize(which + 1);
  Together &together = site.all[which];
  together.bytes = bytes;
  together.writes = writes;
  together.isShared = isShared;
  together.addresses[together.count++] = address;
}

void Profile::count(const Together &access) {
  Counts &counts = cluster.counts;
  uint64_t bytes = uint64_t(access.bytes) * access.count;
  if (access.isShared) {
    (access.writes ? counts.sharedWrites : counts.sharedReads) += bytes;
    ++counts.sharedAccesses;
    Passes served = passes(access.addresses, access.count, access.bytes);
    counts.conflicts += served.all - served.least;
    return;
  }
  (access.writes ? counts.globalWrites : counts.globalReads) += bytes;
  ++counts.globalAccesses;
  std::vector<uintptr_t> sectors;
  for (unsigned i = 0; i < access.count; ++i)
    for (uintptr_t at = access.addresses[i] / sectorBytes,
                   end = (access.addresses[i] + access.bytes - 1) / sectorBytes;
         at <= end; ++at)
      sectors.push_back(at);
  std::sort(sectors.begin(), sectors.end());
  counts.sectors += std::unique(sectors.begin(), sectors.end()) - sectors.begin();
}

void Profile::flush(Warp &warp) {
  OfWarp &own = warps[warp.threads->index / lanesOfWarp];
  for (uint16_t number : own.used) {
    Site &site = own.sites[number];
    for (const Together &access : site.all)
      count(access);
    site.all.clear();
    std::fill(std::begin(site.seen), std::end(site.seen), 0);
  }
  own.used.clear();
}

void Profile::flush() {
  for (OfWarp &own : warps)
    for (uint16_t number : own.used) {
      for (const Together &access : own.sites[number].all)
        count(access);
      own.sites[number] = Site();
    }
  for (OfWarp &own : warps)
    own.used.clear();
}

} // namespace weft::emulator
