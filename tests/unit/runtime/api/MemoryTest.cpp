// Memory runs out at every place where a call takes some, once or for good: the call says MEMORY,
// everything is as before, nothing is lost, and the same call succeeds afterwards.
#include "tests/unit/runtime/api/FailingMemory.h"
#include "tests/unit/runtime/api/Interface.h"

#include <cstdlib>
#include <exception>
#include <execinfo.h>
#include <filesystem>
#include <functional>
#include <set>

using namespace weft::interface;

namespace {
const int32_t ids[] = {9, 8};
const int64_t twice[] = {0, 0}, swapped[] = {1, 0};
int32_t room[8];
char bytes[8];

/// What a test has beside the objects: files, and what the calls make.
struct Stage {
  Objects objects;
  TemporaryFolder folder;
  WeftModel *model = nullptr;
  WeftRun *run = nullptr;
  WeftTrainer *trainer = nullptr;
  WeftGenerator *generator = nullptr, *behind = nullptr;
  WeftTokenizer *tokenizer = nullptr;
  WeftText *text = nullptr;

  std::string weights = folder / "weights", saved = folder / "saved", other = folder / "other",
              another = folder / "another", json = folder / "tokenizer.json",
              words = folder / "vocab.txt", described = folder / "described.json";
  Stage() {
    EXPECT_EQ(weft_save(objects.model, weights.c_str()), WEFT_OK);
    EXPECT_EQ(weft_trainer_save(objects.trainer, saved.c_str()), WEFT_OK) << weft_error();
    writeAll(json, R"({"weft_tokenizer": 1, "kind": "bpe", "merges": [[0, 1], [256, 2]]})");
    writeAll(words, "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\n##c\n");
    writeAll(described, R"({"model": {"type": "Unigram", "unk_id": 0,
      "vocab": [["<unk>", 0], ["\u2581", -1.5], ["a", -2]]}, "added_tokens": [{"id": 3, "content":
      "</s>"}], "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
      "pre_tokenizer": {"type": "Metaspace"}, "decoder": {"type": "Metaspace"}})");
  }
  ~Stage() { close(); }
  void close() {
    weft_close(model);
    weft_run_close(run);
    weft_trainer_close(trainer);
    weft_generator_close(generator);
    weft_generator_close(behind);
    weft_tokenizer_close(tokenizer);
    weft_text_close(text);
    model = nullptr, run = nullptr, trainer = nullptr;
    generator = behind = nullptr, tokenizer = nullptr, text = nullptr;
  }
};

struct Walk {
  const char *function;
  std::function<void(Stage &)> call;
  std::function<void(Stage &)> before = [](Stage &) {};
};

#define CALL(function, ...)                                                                        \
  {#function, [](Stage &s) {                                                                       \
     (void)s;                                                                                      \
     __VA_ARGS__;                                                                                  \
   }}
#define CALL_AFTER(function, before, ...)                                                          \
  {#function,                                                                                      \
   [](Stage &s) {                                                                                  \
     (void)s;                                                                                      \
     __VA_ARGS__;                                                                                  \
   },                                                                                              \
   [](Stage &s) {                                                                                  \
     (void)s;                                                                                      \
     before;                                                                                       \
   }}

std::vector<Walk> walks() {
  return {
    CALL(weft_open, s.model = weft_open(nullptr)), CALL(weft_facts, weft_facts(s.objects.model)),
        CALL(weft_threads, weft_threads(s.objects.model)),
        CALL(weft_cancel, weft_cancel(s.objects.model, 0)),
        CALL(weft_load, weft_load(s.objects.model, s.weights.c_str())),
        CALL(weft_load, weft_load(s.objects.model, s.saved.c_str())),
        CALL(weft_initialize, weft_initialize(s.objects.model, 3)),
        CALL(weft_save, weft_save(s.objects.model, s.other.c_str())),
        CALL(weft_parameter, WeftTensor t = {sizeof t};
             weft_parameter(s.objects.model, "table", &t)),
        CALL(weft_parameters_changed, weft_parameters_changed(s.objects.model)),
        CALL(weft_run_open, s.run = weft_run_open(s.objects.model, "logits")),
        CALL(weft_run_size, weft_run_size(s.objects.fresh, "batch", 1)),
        CALL_AFTER(weft_run_allocate, setSizes(s.objects.fresh, 3, 31),
                   weft_run_allocate(s.objects.fresh)),
        CALL(weft_run_input, WeftTensor t = {sizeof t};
             weft_run_input(s.objects.run, "tokens", &t)),
        CALL(weft_run_output, WeftTensor t = {sizeof t};
             weft_run_output(s.objects.run, "output", &t)),
        CALL(weft_run, weft_run(s.objects.run, 0, 0)),
        CALL(weft_trainer_open, s.trainer = weft_trainer_open(s.objects.model, nullptr, 3, 0)),
        CALL(weft_trainer_batch, weft_trainer_batch(s.objects.trainer)),
        CALL(weft_trainer_steps_taken, weft_trainer_steps_taken(s.objects.trainer)),
        CALL(weft_trainer_save, weft_trainer_save(s.objects.trainer, s.another.c_str())),
        CALL(weft_trainer_load, weft_trainer_load(s.objects.trainer, s.saved.c_str())),
        CALL(weft_generator_open, s.generator = weft_generator_open(s.objects.model, nullptr, 8)),
        CALL_AFTER(weft_generator_rows,
                   s.generator = weft_generator_open(s.objects.model, nullptr, 8),
                   weft_generator_rows(s.generator, 3)),
        CALL_AFTER(weft_generator_reorder,
                   s.generator = weft_generator_branch(s.objects.generator, twice, 2);
                   weft_advance(s.generator, ids, 1), weft_generator_reorder(s.generator, swapped)),
        CALL(weft_generator_branch,
             s.generator = weft_generator_branch(s.objects.generator, twice, 2)),
        CALL(weft_generator_vocabulary, weft_generator_vocabulary(s.objects.generator)),
        CALL_AFTER(weft_advance,
                   s.generator = weft_generator_branch(s.objects.generator, nullptr, 1),
                   weft_advance(s.generator, ids, 2)),
        CALL_AFTER(weft_advance_together,
                   s.generator = weft_generator_branch(s.objects.generator, nullptr, 1);
                   s.behind = weft_generator_open(s.objects.model, nullptr, 8),
                   const float *logits[3];
                   WeftTurn turns[] = {{sizeof(WeftTurn), s.generator, ids, 2, logits},
                                       {sizeof(WeftTurn), s.behind, ids, 1, logits + 2}};
                   weft_advance_together(turns, 2)),
        CALL(weft_generator_known, weft_generator_known(s.objects.generator)),
        CALL(weft_generator_rewind, weft_generator_rewind(s.objects.generator, 2)),
        CALL(weft_sample, float logits[] = {1, 2}; WeftSampling how = {sizeof how, 1, 2, 0.5, 0, 1};
             weft_sample(logits, 2, &how, 0)),
        CALL(weft_tokenizer_open, s.tokenizer = weft_tokenizer_open("byte")),
        CALL(weft_tokenizer_open, s.tokenizer = weft_tokenizer_open(s.json.c_str())),
        CALL(weft_tokenizer_open, s.tokenizer = weft_tokenizer_open(s.words.c_str())),
        CALL(weft_tokenizer_open, s.tokenizer = weft_tokenizer_open(s.described.c_str())),
        CALL(weft_tokenizer_size, weft_tokenizer_size(s.objects.tokenizer)),
        CALL(weft_tokenizer_start, weft_tokenizer_start(s.objects.tokenizer)),
        CALL(weft_tokenizer_end, weft_tokenizer_end(s.objects.tokenizer)),
        CALL(weft_encode, weft_encode(s.objects.tokenizer, "hello", 5, room, 8)),
        CALL(weft_decode, weft_decode(s.objects.tokenizer, 65, bytes, 8)),
        CALL(weft_decode_all, weft_decode_all(s.objects.tokenizer, ids, 2, bytes, 8)),
        CALL(weft_text_open, s.text = weft_text_open(s.objects.tokenizer)),
        CALL(weft_text_push, weft_text_push(s.objects.text, 65, nullptr)),
        CALL(weft_text_finish, weft_text_finish(s.objects.text, nullptr)),
        CALL_AFTER(weft_trainer_step, fillBatch(s.objects.trainer, 3, 5),
                   weft_trainer_step(s.objects.trainer, nullptr)),
  };
}

/// What is under way, for who looks at the end of a process.
struct {
  const char *function = "";
  int64_t number = 0;
} now;

void sayWhere() {
  failAt(0, false);
  fprintf(stderr, "terminated in %s, allocation %lld\n", now.function,
          static_cast<long long>(now.number));
  void *frames[60];
  backtrace_symbols_fd(frames, backtrace(frames, 60), 2);
  abort();
}

/// Fails one allocation of the call after the other, until the call has no more.
void walk(const Walk &walk, bool forGood, int64_t &places) {
  Stage stage;
  for (int64_t number = 1;; ++number) {
    walk.before(stage);
    now = {walk.function, number};
    failAt(number, forGood);
    walk.call(stage);
    WeftStatus status = weft_status();
    bool failed = stopFailing();
    if (!failed) {
      EXPECT_EQ(status, WEFT_OK) << weft_error();
      places += number - 1;
      return;
    }
    // a file that cannot be mapped says so
    EXPECT_TRUE(status == WEFT_ERROR_MEMORY || status == WEFT_ERROR_FILE) << status;
    EXPECT_STRNE(weft_error(), "");
    stage.close();
    stage.objects.expectIntact();
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "allocation " << number << " of " << walk.function;
      return;
    }
  }
}
/// Files that are open.
std::ptrdiff_t openFiles() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}
} // namespace

class Memory : public testing::TestWithParam<bool> {};

// abi E10
TEST_P(Memory, RunsOutAnywhereAndNothingIsLost) {
  std::set_terminate(sayWhere);
  int64_t places = 0;
  for (const Walk &each : walks()) {
    int64_t once = 0;
    walk(each, GetParam(), once); // what is made once for good
    int64_t before = blocks();
    std::ptrdiff_t open = openFiles();
    walk(each, GetParam(), places);
    EXPECT_EQ(blocks(), before) << each.function;
    EXPECT_EQ(openFiles(), open) << each.function;
  }
  EXPECT_GT(places, 200);
  printf("%lld places where memory can run out\n", static_cast<long long>(places));
}

TEST_P(Memory, WalksEveryFunctionThatDoesSomething) {
  std::set<std::string> walked;
  for (const Walk &each : walks())
    walked.insert(each.function);
  for (const std::string &name : declaredFunctions()) {
    bool takesNothing = name == "weft_version" || name == "weft_status" || name == "weft_error" ||
                        name == "weft_warning" || name == "weft_api" || name.ends_with("close");
    bool lacks = name.ends_with("carried") || name == "weft_generator_input"; // of this model
    EXPECT_TRUE(takesNothing || lacks || walked.count(name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Allocations, Memory, testing::Bool(), [](const auto &info) {
  return std::string(info.param ? "ForGood" : "Once");
});
