// Appending to programs, and mapping what was appended.
#include "runtime/model/Carried.h"

#include "runtime/model/Slices.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

using namespace weft::runtime;

static constexpr int64_t alignment = 64, page = 4096;

namespace {
/// The last bytes of the file.
struct Ending {
  char mark[16];
  int64_t begin, weights, texts; // where they begin, and how many bytes of each
};
} // namespace

static const char mark[16] = "weft carries 3\n";

static int64_t roundedUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

CarriedLayout weft::runtime::carriedLayout(const Facts &facts) {
  CarriedLayout layout;
  auto place = [&](bool isCarried, int64_t bytes) {
    int64_t offset = isCarried ? layout.bytes : -1;
    layout.bytes += isCarried ? roundedUp(bytes, alignment) : 0;
    return offset;
  };
  for (size_t i = 0; i < facts.parameters.size(); ++i) {
    const Parameter &parameter = facts.parameters[i];
    layout.offsets.push_back(place(isWeight(parameter.kind) && !parameter.packedAlone,
                                   elementCount(facts, parameter) * bytesOf(parameter.element)));
  }
  for (const PackedFacts &packed : facts.packed)
    layout.packed.push_back(place(packed.carried, packed.carriedBytes()));
  return layout;
}

static Error failed(const std::string &path, const char *what) {
  return {Code::File, text("%s: cannot %s it: %s", path.c_str(), what, strerror(errno))};
}

Status weft::runtime::appendCarried(NewFile &file, int64_t size, const Facts &facts,
                                    const Parameters &parameters,
                                    std::span<const char *const> packed,
                                    const CarriedTexts &texts) {
  CarriedLayout layout = carriedLayout(facts);
  Ending ending{{}, roundedUp(size, page), layout.bytes, 0};
  memcpy(ending.mark, mark, sizeof mark);
  int64_t at = size;
  static const char zeros[page] = {};
  auto fillTo = [&](int64_t offset) {
    int64_t missing = offset - at;
    at = offset;
    return file.write(zeros, static_cast<size_t>(missing)); // less than a page
  };
  auto write = [&](int64_t offset, const void *data, int64_t bytes) {
    if (Status status = fillTo(ending.begin + offset); !status)
      return status;
    at += bytes;
    return file.write(data, static_cast<size_t>(bytes));
  };
  for (size_t i = 0; i < facts.parameters.size(); ++i) {
    const Parameter &parameter = facts.parameters[i];
    if (layout.offsets[i] < 0)
      continue;
    Status status = write(layout.offsets[i], parameters.data(static_cast<int>(i)),
                          elementCount(facts, parameter) * bytesOf(parameter.element));
    if (!status)
      return status;
  }
  for (size_t i = 0; i < facts.packed.size(); ++i)
    if (layout.packed[i] >= 0)
      if (Status status = write(layout.packed[i], packed[i], facts.packed[i].carriedBytes());
          !status)
        return status;
  if (Status status = fillTo(ending.begin + layout.bytes); !status)
    return status;
  for (const auto &[name, text] : texts) {
    ending.texts += static_cast<int64_t>(text.size());
    if (Status status = file.write(text); !status)
      return status;
  }
  return file.write(&ending, sizeof ending);
}

Result<CarriedFile> CarriedFile::open(const std::string &path, const Facts &facts) {
  CarriedFile carried;
  carried.facts = &facts;
  carried.layout = carriedLayout(facts);
  int64_t bytes = carried.layout.bytes, behind = 0;
  for (const CarriedText &text : facts.carried->texts)
    behind += text.bytes;
  // until it is closed nothing takes memory, which could run out
  int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat about;
  bool opened = file >= 0 && fstat(file, &about) == 0, whole = false;
  void *mapping = MAP_FAILED;
  if (opened) {
    Ending ending{};
    int64_t end = about.st_size - static_cast<int64_t>(sizeof ending), begin = end - behind - bytes;
    whole = begin > 0 && begin % page == 0 &&
            pread(file, &ending, sizeof ending, end) == static_cast<ssize_t>(sizeof ending) &&
            memcmp(ending.mark, mark, sizeof mark) == 0 && ending.begin == begin &&
            ending.weights == bytes && ending.texts == behind;
    if (whole) {
      carried.size = static_cast<size_t>(end - begin);
      mapping = mmap(nullptr, std::max<size_t>(carried.size, 1), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE, file, begin);
    }
  }
  int reason = errno;
  if (file >= 0)
    close(file);
  errno = reason;
  if (!opened)
    return failed(path, "read");
  if (!whole)
    return Error{Code::File, text("%s: is cut short or was changed: behind its code it should "
                                  "carry %lld bytes of weights; copy it again, or build it again",
                                  path.c_str(), wide(bytes))};
  if (mapping == MAP_FAILED)
    return failed(path, "map");
  carried.start = static_cast<char *>(mapping);
  carried.texts = carried.start + bytes;
  return carried;
}

std::string_view CarriedFile::find(std::string_view name) const {
  const char *begin = texts;
  for (const CarriedText &text : facts->carried->texts) {
    if (text.name == name)
      return {begin, static_cast<size_t>(text.bytes)};
    begin += text.bytes;
  }
  return {};
}

CarriedFile::CarriedFile(CarriedFile &&other) noexcept
    : start(std::exchange(other.start, nullptr)), size(other.size), facts(other.facts),
      layout(std::move(other.layout)), texts(other.texts) {}

void CarriedFile::copyPacked(int weight, char *to) const {
  constexpr int64_t step = int64_t(1) << 22; // so much is in memory twice
  const auto number = static_cast<size_t>(weight);
  char *from = start + layout.packed[number];
  for (int64_t done = 0, all = facts->packed[number].carriedBytes(); done < all; done += step) {
    int64_t bytes = std::min(step, all - done);
    memcpy(to + done, from + done, static_cast<size_t>(bytes));
    // whole pages of it alone, which nobody has written to
    auto at = reinterpret_cast<intptr_t>(from + done);
    intptr_t begin = done > 0 ? at / page * page : roundedUp(at, page),
             end = (at + bytes) / page * page;
    if (begin < end)
      madvise(reinterpret_cast<void *>(begin), static_cast<size_t>(end - begin), MADV_DONTNEED);
  }
}

CarriedFile::~CarriedFile() {
  if (start)
    munmap(start, std::max<size_t>(size, 1));
}
