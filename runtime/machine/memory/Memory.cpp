// /proc/self/statm, getrusage, /proc/meminfo and control groups.
#include "runtime/machine/memory/Memory.h"

#include "runtime/machine/ControlGroup.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sys/resource.h>
#include <unistd.h>

using namespace weft::runtime;

using File = std::unique_ptr<FILE, int (*)(FILE *)>;

int64_t weft::runtime::residentBytes() {
  File file(fopen("/proc/self/statm", "re"), fclose);
  long long all = 0, resident = 0;
  bool known = file && fscanf(file.get(), "%lld %lld", &all, &resident) == 2;
  return known ? resident * sysconf(_SC_PAGESIZE) : mostResidentBytes();
}

int64_t weft::runtime::mostResidentBytes() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss * int64_t(1024) : 0;
}

/// Memory and swap of the machine, in bytes; 0 where nothing says so.
static int64_t machineMemory(const std::string &root) {
  File file(fopen((root + "/proc/meminfo").c_str(), "re"), fclose);
  char line[256];
  int64_t bytes = 0;
  while (file && fgets(line, sizeof line, file.get())) {
    long long kilobytes = 0;
    if (sscanf(line, "MemTotal: %lld kB", &kilobytes) == 1 ||
        sscanf(line, "SwapTotal: %lld kB", &kilobytes) == 1)
      bytes += kilobytes * 1024;
  }
  return bytes;
}

MemoryGrant weft::runtime::memoryGrant(const std::string &root) {
  MemoryGrant grant{INT64_MAX, "this machine"};
  auto limit = [&](int64_t bytes, const char *by) {
    if (bytes > 0 && bytes < grant.bytes)
      grant = {bytes, by};
  };
  limit(machineMemory(root), "this machine");
  limit(memoryOfControlGroups(root), "its control group");
  if (const char *given = getenv("WEFT_MEMORY"); given && *given) {
    char *end = nullptr;
    int64_t bytes = strtoll(given, &end, 10);
    if (*end || bytes < 1) // of `8G` a run must not take 8 bytes to be meant, or no limit
      return {0, "WEFT_MEMORY, which takes a number of bytes as 2000000000,"};
    limit(bytes, "WEFT_MEMORY");
  }
  return grant;
}
