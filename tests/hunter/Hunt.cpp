// Workers that are processes, and counts that they share.
#include "Hunt.h"
#include "Generate.h"

#include "codegen/Target.h"
#include "tools/reduce/Child.h"
#include "tools/reduce/compiled/NativeCode.h"
#include "tools/reduce/subject/Repeat.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <set>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::hunter {
namespace {
using namespace reduce;
using Clock = std::chrono::steady_clock;

/// What the workers have done so far, in memory that they share.
struct Counts {
  std::atomic<uint64_t> next, done, faults, kinds, compared, blind, stop;
  std::atomic<uint64_t> of[16];
  std::atomic<uint64_t> codes[1000];  ///< refusals, by the number of the error
  std::atomic<uint64_t> microseconds; ///< of computing
};

/// What this process and the children that it waited for have computed.
uint64_t computedMicroseconds() {
  uint64_t sum = 0;
  for (int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(who, &used);
    for (const timeval &time : {used.ru_utime, used.ru_stime})
      sum += uint64_t(time.tv_sec) * 1000000 + uint64_t(time.tv_usec);
  }
  return sum;
}

/// Claims a signature for one worker: a file of its name, which only one can make.
bool isFirst(const std::filesystem::path &folder, const std::string &signature) {
  std::string name = fmt::format("{:016x}", std::hash<std::string>()(signature));
  int file = open((folder / name).c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file >= 0)
    close(file);
  return file >= 0;
}

/// Another target than the program's own has other instruction sets, and may have no other
/// precision than float32, or no weights or caches that are whole numbers.
void retarget(Subject &subject, const std::string &name) {
  if (name.empty() || name == subject.target)
    return;
  subject.target = name;
  subject.isas.clear();
  const Target *target = targetNamed(name);
  if (!llvm::is_contained(target->storageTypes(), model::StorageType::bfloat16))
    subject.precision = Subject().precision;
  if (!readsPanels(*target)) {
    subject.weights.clear();
    subject.caches.clear();
  }
}

/// What the hunt says of all programs.
void change(Subject &subject, const HuntOptions &options) {
  if (!options.precision.empty())
    subject.precision = options.precision;
  if (!options.weights.empty())
    subject.weights = options.weights;
  if (!options.caches.empty())
    subject.caches = options.caches;
  retarget(subject, options.target);
  if (!options.isa.empty() && subject.target == cpuTarget().name())
    subject.isas = {options.isa};
}

class Worker {
public:
  Worker(const HuntOptions &options, Counts &counts, std::filesystem::path claims,
         Clock::time_point begin)
      : options(options), counts(counts), claims(std::move(claims)), begin(begin) {}

  void run() {
    while (!counts.stop && inTime()) {
      uint64_t number = counts.next++;
      if (options.count && number >= options.count)
        break;
      tryProgram(options.seed + number, number + 1);
      account();
    }
  }

private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }
  double computed() const { return 1e-6 * double(counts.microseconds); }
  bool inTime() const {
    return (options.minutes == 0 || seconds() < 60 * options.minutes) &&
           (options.computing == 0 || computed() < options.computing);
  }
  /// Seconds of computing since it was last called.
  double account() {
    uint64_t now = computedMicroseconds(), since = now - accounted;
    counts.microseconds += since;
    accounted = now;
    return 1e-6 * double(since);
  }

  void tryProgram(uint64_t seed, uint64_t number) {
    Written written = generate(seed);
    Subject &subject = written;
    subject.compiled = options.compiles;
    change(subject, options);
    if (options.isa.empty())
      written.tryPairs();
    Verdict verdict = attemptInChild(subject, options.trialSeconds);
    if (double took = account(); !verdict.isFault() && 2 * took > options.trialSeconds) {
      fmt::print("seed {}: {} after {:.0f} s of computing, more than half of what it may take\n",
                 seed, nameOf(verdict.kind), took);
      fflush(stdout);
    }
    ++counts.done;
    ++counts.of[size_t(verdict.kind)];
    counts.compared += verdict.compared;
    counts.blind += verdict.blind;
    std::string code = codeOf(verdict);
    if (!code.empty())
      ++counts.codes[std::stoul(code.substr(1)) % std::size(counts.codes)];
    bool refused = isWronglyRefused(written, verdict);
    if (!verdict.isFault() && !refused)
      return;
    ++counts.faults;
    bool isNew = isFirst(claims, verdict.signature() + (refused ? code : ""));
    // Wrong numbers have many causes and one signature: a few of them are made small.
    bool wrong = verdict.kind == Kind::values || verdict.kind == Kind::gradient ||
                 verdict.kind == Kind::stage || verdict.kind == Kind::threads ||
                 verdict.kind == Kind::derivative || verdict.kind == Kind::decode;
    for (int i = 0; i < 3 && !isNew && wrong; ++i)
      isNew = isFirst(claims, fmt::format("{} {}", verdict.signature(), i));
    std::string first = verdict.what.substr(0, verdict.what.find('\n'));
    fmt::print("seed {}, program {} after {:.0f} s: {}: {}: {}\n", seed, number, computed(),
               nameOf(verdict.kind), verdict.where, first);
    fflush(stdout);
    for (const std::string &kind : options.stops)
      if (kind == "any" || kind == nameOf(verdict.kind))
        counts.stop = 1;
    if (!isNew)
      return;
    if (options.shrinks && !refused) {
      Shrunk small = shrink(subject, verdict, {options.trialSeconds, options.shrinkSeconds});
      subject = std::move(small.subject);
      verdict = std::move(small.verdict);
    }
    if (!wrong || isFirst(claims, subject.text))
      ++counts.kinds;
    std::string text = withHeader(subject, verdict, fmt::format("seed {}", seed));
    fmt::print("{}\n", text);
    fflush(stdout);
    if (!options.findings.empty()) {
      std::filesystem::create_directories(options.findings);
      std::ofstream(options.findings / fmt::format("{}-{}.weft", nameOf(verdict.kind), seed))
          << text;
    }
  }

  const HuntOptions &options;
  Counts &counts;
  std::filesystem::path claims;
  Clock::time_point begin;
  uint64_t accounted = computedMicroseconds();
};
} // namespace

unsigned hunt(const HuntOptions &options) {
  auto *counts = static_cast<Counts *>(
      mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::string claims = (std::filesystem::temp_directory_path() / "weft-hunter-XXXXXX").string();
  if (counts == MAP_FAILED || !mkdtemp(claims.data())) {
    fmt::print(stderr, "weft-hunter: no memory or no temporary folder\n");
    return 1;
  }
  new (counts) Counts{};
  Clock::time_point begin = Clock::now();
  fflush(nullptr);
  std::vector<pid_t> workers;
  for (unsigned i = 0; i < options.jobs; ++i) {
    pid_t pid = fork();
    if (pid == 0) {
      Worker(options, *counts, claims, begin).run();
      fflush(nullptr);
      _exit(0);
    }
    workers.push_back(pid);
  }
  bool whole = true;
  for (pid_t worker : workers) {
    int status = 0;
    whole &= worker > 0 && waitpid(worker, &status, 0) == worker && status == 0;
  }
  std::filesystem::remove_all(claims);
  double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (size_t code = 0; code < std::size(counts->codes); ++code)
    if (counts->codes[code])
      fmt::print("refused with E{:04}: {} programs\n", code, counts->codes[code].load());
  fmt::print("{} programs in {:.0f} s, {:.0f} s of computing:", counts->done.load(), seconds,
             1e-6 * double(counts->microseconds));
  for (size_t kind = 0; kind < 15; ++kind)
    if (counts->of[kind])
      fmt::print(" {} {},", counts->of[kind].load(), nameOf(Kind(kind)));
  fmt::print(" {:.1f}% of what was compared is decided by rounding\n",
             100.0 * double(counts->blind) / double(std::max<uint64_t>(counts->compared, 1)));
  if (!whole)
    fmt::print("a worker ended early\n");
  return unsigned(counts->faults) + (whole ? 0 : 1);
}

unsigned retry(const std::vector<std::string> &files, const HuntOptions &options) {
  unsigned failures = 0;
  for (const std::string &path : files) {
    std::vector<Subject> subjects;
    if (std::string problem = readSubjects(path, subjects); !problem.empty()) {
      fmt::print("{}\n", problem);
      ++failures;
    }
    for (Subject &subject : subjects) {
      change(subject, options);
      if (std::string said = aboutLacking(*targetNamed(subject.target), subject.isas);
          !said.empty())
        fmt::print("{}: {}\n", path, said);
      Verdict verdict = attemptInChild(subject, options.trialSeconds);
      // A program that the checker refuses was mended there; the others must be right.
      failures += verdict.isFault();
      fmt::print("{}: {}{}{}\n", path, nameOf(verdict.kind), verdict.what.empty() ? "" : ": ",
                 verdict.what);
    }
  }
  return failures;
}

} // namespace weft::hunter
