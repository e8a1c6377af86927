// Damaged files: refused with their name, or used; never a signal, a hang, or memory without end.
// WEFT_DAMAGED says how many of each format there are, WEFT_SEED which.
#include "tests/damage/Damage.h"
#include "tests/damage/Formats.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
enum Outcome { Used = 10, Refused, BadMessage };

#if defined(__SANITIZE_ADDRESS__) || (defined(__has_feature) && __has_feature(address_sanitizer))
constexpr bool limitsMemory = false; // a sanitizer takes what it takes
#else
constexpr bool limitsMemory = true;
#endif
} // namespace

static uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *given = getenv(name);
  return given && *given ? strtoull(given, nullptr, 10) : otherwise;
}

/// The memory of this process that counts against RLIMIT_DATA.
static uint64_t usedData() {
  uint64_t kilobytes = 0;
  if (FILE *file = fopen("/proc/self/status", "re")) {
    char line[256];
    while (fgets(line, sizeof line, file))
      sscanf(line, "VmData: %lu kB", &kilobytes);
    fclose(file);
  }
  return kilobytes << 10;
}

static void write(const std::string &folder, const Files &files) {
  for (const auto &[name, contents] : files) {
    std::filesystem::path path = folder + "/" + name;
    std::filesystem::create_directories(path.parent_path());
    writeAll(path, contents);
  }
}

/// Uses the files in a process of its own, with as much memory as they may need.
static int outcome(const Format &format, const std::string &folder, uint64_t bytes) {
  pid_t child = fork();
  if (child == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    constexpr uint64_t usual = 48 << 20; // stacks and tables, whatever is read
    rlimit memory{usedData() + usual + format.factor * bytes, RLIM_INFINITY}, time{60, 60};
    if (limitsMemory)
      setrlimit(RLIMIT_DATA, &memory);
    setrlimit(RLIMIT_CPU, &time);
    std::string message = format.use(folder);
    _exit(message.empty()                             ? Used
          : message.find(folder) != std::string::npos ? Refused
                                                      : BadMessage);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

namespace {
class DamageTest : public testing::TestWithParam<size_t> {
protected:
  static const std::vector<Format> &all() {
    static const std::vector<Format> all = formats();
    return all;
  }
};
} // namespace

/// Keeps the folder of what failed, to look at.
TEST_P(DamageTest, IsRefusedOrUsed) {
  const Format &format = all()[GetParam()];
  {
    TemporaryFolder folder;
    write(folder.path(), format.good);
    ASSERT_EQ(outcome(format, folder.path(), 1 << 20), Used) << format.use(folder.path());
  }
  uint64_t count = fromEnvironment("WEFT_DAMAGED", 40),
           seed = fromEnvironment("WEFT_SEED", std::random_device()());
  std::printf("%s: WEFT_SEED=%lu\n", format.name.c_str(), seed);
  int used = 0;
  for (uint64_t number = 0; number < count; ++number) {
    Random random(seed + number * 1000003);
    Files files = format.good;
    auto victim = files.find(format.damaged);
    if (victim == files.end())
      victim = std::next(files.begin(), static_cast<long>(random() % files.size()));
    victim->second = damaged(victim->second, random);
    uint64_t bytes = 0;
    for (const auto &[name, contents] : files)
      bytes += contents.size();
    TemporaryFolder folder;
    write(folder.path(), files);
    int result = outcome(format, folder.path(), bytes);
    used += result == Used;
    if (result == Used || result == Refused)
      continue;
    std::string kept =
        (std::filesystem::temp_directory_path() / ("weft-damaged-" + format.name)).string();
    std::filesystem::remove_all(kept);
    std::filesystem::copy(folder.path(), kept, std::filesystem::copy_options::recursive);
    ADD_FAILURE() << format.name << ", number " << number << " of WEFT_SEED=" << seed << ", "
                  << victim->first << ": "
                  << (result >= 1000         ? strsignal(result - 1000)
                      : result == BadMessage ? "a message without the file"
                                             : "an exit")
                  << "; kept in " << kept
                  << (result == BadMessage ? ": " + format.use(folder.path()) : std::string());
  }
  std::printf("%lu damaged, %d of which could be used\n", count, used);
}

static std::vector<size_t> numbers() {
  std::vector<size_t> out;
  for (size_t i = 0; i < formats().size(); ++i)
    out.push_back(i);
  return out;
}

std::vector<Format> formats() {
  static const std::vector<Format> all = [] {
    std::vector<Format> every;
    for (auto more : {tokenizerFormats, imageFormats, checkpointFormats, dataFormats})
      for (Format &format : more())
        every.push_back(std::move(format));
    return every;
  }();
  return all;
}

INSTANTIATE_TEST_SUITE_P(Formats, DamageTest, testing::ValuesIn(numbers()), [](const auto &info) {
  std::string name = formats()[info.param].name;
  for (char &c : name)
    c = isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});
