// Quotas in /proc/self/cgroup's groups and their ancestors, of both versions of control groups:
// what a slice of systemd grants, all services below it share.
#include "runtime/machine/ControlGroup.h"

#include "runtime/base/files/Lines.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

using namespace weft::runtime;

namespace {
/// A hierarchy of groups: where it is mounted, and which of its groups is there.
struct Hierarchy {
  std::string mounted, group;
  bool isFirstVersion;
};
} // namespace

static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

static bool isListed(const std::string &name, const std::string &list) {
  return ("," + list + ",").find("," + name + ",") != std::string::npos;
}

/// A field of mountinfo: spaces stand there as \040.
static std::string unescaped(const std::string &field) {
  std::string out;
  for (size_t i = 0; i < field.size(); ++i) {
    bool isOctal = field[i] == '\\' && i + 3 < field.size();
    out += isOctal ? static_cast<char>((field[i + 1] - '0') * 64 + (field[i + 2] - '0') * 8 +
                                       (field[i + 3] - '0'))
                   : field[i];
    i += isOctal ? 3 : 0;
  }
  return out;
}

/// Where `controller` is granted. A line is `36 25 0:32 GROUP MOUNTED rw,… shared:9 - TYPE SOURCE
/// rw,cpu,…` (proc(5)).
static std::vector<Hierarchy> hierarchies(const std::string &root, const std::string &controller) {
  std::vector<Hierarchy> found;
  for (const std::string &line : linesOf(root + "/proc/self/mountinfo")) {
    std::vector<std::string> fields = split(line, ' ');
    auto dash = std::find(fields.begin(), fields.end(), "-");
    if (dash - fields.begin() < 5 || fields.end() - dash < 4)
      continue;
    const std::string &type = dash[1];
    if (type == "cgroup2" || (type == "cgroup" && isListed(controller, dash[3])))
      found.push_back({unescaped(fields[4]), unescaped(fields[3]), type == "cgroup"});
  }
  if (found.empty())
    found.push_back({"/sys/fs/cgroup", "/", false});
  return found;
}

/// The process's own group, as the line of its hierarchy says: `4:cpu,cpuacct:/a/b`, `0::/a/b`.
static std::string ownGroup(const std::string &root, const Hierarchy &hierarchy,
                            const std::string &controller) {
  for (const std::string &line : linesOf(root + "/proc/self/cgroup")) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      continue;
    std::string controllers = line.substr(first + 1, second - first - 1);
    if (hierarchy.isFirstVersion ? isListed(controller, controllers) : line.starts_with("0:"))
      return line.substr(second + 1);
  }
  return "/";
}

/// The cores that one group grants; 0 for no limit.
static double quotaOf(const std::string &folder, bool isFirstVersion) {
  auto first = [](const std::vector<std::string> &lines) {
    return lines.empty() ? std::string() : lines[0];
  };
  std::string words = isFirstVersion ? first(linesOf(folder + "/cpu.cfs_quota_us")) + " " +
                                           first(linesOf(folder + "/cpu.cfs_period_us"))
                                     : first(linesOf(folder + "/cpu.max"));
  double quota = 0, period = 0; // "max 100000" and "-1 100000": no limit
  int read = sscanf(words.c_str(), "%lf %lf", &quota, &period);
  return read == 2 && quota > 0 && period > 0 ? quota / period : 0;
}

/// The smallest of what the process's own group and all above it grant; 0 for none. `grants` says
/// what a folder does, 0 for no limit.
template <class Grants>
static double leastOf(const std::string &root, const std::string &controller, Grants grants) {
  double least = 0;
  for (const Hierarchy &hierarchy : hierarchies(root, controller)) {
    std::string group = ownGroup(root, hierarchy, controller);
    // of a container only what is below its own group is mounted
    if (hierarchy.group != "/" && (group + "/").starts_with(hierarchy.group + "/"))
      group = group.substr(hierarchy.group.size());
    for (;;) {
      while (group.ends_with('/'))
        group.pop_back();
      double granted = grants(root + hierarchy.mounted + group, hierarchy.isFirstVersion);
      if (granted > 0 && (least == 0 || granted < least))
        least = granted;
      if (group.empty())
        break;
      group.resize(group.find_last_of('/') == std::string::npos ? 0 : group.find_last_of('/'));
    }
  }
  return least;
}

int weft::runtime::coresOfControlGroups(const std::string &root) {
  return static_cast<int>(std::ceil(leastOf(root, "cpu", quotaOf)));
}

/// The bytes that one group grants; 0 for no limit, which the first version says by a number that
/// no machine has.
static double memoryOf(const std::string &folder, bool isFirstVersion) {
  std::vector<std::string> lines =
      linesOf(folder + (isFirstVersion ? "/memory.limit_in_bytes" : "/memory.max"));
  double bytes = 0; // "max": no limit
  constexpr double most = 0x1p60;
  return !lines.empty() && sscanf(lines[0].c_str(), "%lf", &bytes) == 1 && bytes < most ? bytes : 0;
}

int64_t weft::runtime::memoryOfControlGroups(const std::string &root) {
  return static_cast<int64_t>(leastOf(root, "memory", memoryOf));
}
