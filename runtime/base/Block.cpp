// Memory by mmap; blocks of more than a huge page ask for huge pages.
#include "runtime/base/Block.h"

#include "runtime/base/Nodes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace weft::runtime;

static constexpr int64_t hugePage = int64_t(2) << 20;

std::string weft::runtime::bytesText(int64_t bytes) {
  auto size = static_cast<double>(bytes);
  return bytes < 0     ? "more bytes than can be counted"
         : size < 1e9  ? text("%.1f MB", size / 1e6)
         : size < 1e12 ? text("%.1f GB", size / 1e9)
                       : text("%.0f TB", size / 1e12);
}

bool weft::runtime::poisons() {
  const char *value = getenv("WEFT_POISON");
  return value && *value == '1';
}

Result<Block> Block::create(int64_t bytes, const std::string &purpose, const char *advice,
                            std::span<const int> nodes) {
  Block block;
  if (bytes == 0)
    return block;
  bool huge = bytes >= hugePage;
  // Where what is forgotten shall show, a page that nobody may touch follows.
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  bool guarded = !huge && bytes > 0 && poisons();
  size_t room = (static_cast<size_t>(std::max<int64_t>(bytes, 0)) + page - 1) / page * page;
  size_t length = guarded ? room + page : static_cast<size_t>(bytes) + (huge ? hugePage : 0);
  void *mapping =
      bytes < 0 || bytes > (int64_t(1) << 46)
          ? MAP_FAILED
          : mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED)
    return Error{Code::Memory, text("%s needs %s, which the system does not give; %s",
                                    purpose.c_str(), bytesText(bytes).c_str(), advice)};
  auto address = reinterpret_cast<uintptr_t>(mapping);
  if (huge) {
    address = (address + hugePage - 1) / hugePage * hugePage;
    madvise(reinterpret_cast<void *>(address), static_cast<size_t>(bytes), MADV_HUGEPAGE);
    spreadOver(nodes, reinterpret_cast<void *>(address), bytes);
  }
  if (guarded && mprotect(static_cast<char *>(mapping) + room, page, PROT_NONE) == 0)
    address += room - (static_cast<size_t>(bytes) + 63) / 64 * 64;
  block.start = reinterpret_cast<char *>(address);
  block.bytes = bytes;
  block.mapping = mapping;
  block.mapped = length;
  return block;
}

Block &Block::operator=(Block &&other) noexcept {
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  std::swap(mapping, other.mapping);
  std::swap(mapped, other.mapped);
  return *this;
}

void Block::poison() {
  if (start)
    memset(start, 0xff, static_cast<size_t>(bytes));
}

void Block::release() {
  if (mapping)
    munmap(mapping, mapped);
}
