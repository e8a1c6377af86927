// Every function of weft.h with what makes no sense: NULL, a wrong order, wrong counts. Each leaves
// its status and a sentence, and everything as it was.
#include "tests/unit/runtime/api/Interface.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>

using namespace weft::interface;

std::vector<std::string> weft::interface::declaredFunctions() {
  std::ifstream file(WEFT_SOURCE "/runtime/weft.h");
  std::stringstream header;
  header << file.rdbuf();
  std::string text = header.str();
  std::vector<std::string> names;
  std::regex declaration("WEFT_API [^;(]*?(weft_\\w+)\\(");
  for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at)
    names.push_back((*at)[1]);
  return names;
}

namespace {
struct Case {
  const char *function;
  std::function<void(Objects &)> call;
  WeftStatus status;
  const char *said;
};

#define WRONG(status, said, function, ...)                                                         \
  Case {                                                                                           \
    #function, [](Objects &o) { (void)o, (void)function(__VA_ARGS__); }, status, said              \
  }
#define NO(name, function, ...)                                                                    \
  WRONG(WEFT_ERROR_USAGE, #function "(): `" name "` is NULL", function, __VA_ARGS__)

template <class T> T sized(size_t size = sizeof(T)) {
  T value = {};
  value.size = size;
  return value;
}
/// Of a later header, with something set that the library does not know.
template <class T> struct Later {
  T known = sized<T>(sizeof(Later));
  int64_t unknown = 1;
};

WeftTensor tensor = sized<WeftTensor>(), shapeless = {};
WeftStep shortStep = sized<WeftStep>(8);
WeftOptions threads2000 = {sizeof(WeftOptions), 2000, 0, nullptr};
WeftOptions mips = {sizeof(WeftOptions), 1, 0, "mips"},
            avx512 = {sizeof(WeftOptions), 1, 0, "avx512"};
WeftOptions noSize = {}, shortOptions = sized<WeftOptions>(8),
            garbage = sized<WeftOptions>(size_t(1) << 40);
Later<WeftOptions> laterOptions;
Later<WeftSampling> laterSampling;
WeftSampling negative = {sizeof(WeftSampling), -1, 0, 0, 0, 0}, noSampling = {};
const int32_t ids[] = {1, 2, 3, 4, 5, 6, 7, 8}, noId[] = {1000};
const int64_t rows[] = {0, 0}, noRow[] = {1}, shape[] = {2, 2};
const float logits[] = {0, 1}, notANumber[] = {NAN, 1};
int32_t room[4];
char bytes[4];
const WeftStatus usage = WEFT_ERROR_USAGE;
const float *places[2];

/// A turn of these ids, in an array that lasts until the next call.
const WeftTurn *turn(WeftGenerator *generator, const int32_t *given, int64_t count,
                     size_t size = sizeof(WeftTurn)) {
  static WeftTurn turns[2];
  turns[0] = {size, generator, given, count, places};
  turns[1] = turns[0]; // once more
  return turns;
}

std::vector<Case> cases() {
  return {
      WRONG(usage, "expected 1 to 1024", weft_open, &threads2000),
      WRONG(usage, "unknown instruction set `mips`", weft_open, &mips),
      WRONG(usage, "holds no avx512 kernels", weft_open, &avx512), // or the machine has none
      WRONG(usage, "begins with its size: 0", weft_open, &noSize),
      WRONG(usage, "begins with its size: 8", weft_open, &shortOptions),
      WRONG(usage, "makes no sense", weft_open, &garbage),
      WRONG(usage, "a later version", weft_open, &laterOptions.known),
      NO("model", weft_facts, nullptr),
      NO("model", weft_threads, nullptr),
      NO("model", weft_cancel, nullptr, 1),
      WRONG(usage, "expected 1 to stop", weft_cancel, o.model, 2),
      NO("model", weft_load, nullptr, "x"),
      NO("path", weft_load, o.model, nullptr),
      WRONG(WEFT_ERROR_FILE, "/no/such", weft_load, o.model, "/no/such"),
      WRONG(WEFT_ERROR_NAME, "no whole checkpoint", weft_load, o.model, "/proc"),
      NO("model", weft_initialize, nullptr, 1),
      NO("model", weft_save, nullptr, "x"),
      NO("path", weft_save, o.model, nullptr),
      WRONG(WEFT_ERROR_FILE, "/no/such", weft_save, o.model, "/no/such/x"),
      NO("model", weft_parameter, nullptr, "table", &tensor),
      NO("name", weft_parameter, o.model, nullptr, &tensor),
      NO("tensor", weft_parameter, o.model, "table", nullptr),
      WRONG(usage, "size: 0", weft_parameter, o.model, "table", &shapeless),
      WRONG(WEFT_ERROR_NAME, "no parameter `tabel`", weft_parameter, o.model, "tabel", &tensor),
      NO("model", weft_parameters_changed, nullptr),
      NO("model", weft_run_open, nullptr, "logits"),
      NO("entry", weft_run_open, o.model, nullptr),
      WRONG(WEFT_ERROR_NAME, "no entry `x`", weft_run_open, o.model, "x"),
      NO("run", weft_run_size, nullptr, "seq", 2),
      NO("dimension", weft_run_size, o.run, nullptr, 2),
      WRONG(WEFT_ERROR_NAME, "no dimension `x`", weft_run_size, o.run, "x", 2),
      WRONG(WEFT_ERROR_SIZE, "seq", weft_run_size, o.run, "seq", 0),
      WRONG(WEFT_ERROR_SIZE, "seq", weft_run_size, o.run, "seq", -1),
      WRONG(WEFT_ERROR_SIZE, "seq <= 32", weft_run_size, o.run, "seq", 33),
      WRONG(WEFT_ERROR_SIZE, "the largest size is", weft_run_size, o.run, "seq", INT64_MAX),
      WRONG(WEFT_ERROR_SIZE, "vocab", weft_run_size, o.run, "vocab", 2),
      NO("run", weft_run_allocate, nullptr),
      WRONG(WEFT_ERROR_SIZE, "batch", weft_run_allocate, o.fresh),
      NO("run", weft_run_input, nullptr, "tokens", &tensor),
      NO("name", weft_run_input, o.run, nullptr, &tensor),
      NO("tensor", weft_run_input, o.run, "tokens", nullptr),
      WRONG(usage, "size: 0", weft_run_input, o.run, "tokens", &shapeless),
      WRONG(usage, "comes first", weft_run_input, o.fresh, "tokens", &tensor),
      WRONG(WEFT_ERROR_NAME, "it has `tokens`", weft_run_input, o.run, "output", &tensor),
      NO("run", weft_run_output, nullptr, "output", &tensor),
      NO("name", weft_run_output, o.run, nullptr, &tensor),
      NO("tensor", weft_run_output, o.run, "output", nullptr),
      WRONG(usage, "comes first", weft_run_output, o.fresh, "output", &tensor),
      WRONG(WEFT_ERROR_NAME, "it has `output`", weft_run_output, o.run, "tokens", &tensor),
      NO("run", weft_run, nullptr, 0, 0),
      WRONG(usage, "comes first", weft_run, o.fresh, 0, 0),
      NO("model", weft_trainer_open, nullptr, nullptr, 3, 0),
      WRONG(WEFT_ERROR_NAME, "no training `x`", weft_trainer_open, o.model, "x", 3, 0),
      WRONG(usage, "0 steps", weft_trainer_open, o.model, nullptr, 0, 0),
      WRONG(usage, "expected 1 to 2147483647", weft_trainer_open, o.model, nullptr,
            int64_t(1) << 31, 0),
      NO("trainer", weft_trainer_batch, nullptr),
      NO("trainer", weft_trainer_step, nullptr, nullptr),
      WRONG(usage, "size: 8", weft_trainer_step, o.trainer, &shortStep),
      NO("trainer", weft_trainer_steps_taken, nullptr),
      NO("trainer", weft_trainer_save, nullptr, "x"),
      NO("folder", weft_trainer_save, o.trainer, nullptr),
      WRONG(WEFT_ERROR_FILE, "/proc/x", weft_trainer_save, o.trainer, "/proc/x"),
      NO("trainer", weft_trainer_load, nullptr, "x"),
      NO("folder", weft_trainer_load, o.trainer, nullptr),
      WRONG(WEFT_ERROR_NAME, "no whole checkpoint", weft_trainer_load, o.trainer, "/proc"),
      NO("model", weft_generator_open, nullptr, nullptr, 8),
      WRONG(WEFT_ERROR_NAME, "no entry `x`", weft_generator_open, o.model, "x", 8),
      WRONG(WEFT_ERROR_SIZE, "expected 1 to 32", weft_generator_open, o.model, nullptr, 0),
      WRONG(WEFT_ERROR_SIZE, "expected 1 to 32", weft_generator_open, o.model, nullptr, 33),
      NO("generator", weft_generator_rows, nullptr, 1),
      WRONG(usage, "at least one row", weft_generator_rows, o.generator, 0),
      NO("generator", weft_generator_input, nullptr, "x", logits, shape, 2),
      NO("name", weft_generator_input, o.generator, nullptr, logits, shape, 2),
      NO("data", weft_generator_input, o.generator, "x", nullptr, shape, 2),
      WRONG(usage, "`shape` is NULL", weft_generator_input, o.generator, "x", logits, nullptr, 2),
      WRONG(usage, "-1 sizes", weft_generator_input, o.generator, "x", logits, shape, -1),
      WRONG(WEFT_ERROR_NAME, "takes no `x`", weft_generator_input, o.generator, "x", logits, shape,
            2),
      NO("generator", weft_generator_reorder, nullptr, rows),
      NO("from", weft_generator_reorder, o.generator, nullptr),
      WRONG(usage, "cannot go on from row 1", weft_generator_reorder, o.generator, noRow),
      NO("generator", weft_generator_branch, nullptr, rows, 1),
      WRONG(usage, "at least one row", weft_generator_branch, o.generator, rows, 0),
      WRONG(usage, "row 1 cannot go on from row 1", weft_generator_branch, o.generator, nullptr, 2),
      WRONG(usage, "row 1 cannot go on from row 1", weft_generator_branch, o.generator, nullptr,
            INT64_MAX),
      WRONG(usage, "cannot go on from row 1", weft_generator_branch, o.generator, noRow, 1),
      NO("generator", weft_generator_vocabulary, nullptr),
      NO("generator", weft_advance, nullptr, ids, 1),
      NO("turns", weft_advance_together, nullptr, 1),
      WRONG(usage, "-1 turns", weft_advance_together, turn(o.generator, ids, 1), -1),
      NO("generator", weft_advance_together, turn(nullptr, ids, 1), 1),
      WRONG(usage, "must not be NULL", weft_advance_together, turn(o.generator, nullptr, 1), 1),
      WRONG(usage, "has one before", weft_advance_together, turn(o.generator, ids, 1), 2),
      WRONG(usage, "at least one", weft_advance_together, turn(o.generator, ids, 0), 1),
      WRONG(usage, "size: 4", weft_advance_together, turn(o.generator, ids, 1, 4), 1),
      WRONG(WEFT_ERROR_VALUE, "vocab has size", weft_advance_together, turn(o.generator, noId, 1),
            1),
      NO("ids", weft_advance, o.generator, nullptr, 1),
      WRONG(usage, "expected at least one", weft_advance, o.generator, ids, 0),
      WRONG(usage, "expected at least one", weft_advance, o.generator, ids, -1),
      WRONG(WEFT_ERROR_SIZE, "capacity", weft_advance, o.generator, ids, 7),
      WRONG(WEFT_ERROR_VALUE, "vocab has size 128", weft_advance, o.generator, noId, 1),
      NO("generator", weft_generator_known, nullptr),
      NO("generator", weft_generator_rewind, nullptr, 0),
      WRONG(usage, "cannot go back to 3", weft_generator_rewind, o.generator, 3),
      WRONG(usage, "cannot go back to -1", weft_generator_rewind, o.generator, -1),
      NO("logits", weft_sample, nullptr, 2, nullptr, 0),
      WRONG(usage, "needs 1 to", weft_sample, logits, 0, nullptr, 0),
      WRONG(usage, "temperature", weft_sample, logits, 2, &negative, 0),
      WRONG(usage, "size: 0", weft_sample, logits, 2, &noSampling, 0),
      WRONG(usage, "a later version", weft_sample, logits, 2, &laterSampling.known, 0),
      WRONG(WEFT_ERROR_VALUE, "NaN", weft_sample, notANumber, 2, nullptr, 0),
      NO("path", weft_tokenizer_open, nullptr),
      WRONG(WEFT_ERROR_FILE, "/no/such", weft_tokenizer_open, "/no/such"),
      NO("model", weft_tokenizer_carried, nullptr),
      WRONG(WEFT_ERROR_NAME, "carries no tokenizer", weft_tokenizer_carried, o.model),
      NO("model", weft_source_tokenizer_carried, nullptr),
      WRONG(WEFT_ERROR_NAME, "carries no tokenizer of sources", weft_source_tokenizer_carried,
            o.model),
      NO("tokenizer", weft_tokenizer_size, nullptr),
      NO("tokenizer", weft_tokenizer_start, nullptr),
      NO("tokenizer", weft_tokenizer_end, nullptr),
      NO("tokenizer", weft_encode, nullptr, "x", 1, room, 4),
      NO("text", weft_encode, o.tokenizer, nullptr, 1, room, 4),
      NO("ids", weft_encode, o.tokenizer, "x", 1, nullptr, 4),
      WRONG(usage, "less than nothing", weft_encode, o.tokenizer, "x", 1, room, -1),
      NO("tokenizer", weft_decode, nullptr, 1, bytes, 4),
      NO("bytes", weft_decode, o.tokenizer, 1, nullptr, 4),
      WRONG(usage, "less than nothing", weft_decode, o.tokenizer, 1, bytes, -1),
      NO("tokenizer", weft_decode_all, nullptr, ids, 1, bytes, 4),
      NO("ids", weft_decode_all, o.tokenizer, nullptr, 1, bytes, 4),
      NO("bytes", weft_decode_all, o.tokenizer, ids, 1, nullptr, 4),
      WRONG(usage, "fewer than no ids", weft_decode_all, o.tokenizer, ids, -1, bytes, 4),
      WRONG(usage, "less than nothing", weft_decode_all, o.tokenizer, ids, 1, bytes, -1),
      NO("tokenizer", weft_text_open, nullptr),
      NO("text", weft_text_push, nullptr, 65, nullptr),
      NO("text", weft_text_finish, nullptr, nullptr),
  };
}
} // namespace

// abi E2, E3, E4, E5, E6
TEST(Negative, EveryWrongCallSaysWhatIsWrongAndChangesNothing) {
  Objects objects;
  for (const Case &wrong : cases()) {
    SCOPED_TRACE(std::string(wrong.function) + ": " + wrong.said);
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    wrong.call(objects);
    EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(weft_status(), wrong.status) << weft_error();
    std::string said = weft_error();
    bool machineLacks = said.find("does not run") != std::string::npos; // avx512
    EXPECT_TRUE(machineLacks || said.find(wrong.said) != std::string::npos) << said;
    objects.expectIntact();
    EXPECT_EQ(weft_status(), WEFT_OK);
    EXPECT_STREQ(weft_error(), "");
  }
}

TEST(Negative, CoversEveryFunction) {
  std::set<std::string> covered;
  for (const Case &wrong : cases())
    covered.insert(wrong.function);
  for (const std::string &name : declaredFunctions()) {
    bool takesNothing = name == "weft_version" || name == "weft_status" || name == "weft_error" ||
                        name == "weft_warning" || name == "weft_api";
    bool closes = name.ends_with("close"); // below
    EXPECT_TRUE(takesNothing || closes || covered.count(name)) << name;
  }
}

// abi E7
TEST(Negative, ClosingNothingIsFineAndLeavesTheStatus) {
  EXPECT_EQ(weft_run_open(nullptr, "x"), nullptr);
  weft_close(nullptr);
  weft_run_close(nullptr);
  weft_trainer_close(nullptr);
  weft_generator_close(nullptr);
  weft_tokenizer_close(nullptr);
  weft_text_close(nullptr);
  EXPECT_EQ(weft_status(), WEFT_ERROR_USAGE);
  EXPECT_STREQ(weft_error(), "weft_run_open(): `model` is NULL");
}

// abi E8
TEST(Negative, TheBatchOfATrainerIsNotClosedByOthers) {
  Objects objects;
  weft_run_close(weft_trainer_batch(objects.trainer));
  EXPECT_EQ(weft_trainer_step(objects.trainer, nullptr), WEFT_OK) << weft_error();
}

// abi E9
TEST(Negative, WhatIsMadeOfAModelOutlivesItsClosing) {
  WeftModel *model = openModel();
  WeftGenerator *generator = weft_generator_open(model, nullptr, 8);
  WeftTrainer *trainer = weft_trainer_open(model, nullptr, 3, 0);
  weft_close(model);
  EXPECT_NE(weft_advance(generator, ids, 3), nullptr) << weft_error();
  fillBatch(trainer);
  EXPECT_EQ(weft_trainer_step(trainer, nullptr), WEFT_OK) << weft_error();
  weft_generator_close(generator);
  EXPECT_EQ(weft_trainer_step(trainer, nullptr), WEFT_OK) << weft_error();
  weft_trainer_close(trainer);
}
