// Runs a fuzzer without libFuzzer, so that every build has it: the corpus as it is, then mutations
// of it for some seconds. What stops it is kept as a file.
//   fuzz-NAME [--seconds N] [--seed S] [--most BYTES] [FOLDER | FILE]...
#include "tests/fuzz/Mutations.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/// Of a sanitizer, where one is linked.
extern "C" [[gnu::weak]] void __sanitizer_set_death_callback(void (*callback)());

namespace {

std::string input;     ///< that is under way
std::string crashPath; ///< where it goes when it stops the fuzzer
volatile sig_atomic_t isRunning = 0;
constexpr unsigned longest = 120;  ///< seconds that one input may take: none, really
constexpr long largest = 3l << 20; ///< KB of memory

/// Only calls that a signal's handler may make.
void keep() {
  if (!isRunning)
    return;
  isRunning = 0;
  int file = open(crashPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  bool isKept =
      file >= 0 && write(file, input.data(), input.size()) == static_cast<ssize_t>(input.size());
  const char *said =
      isKept ? "fuzz: stopped by the input that is kept as " : "fuzz: stopped; cannot keep ";
  for (const char *text : {said, crashPath.c_str(), "\n"})
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
      break;
}

void onSignal(int signal) {
  keep();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void run(const std::string &next) {
  input = next;
  isRunning = 1;
  alarm(longest);
  // a copy of just this size: what is read behind it is seen
  std::vector<uint8_t> bytes(input.begin(), input.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  alarm(0);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  if (usage.ru_maxrss > largest) {
    std::fprintf(stderr, "fuzz: %ld MB of memory\n", usage.ru_maxrss >> 10);
    std::abort();
  }
  isRunning = 0;
}

std::string contents(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void readInto(std::vector<std::string> &pool, const char *given) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(given)) {
    for (const auto &entry : std::filesystem::directory_iterator(given))
      files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(given);
  }
  for (const std::filesystem::path &file : files)
    pool.push_back(contents(file));
}

void listen(const std::string &program) {
  crashPath = "crash-" + std::filesystem::path(program).filename().string() + "-" +
              std::to_string(getpid());
  static char stack[1 << 16];
  stack_t other{stack, 0, sizeof stack};
  sigaltstack(&other, nullptr);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    struct sigaction action{};
    action.sa_handler = onSignal;
    action.sa_flags = SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
  if (__sanitizer_set_death_callback)
    __sanitizer_set_death_callback(keep);
}

} // namespace

int main(int argc, char **argv) {
  double seconds = 2;
  size_t most = 1 << 16;
  uint64_t seed = (uint64_t(std::random_device()()) << 32) ^ std::random_device()();
  std::vector<std::string> pool;
  for (int i = 1; i < argc; ++i) {
    bool hasValue = i + 1 < argc;
    if (hasValue && !std::strcmp(argv[i], "--seconds"))
      seconds = std::atof(argv[++i]);
    else if (hasValue && !std::strcmp(argv[i], "--seed"))
      seed = std::strtoull(argv[++i], nullptr, 10);
    else if (hasValue && !std::strcmp(argv[i], "--most"))
      most = std::strtoull(argv[++i], nullptr, 10);
    else
      readInto(pool, argv[i]);
  }
  if (pool.empty()) {
    std::fprintf(stderr, "fuzz: no file to begin with: name a folder of tests/fuzz/corpus\n");
    return 2;
  }
  std::printf("seed %llu, %zu files\n", static_cast<unsigned long long>(seed), pool.size());
  std::fflush(stdout);
  listen(argv[0]);
  for (const std::string &whole : pool)
    run(whole);
  weft::fuzz::Random random(seed);
  unsigned long long count = 0;
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (; std::chrono::steady_clock::now() < end; ++count) {
    std::string next = weft::fuzz::mutated(pool, most, random);
    run(next);
    // what has changed goes on changing; what the tree has stays
    size_t kept = pool.size();
    if (random() % 8 == 0 && kept < 4096)
      pool.push_back(std::move(next));
  }
  std::printf("%llu inputs\n", count);
  return 0;
}
