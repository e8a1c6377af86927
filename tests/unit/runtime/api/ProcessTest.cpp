// weft.h in a process that has other things to do: it forks, takes signals, has threads and several
// models, and stops what takes too long.
#include "tests/unit/runtime/api/Interface.h"

#include <atomic>
#include <csignal>
#include <dirent.h>
#include <fstream>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace weft::interface;

/// What a forked child does with what its parent opened; the number of the first check that fails.
static int inChild(Objects &o) {
  int32_t id = 1;
  int64_t row = 0;
  WeftTensor tensor = {sizeof tensor};
  int check = 0;
  auto refused = [&](const void *given) {
    ++check;
    return !given && weft_status() == WEFT_ERROR_USAGE && strstr(weft_error(), "another process");
  };
  auto status = [&](WeftStatus given) { return given == weft_status() && refused(nullptr); };
  auto number = [&](int64_t given) { return given == -1 && refused(nullptr); };
  bool all =
      refused(weft_facts(o.model)) && number(weft_threads(o.model)) &&
      status(weft_cancel(o.model, 1)) && status(weft_load(o.model, "x")) &&
      status(weft_initialize(o.model, 1)) && status(weft_save(o.model, "x")) &&
      status(weft_parameter(o.model, "table", &tensor)) &&
      status(weft_parameters_changed(o.model)) && refused(weft_run_open(o.model, "logits")) &&
      status(weft_run_size(o.run, "seq", 1)) && status(weft_run_allocate(o.run)) &&
      status(weft_run_input(o.run, "tokens", &tensor)) &&
      status(weft_run_output(o.run, "output", &tensor)) && status(weft_run(o.run, 0, 0)) &&
      refused(weft_trainer_open(o.model, nullptr, 1, 1)) &&
      refused(weft_trainer_batch(o.trainer)) && status(weft_trainer_step(o.trainer, nullptr)) &&
      number(weft_trainer_steps_taken(o.trainer)) && status(weft_trainer_save(o.trainer, "x")) &&
      status(weft_trainer_load(o.trainer, "x")) &&
      refused(weft_generator_open(o.model, nullptr, 1)) &&
      status(weft_generator_rows(o.generator, 1)) &&
      status(weft_generator_input(o.generator, "x", &id, &row, 1)) &&
      status(weft_generator_reorder(o.generator, &row)) &&
      refused(weft_generator_branch(o.generator, &row, 1)) &&
      number(weft_generator_vocabulary(o.generator)) &&
      refused(weft_advance(o.generator, &id, 1)) && number(weft_generator_known(o.generator)) &&
      status(weft_generator_rewind(o.generator, 0)) && refused(weft_tokenizer_carried(o.model)) &&
      refused(weft_source_tokenizer_carried(o.model));
  if (!all)
    return check;
  // what is not of a model goes on
  return weft_tokenizer_size(o.tokenizer) == 256 && weft_text_push(o.text, 65, nullptr) ? 0 : 100;
}

// abi E11, E12
TEST(Process, AForkedChildIsRefusedAndCloses) {
  auto objects = std::make_unique<Objects>();
  pid_t child = fork();
  if (child == 0) {
    alarm(30); // a child that waits for threads that are not there waits for good
    int code = inChild(*objects);
    objects.reset();
    // one of its own
    WeftModel *model = code == 0 ? openModel() : nullptr;
    if (code == 0 && logitsOf(model, {1, 2}).size() != 2 * vocabulary)
      code = 101;
    weft_close(model);
    _exit(code);
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_TRUE(WIFEXITED(state)) << "signal " << WTERMSIG(state);
  EXPECT_EQ(WEXITSTATUS(state), 0) << "the call that was not refused";
  objects->expectIntact();
}

static std::set<std::string> threadsOfThisProcess() {
  std::set<std::string> threads;
  DIR *folder = opendir("/proc/self/task");
  for (dirent *entry; (entry = readdir(folder));)
    if (entry->d_name[0] != '.')
      threads.insert(entry->d_name);
  closedir(folder);
  return threads;
}

/// The signals that a thread of this process has blocked.
static uint64_t blockedIn(const std::string &thread) {
  std::ifstream status("/proc/self/task/" + thread + "/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("SigBlk:", 0) == 0)
      return std::stoull(line.substr(7), nullptr, 16);
  return 0;
}

// abi E13
TEST(Process, ThreadsOfTheModelTakeNoSignals) {
  std::thread([] {}).join(); // a sanitizer's own thread comes with the first
  std::set<std::string> before = threadsOfThisProcess();
  sigset_t mask, after;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  WeftModel *model = openModel(3);
  pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal < NSIG; ++signal)
    EXPECT_EQ(sigismember(&mask, signal), sigismember(&after, signal)) << signal;
  int workers = 0;
  for (const std::string &thread : threadsOfThisProcess()) {
    if (before.count(thread))
      continue;
    ++workers;
    uint64_t blocked = blockedIn(thread);
    for (int tries = 0; blocked >> (SIGSEGV - 1) & 1 && tries < 10000; ++tries) {
      usleep(1000); // a thread begins with all of them blocked
      blocked = blockedIn(thread);
    }
    for (int signal :
         {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD, SIGUSR1, SIGPROF, SIGPIPE, SIGRTMIN})
      EXPECT_TRUE(blocked >> (signal - 1) & 1) << signal;
    EXPECT_FALSE(blocked >> (SIGSEGV - 1) & 1); // its own fault is for the host to report
  }
  EXPECT_EQ(workers, 2);
  weft_close(model);
}

// abi E14, E15
TEST(Process, ThreadsWaitForEachOther) {
  WeftModel *shared = openModel(), *other = openModel();
  std::vector<float> expected = nextOf(shared, {1, 2, 3});
  std::atomic<int> wrong = 0;
  auto work = [&](WeftModel *model) {
    for (int round = 0; round < 50; ++round) {
      if (nextOf(model, {1, 2, 3}) != expected)
        ++wrong;
      WeftGenerator *generator = weft_generator_open(model, nullptr, 8);
      int32_t ids[] = {1, 2, 3}, none = 1000;
      const float *logits = weft_advance(generator, ids, 3);
      for (int64_t i = 0; !logits || i < vocabulary; ++i)
        if (!logits || std::abs(logits[i] - expected[static_cast<size_t>(i)]) > 1e-6) {
          ++wrong;
          break;
        }
      // an error is of its own thread
      weft_advance(generator, &none, 1);
      if (weft_status() != WEFT_ERROR_VALUE || weft_run_open(model, "x") ||
          weft_status() != WEFT_ERROR_NAME)
        ++wrong;
      weft_generator_close(generator);
    }
  };
  std::vector<std::thread> threads;
  for (WeftModel *model : {shared, shared, shared, other})
    threads.emplace_back(work, model);
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  weft_close(shared);
  weft_close(other);
}

// abi E15
TEST(Process, TwoModelsHaveNothingInCommon) {
  WeftModel *one = openModel(), *two = openModel();
  ASSERT_EQ(weft_initialize(two, 4), WEFT_OK);
  std::vector<float> first = nextOf(one, {7}), second = nextOf(two, {7});
  EXPECT_NE(first, second);
  EXPECT_EQ(weft_cancel(two, 1), WEFT_OK);
  weft_close(two);
  EXPECT_EQ(nextOf(one, {7}), first);
  weft_close(one);
}

// abi E16, E17
TEST(Process, WhatIsCancelledStopsUntilItMayGoOn) {
  Objects o;
  EXPECT_EQ(weft_cancel(o.model, 1), WEFT_OK);
  int32_t id = 3;
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(weft_run(o.run, 0, 0), WEFT_ERROR_CANCELLED);
    EXPECT_STREQ(weft_error(), "cancelled by weft_cancel()");
    EXPECT_EQ(weft_advance(o.generator, &id, 1), nullptr);
    EXPECT_EQ(weft_status(), WEFT_ERROR_CANCELLED);
    EXPECT_EQ(weft_trainer_step(o.trainer, nullptr), WEFT_ERROR_CANCELLED);
  }
  EXPECT_EQ(weft_cancel(o.model, 0), WEFT_OK);
  o.expectIntact();
}

// abi E17
TEST(Process, CancellingAtAnyMomentChangesNothing) {
  Objects o;
  WeftTrainer *trainer = weft_trainer_open(o.model, nullptr, 1000000, 0);
  fillBatch(trainer, 16, 32);
  std::atomic<bool> done = false;
  std::thread canceller([&] {
    for (unsigned i = 0; !done; ++i) {
      weft_cancel(o.model, 1);
      std::this_thread::yield();
      weft_cancel(o.model, 0);
      usleep(i % 7 * 100);
    }
  });
  int cancelled = 0, taken = 0;
  for (int round = 0; round < 100000 && (cancelled < 20 || taken < 20); ++round) {
    std::vector<float> before = everything(o.model);
    WeftStatus status = weft_trainer_step(trainer, nullptr);
    ASSERT_TRUE(status == WEFT_OK || status == WEFT_ERROR_CANCELLED) << weft_error();
    (status == WEFT_OK ? taken : cancelled) += 1;
    ASSERT_EQ(everything(o.model) == before, status != WEFT_OK);
    ASSERT_EQ(weft_trainer_steps_taken(trainer), taken);
  }
  done = true;
  canceller.join();
  EXPECT_GE(taken, 20);
  weft_trainer_close(trainer);
  o.parameters = everything(o.model);
  ASSERT_EQ(weft_run(o.run, 0, 0), WEFT_OK);
  o.logits = output(o.run, "output");
  // what the generator has taken in was with other parameters
  ASSERT_EQ(weft_generator_rewind(o.generator, 0), WEFT_OK);
  int32_t ids[] = {5, 17};
  ASSERT_NE(weft_advance(o.generator, ids, 2), nullptr) << weft_error();
  WeftTrainer *fresh = weft_trainer_open(o.model, nullptr, 3, 0);
  std::swap(fresh, o.trainer);
  weft_trainer_close(fresh);
  o.expectIntact();
}
