// Launches of one kernel by several runs, done as one launch of all their rows.
#include "runtime/machine/JoinedRows.h"

#include <algorithm>
#include <cstring>

using namespace weft::runtime;

static int64_t wholeLines(int64_t bytes) {
  constexpr int64_t line = 64;
  return (bytes + line - 1) / line * line;
}

JoinedRows::About JoinedRows::aboutOf(const WeftNamedKernel &kernel, const int64_t *sizes) {
  std::vector<int64_t> numbers(2 + 2 * kernel.buffers);
  kernel.rows->describe(sizes, numbers.data());
  About about{numbers[0], numbers[1], {}};
  for (size_t i = 2; i < numbers.size(); i += 2)
    about.buffers.push_back({numbers[i], numbers[i + 1]});
  return about;
}

/// Whether runs differ in nothing but how many rows they have, and have the same weights.
bool JoinedRows::agree(const WeftNamedKernel &kernel, std::span<const LaunchPart> parts) {
  const LaunchPart &first = parts.front();
  auto isLikeFirst = [&](const LaunchPart &part, const About &about) {
    for (uint32_t i = 0; i < kernel.rows->read; ++i)
      if (uint32_t size = kernel.rows->reads[i]; part.call->sizes[size] != first.call->sizes[size])
        return false;
    for (size_t i = 0; i < kernel.buffers; ++i)
      if (about.buffers[i] != all.front().buffers[i] ||
          (about.buffers[i].pitch == 0 && part.buffers[i] != first.buffers[i]))
        return false;
    return true;
  };
  all.clear();
  for (const LaunchPart &part : parts) {
    all.push_back(aboutOf(kernel, part.call->sizes));
    if (!isLikeFirst(part, all.back()))
      return false;
  }
  return true;
}

/// Finds which results take the place of an operand: side by side they do, too. False where two
/// buffers overlap in another way, or not in all runs.
bool JoinedRows::shareRooms(const WeftNamedKernel &kernel, std::span<const LaunchPart> parts) {
  rooms.clear();
  for (size_t i = 0; i < kernel.buffers; ++i) {
    rooms.push_back(i);
    if (i < kernel.rows->operands)
      continue; // nobody writes it but a result
    const About::Buffer &mine = all.front().buffers[i];
    for (size_t j = 0; j < i; ++j) {
      const About::Buffer &other = all.front().buffers[j];
      size_t same = 0, apart = 0;
      for (size_t r = 0; r < parts.size(); ++r) {
        const int64_t places = parts[r].call->sizes[kernel.rows->dim];
        auto *a = static_cast<const char *>(parts[r].buffers[i]),
             *b = static_cast<const char *>(parts[r].buffers[j]);
        auto end = [&](const char *start, const About::Buffer &of) {
          return start + std::max<int64_t>(places - 1, 0) * of.pitch + of.bytes;
        };
        same += a == b;
        apart += end(a, mine) <= b || end(b, other) <= a;
      }
      if (same == parts.size() && mine == other)
        rooms.back() = rooms[j];
      else if (apart < parts.size())
        return false;
    }
  }
  return true;
}

/// Where the groups of runs end that are launched together, of at most so many rows each.
static std::vector<size_t> groupsOf(std::span<const int64_t> rows, int64_t most) {
  std::vector<size_t> ends;
  int64_t sum = 0;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (r > 0 && sum + rows[r] > most) {
      ends.push_back(r);
      sum = 0;
    }
    sum += rows[r];
  }
  ends.push_back(rows.size());
  return ends;
}

int64_t JoinedRows::placesOf(const WeftNamedKernel &kernel, std::span<const LaunchPart> group) {
  int64_t places = 0;
  for (const LaunchPart &part : group)
    places += part.call->sizes[kernel.rows->dim];
  return places;
}

/// Bytes of what a launch of so many places copies.
int64_t JoinedRows::bytesFor(int64_t places) const {
  int64_t bytes = 0;
  for (size_t i = 0; i < rooms.size(); ++i)
    bytes += rooms[i] == i ? wholeLines(places * all.front().buffers[i].pitch) : 0;
  return bytes;
}

bool JoinedRows::launch(Pool &pool, const WeftNamedKernel &kernel,
                        std::span<const LaunchPart> parts) {
  if (!kernel.rows || parts.size() < 2 || !agree(kernel, parts) || !shareRooms(kernel, parts))
    return false;
  std::vector<int64_t> rows;
  for (const About &about : all)
    rows.push_back(about.rows);
  std::vector<size_t> ends = groupsOf(rows, kernel.rows->most);
  if (ends.size() == parts.size())
    return false; // none would go with another
  int64_t needed = 0;
  for (size_t first = 0; size_t end : ends) {
    needed = std::max(needed, bytesFor(placesOf(kernel, parts.subspan(first, end - first))));
    first = end;
  }
  if (memory.size() < needed) {
    memory = Block();
    Result<Block> larger = Block::create(needed, "rows of several runs");
    if (!larger)
      return false;
    memory = std::move(*larger);
  }
  for (size_t first = 0; size_t end : ends) {
    std::span<const LaunchPart> group = parts.subspan(first, end - first);
    if (group.size() == 1)
      runLaunch(pool, kernel.kernel, group);
    else
      launchGroup(pool, kernel, group);
    first = end;
  }
  return true;
}

void JoinedRows::launchGroup(Pool &pool, const WeftNamedKernel &kernel,
                             std::span<const LaunchPart> group) {
  const WeftRows &how = *kernel.rows;
  const LaunchPart &first = group.front();
  std::vector<int64_t> joint(first.call->sizes, first.call->sizes + sizes);
  joint[how.dim] = placesOf(kernel, group);
  std::vector<void *> buffers;
  char *free = memory.data();
  for (size_t i = 0; i < kernel.buffers; ++i) {
    const int64_t pitch = all.front().buffers[i].pitch;
    buffers.push_back(pitch == 0 ? first.buffers[i] : rooms[i] == i ? free : buffers[rooms[i]]);
    free += rooms[i] == i ? wholeLines(joint[how.dim] * pitch) : 0;
  }
  /// copy(of a run, of all, bytes) for each place of buffer `i`
  auto eachPlace = [&](size_t i, auto copy) {
    const auto [pitch, bytes] = all.front().buffers[i];
    auto *together = static_cast<char *>(buffers[i]);
    for (const LaunchPart &part : group) {
      auto *alone = static_cast<char *>(part.buffers[i]);
      for (int64_t place = 0; pitch > 0 && place < part.call->sizes[how.dim]; ++place) {
        copy(alone + place * pitch, together, static_cast<size_t>(bytes));
        together += pitch;
      }
    }
  };
  for (size_t i = 0; i < how.operands; ++i)
    eachPlace(i, [](char *alone, char *together, size_t bytes) { memcpy(together, alone, bytes); });
  WeftCall call = *first.call;
  call.sizes = joint.data();
  const LaunchPart part{&call, buffers.data(), aboutOf(kernel, joint.data()).tasks};
  runLaunch(pool, kernel.kernel, {&part, 1});
  for (size_t i = how.operands; i < kernel.buffers; ++i)
    eachPlace(i, [](char *alone, char *together, size_t bytes) { memcpy(alone, together, bytes); });
}
