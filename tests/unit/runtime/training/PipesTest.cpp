// A training that writes to a pipe, as `train 2>&1 | tee log` does, to a full disk and to a closed
// terminal: what is in --out is whole, and a start that fails leaves nothing.
#include "tests/unit/runtime/Training.h"

#include <sys/stat.h>

namespace {
/// Runs the program with its outputs in one pipe, whose reader may go away; signals are as a shell
/// leaves them.
class Piped {
public:
  Piped(std::vector<std::string> arguments, bool outputToo) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    reader = ends[0];
    arguments.insert(arguments.begin(), WEFT_BIGRAM);
    process = fork();
    if (process == 0) {
      signal(SIGPIPE, SIG_DFL);
      dup2(ends[1], STDERR_FILENO);
      if (outputToo)
        dup2(ends[1], STDOUT_FILENO);
      std::vector<char *> pointers;
      for (std::string &argument : arguments)
        pointers.push_back(argument.data());
      pointers.push_back(nullptr);
      execv(WEFT_BIGRAM, pointers.data());
      _exit(127);
    }
    close(ends[1]);
  }
  ~Piped() { goAway(); }
  /// Reads until so many bytes were seen, or the end.
  std::string read(size_t bytes) {
    std::string all;
    char piece[256];
    while (all.size() < bytes) {
      ssize_t count = ::read(reader, piece, sizeof piece);
      if (count <= 0)
        break;
      all.append(piece, static_cast<size_t>(count));
    }
    return all;
  }
  void goAway() {
    if (reader >= 0)
      close(reader);
    reader = -1;
  }
  void send(int signal) const { kill(process, signal); }
  int wait() const {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

private:
  int reader = -1;
  pid_t process;
};

class PipesTest : public TrainTest {
protected:
  std::vector<std::string> aloud(const std::string &out, std::vector<std::string> more) {
    std::vector<std::string> all = train(out, std::move(more));
    std::erase(all, "--quiet");
    return all;
  }
  bool exists(const std::string &name) { return std::filesystem::exists(folder / name); }
  const std::vector<std::string> forEver = {"--steps", "1000000", "--eval-every", "0"};
};
} // namespace

/// The reader goes away in the middle: the training comes to its end, as if somebody read it.
TEST_F(PipesTest, NobodyReadsOn) {
  ASSERT_EQ(run(train("whole", {"--steps", "200"})), 0) << error();
  for (bool json : {false, true}) {
    const std::string out = json ? "json" : "plain";
    std::vector<std::string> arguments = aloud(out, {"--steps", "200"});
    if (json)
      arguments.insert(arguments.end(), {"--log", "json"});
    Piped piped(arguments, true);
    EXPECT_FALSE(piped.read(200).empty());
    piped.goAway();
    EXPECT_EQ(piped.wait(), 0);
    expectSameCheckpoint("whole/step-200", out + "/step-200");
    EXPECT_EQ(log(out).size(), 200u);
  }
}

/// Ctrl-C goes to all of `train 2>&1 | tee log`: `tee` is gone when the training says that it
/// stops.
TEST_F(PipesTest, ControlCEndsTheReaderToo) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string out = "out" + std::to_string(signal);
    Piped piped(aloud(out, {"--steps", "1000000", "--eval-every", "1", "--log", "json"}), true);
    EXPECT_FALSE(piped.read(1000).empty());
    piped.goAway();
    piped.send(signal);
    EXPECT_EQ(piped.wait(), 128 + signal);
    const std::string newest = newestStep(out);
    ASSERT_NE(newest, "");
    EXPECT_EQ(newest, "step-" + std::to_string(log(out).size())); // nothing that was done is lost
    EXPECT_EQ(run({"train", "--resume", "--out", folder / out, "--steps", "1"}), 0) << error();
  }
}

/// The system and the shell each send one when a terminal is closed.
TEST_F(PipesTest, ATerminalIsClosedTwice) {
  for (int i = 0; i < 5; ++i) {
    const std::string out = "out" + std::to_string(i);
    Piped piped(aloud(out, {"--steps", "1000000", "--eval-every", "1"}), false);
    EXPECT_FALSE(piped.read(1000).empty());
    for (int times = 0; times < 3; ++times) {
      piped.send(SIGHUP);
      usleep(200);
    }
    piped.goAway();
    EXPECT_EQ(piped.wait(), 128 + SIGHUP);
    EXPECT_EQ(newestStep(out), "step-" + std::to_string(log(out).size()));
  }
}

/// What was asked for and cannot be written is an error, but the step that was taken is kept.
TEST_F(PipesTest, TheOutputIsFull) {
  std::vector<std::string> arguments = train("a", {"--steps", "20", "--log", "json"});
  EXPECT_EQ(Program(arguments, "/dev/full", folder / "error").wait(), 1);
  EXPECT_NE(error().find("cannot write the log to the output: No space left on device; the "
                         "checkpoint of step 1 is whole"),
            std::string::npos)
      << error();
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "a"}), 0) << error();
  // what is shown to people is not what was asked for
  EXPECT_EQ(Program(aloud("b", {"--steps", "20"}), folder / "output", "/dev/full").wait(), 0);
  expectSameCheckpoint("a/step-20", "b/step-20");
}

/// A file that may not grow (`ulimit -f`) ends no process by its signal.
TEST_F(PipesTest, FilesMayNotGrow) {
  ASSERT_EQ(run(train("a", {"--steps", "20", "--checkpoint-every", "10"})), 0) << error();
  for (const std::vector<std::string> &arguments :
       {toStep30,
        {"run", "--entry", "logits", "--initialize", "1", "--input", "tokens=[[1, 2, 3]]",
         "--outputs", folder / "out"}}) {
    pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_DFL);
      rlimit small{500, RLIM_INFINITY};
      setrlimit(RLIMIT_FSIZE, &small);
      std::vector<char *> pointers = {const_cast<char *>(WEFT_BIGRAM)};
      for (const std::string &argument : arguments)
        pointers.push_back(const_cast<char *>(argument.c_str()));
      pointers.push_back(nullptr);
      execv(WEFT_BIGRAM, pointers.data());
      _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << arguments[0] << ' ' << status;
  }
  EXPECT_FALSE(exists("out"));
  EXPECT_EQ(run(toStep30), 0) << error();
}

/// A start that fails, be it in the first step, leaves no folder, no log, and a log that was there
/// as it was.
TEST_F(PipesTest, FailedStartsLeaveNothing) {
  ASSERT_EQ(run(train("good", {"--steps", "1"})), 0) << error();
  // a vocabulary with ids that the text has not, then weights that are no numbers after one step
  const std::vector<std::string> diverges = {"--steps", "5", "--init", folder / "huge"};
  std::string weights = readAll(folder / "good/step-1/parameters.safetensors");
  uint64_t header;
  memcpy(&header, weights.data(), 8);
  for (size_t at = 8 + header; at + 4 <= weights.size(); at += 4) {
    float value = at % 8 == 0 ? 3e38f : -3e38f;
    memcpy(&weights[at], &value, 4);
  }
  writeAll(folder / "huge", weights);
  EXPECT_EQ(run(train("a/b/c", diverges)), 1);
  EXPECT_NE(error().find("step 1"), std::string::npos) << error();
  EXPECT_FALSE(exists("a"));
  std::filesystem::create_directory(folder / "there");
  EXPECT_EQ(run(train("there", diverges)), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "there"));
  writeAll(folder / "there/log.jsonl", "{\"step\": 1, \"loss\": 2}\n");
  EXPECT_EQ(run(train("there", diverges)), 1);
  EXPECT_EQ(readAll(folder / "there/log.jsonl"), "{\"step\": 1, \"loss\": 2}\n");
  writeAll(folder / "file", "");
  EXPECT_EQ(run(train("d/e/../../file/f", {"--steps", "5"})), 1);
  EXPECT_FALSE(exists("d"));
}
