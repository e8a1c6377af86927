// fork, a pipe for the verdict, a file for what is printed, and a clock.
#include "tools/reduce/Child.h"

#include "tools/reduce/Trial.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <poll.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::reduce {
namespace {
using Clock = std::chrono::steady_clock;

/// How a child ends that needed more memory than there is: no fault, and nothing was tried.
constexpr int tooLarge = 4;

/// Memory that parent and child share: how far the child is.
struct Shared {
  char step[256];
};

void send(int pipe, const std::string &text) {
  uint64_t size = text.size();
  std::string all(reinterpret_cast<const char *>(&size), sizeof size);
  all += text;
  for (size_t done = 0; done < all.size();) {
    ssize_t wrote = write(pipe, all.data() + done, all.size() - done);
    if (wrote < 0 && errno != EINTR)
      _exit(3);
    done += wrote > 0 ? size_t(wrote) : 0;
  }
}

void sendNumber(int pipe, uint64_t number) {
  send(pipe, std::string(reinterpret_cast<const char *>(&number), sizeof number));
}

/// What has been read from the pipe, taken apart again.
class Received {
public:
  explicit Received(std::string bytes) : bytes(std::move(bytes)) {}
  std::string text() {
    uint64_t size = 0;
    if (at + sizeof size > bytes.size())
      return "";
    std::memcpy(&size, bytes.data() + at, sizeof size);
    at += sizeof size;
    std::string result = bytes.substr(std::min(at, bytes.size()), size);
    at += size;
    return result;
  }
  uint64_t number() {
    std::string text = this->text();
    uint64_t result = 0;
    std::memcpy(&result, text.data(), std::min(text.size(), sizeof result));
    return result;
  }

private:
  std::string bytes;
  size_t at = 0;
};

[[noreturn]] void child(const Subject &subject, Shared &shared, int pipe, int words,
                        double seconds) {
  dup2(words, STDERR_FILENO);
  dup2(words, STDOUT_FILENO);
  setpgid(0, 0);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none); // it may crash thousands of times
  // The limit is of computing: a machine that is busy with others makes nothing hang.
  auto most = static_cast<rlim_t>(seconds) + 1;
  rlimit computing{most, most};
  setrlimit(RLIMIT_CPU, &computing);
  Verdict verdict;
  try {
    verdict = attempt(subject, [&](const std::string &step) {
      size_t size = std::min(step.size(), sizeof shared.step - 1);
      std::memcpy(shared.step, step.data(), size);
      shared.step[size] = 0;
    });
  } catch (const std::bad_alloc &) {
    _exit(tooLarge);
  } catch (const std::length_error &) { // more than any machine has
    _exit(tooLarge);
  }
  sendNumber(pipe, uint64_t(verdict.kind));
  send(pipe, verdict.where);
  send(pipe, verdict.what);
  sendNumber(pipe, verdict.compared);
  sendNumber(pipe, verdict.blind);
  _exit(0); // no destructor may turn what is right into a crash
}

/// Reads until the other end is closed; false where time is up before.
bool readAll(int pipe, std::string &into, double seconds) {
  Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                             std::chrono::duration<double>(seconds));
  char buffer[4096];
  for (;;) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    pollfd waits{pipe, POLLIN, 0};
    int ready = left > 0 ? poll(&waits, 1, int(left)) : 0;
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    ssize_t got = read(pipe, buffer, sizeof buffer);
    if (got == 0)
      return true;
    if (got > 0)
      into.append(buffer, size_t(got));
  }
}

/// Of what a dying child printed, the line that says why, then the others.
std::string lastWords(int words) {
  std::string text;
  char buffer[4096];
  lseek(words, 0, SEEK_SET);
  for (ssize_t got; (got = read(words, buffer, sizeof buffer)) > 0 && text.size() < 1 << 16;)
    text.append(buffer, size_t(got));
  for (const char *mark : {"ERROR: AddressSanitizer", "runtime error:", "Assertion", "LLVM ERROR",
                           "fatal error", "internal error", "terminate called"})
    if (size_t at = text.find(mark); at != std::string::npos) {
      size_t begin = text.rfind('\n', at);
      begin = begin == std::string::npos ? 0 : begin + 1;
      return text.substr(begin, 3000);
    }
  return text.substr(0, 3000);
}
} // namespace

Verdict attemptInChild(const Subject &subject, double seconds) {
  auto *shared = static_cast<Shared *>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  int ends[2], words = memfd_create("words", MFD_CLOEXEC);
  if (shared == MAP_FAILED || words < 0 || pipe(ends) != 0)
    return {Kind::invalid, "fork", std::string("no child: ") + std::strerror(errno)};
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    child(subject, *shared, ends[1], words, seconds);
  }
  close(ends[1]);
  std::string bytes;
  // For one that waits forever and computes nothing; a busy machine has ten times as many seconds.
  constexpr double patience = 1200;
  bool inTime = pid > 0 && readAll(ends[0], bytes, std::max(patience, 10 * seconds));
  if (pid > 0 && !inTime)
    kill(pid, SIGKILL);
  int status = 0;
  while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  Verdict verdict;
  verdict.where = shared->step;
  if (pid < 0) {
    verdict = {Kind::invalid, "fork", std::string("no child: ") + std::strerror(errno)};
  } else if (!inTime || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGXCPU ||
                                                 (WTERMSIG(status) == SIGKILL && bytes.empty())))) {
    verdict.kind = Kind::hang;
    verdict.what = "not done within " + std::to_string(int(seconds)) + " seconds";
  } else if (WIFEXITED(status) && WEXITSTATUS(status) == tooLarge &&
             verdict.where.find(mustRefuse) == std::string::npos) {
    verdict.kind = Kind::refused;
    verdict.what = "too large: it needs more memory than there is";
  } else if (WIFSIGNALED(status) || WEXITSTATUS(status) != 0) {
    verdict.kind = Kind::crash;
    std::string ended = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit";
    std::string said = lastWords(words);
    std::string step = verdict.where.substr(0, verdict.where.find(' '));
    // The step's verb is part of what tells crashes without words apart.
    verdict.what = said.empty() ? ended + " in " + step
                                : said.substr(0, said.find('\n')) + "\n" + ended + "\n" + said;
  } else {
    Received received(std::move(bytes));
    verdict.kind = Kind(received.number());
    verdict.where = received.text();
    verdict.what = received.text();
    verdict.compared = received.number();
    verdict.blind = received.number();
    if (verdict.kind == Kind::internal) // LLVM's verifier prints what it says
      if (std::string said = lastWords(words); !said.empty())
        verdict.what = said + "\n" + verdict.what;
  }
  close(ends[0]);
  close(words);
  munmap(shared, sizeof(Shared));
  return verdict;
}

} // namespace weft::reduce
