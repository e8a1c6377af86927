// Pairs of sentences: ids, lengths, vocabularies, splits and the order of batches; bad files.
#include "runtime/data/OpenData.h"
#include "runtime/data/pairs/PairSource.h"
#include "runtime/text/OpenTokenizer.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace weft::runtime;

namespace {
/// A program that takes pairs and computes nothing.
class PairsTest : public testing::Test {
protected:
  void open(int sourceWords, int targetWords, const std::string &sourceBound = "null") {
    std::string inputs =
        R"([{"name": "source", "element": "int", "dims": [0, 1], "index": 3},
            {"name": "valid", "element": "int", "dims": [0]},
            {"name": "target", "element": "int", "dims": [0, 2], "index": 4},
            {"name": "label", "element": "int", "dims": [0, 2], "index": 4},
            {"name": "count", "element": "int", "dims": [0]}])";
    auto entry = [&](const char *name, const char *kind, const std::string &takes) {
      return std::string(R"({"name": ")") + name + R"(", "kind": ")" + kind + R"(", "inputs": )" +
             takes + R"(, "outputs": []})";
    };
    json = R"({"weft": 1, "source": "pairs.weft", "dims": [
        {"name": "batch", "size": null}, {"name": "src", "size": null, "line": 3, "bound": )" +
           sourceBound + R"(}, {"name": "tgt", "size": null},
        {"name": "svocab", "line": 4, "size": )" +
           std::to_string(sourceWords) + R"(}, {"name": "tvocab", "line": 4, "size": )" +
           std::to_string(targetWords) + R"(}], "parameters": [], "entries": [)" +
           entry("train.gradient", "gradient", inputs) + "," +
           entry("train.update", "update", "[]") + R"(],
        "training": [{"name": "train", "entry": "loss", "gradient": "train.gradient",
                      "update": "train.update", "data": {"kind": "pairs", "arguments":
                      {"source": "source", "valid": "valid", "target": "target", "label": "label",
                       "length": "count"}}}]})";
    static const WeftEntryCode code[] = {{none, nullptr, [](const WeftCall *) {}, nullptr},
                                         {none, nullptr, [](const WeftCall *) {}, nullptr}};
    program = {WEFT_ABI_VERSION, 2, json.c_str(), json.size(), {code, nullptr}};
    auto opened = Model::open(program, {.threads = 1});
    ASSERT_TRUE(opened) << opened.error().message;
    model = std::move(*opened);
  }
  static int64_t none(const int64_t *) { return 0; }

  /// The source, or the error's message in `problem`.
  std::unique_ptr<DataSource> data(const std::string &path, DataOptions options,
                                   uint64_t seed = 0) {
    DataRequest request;
    request.data = "pairs:" + path;
    request.options = std::move(options);
    request.seed = seed;
    auto opened = openData(*model, model->facts.trainings[0], request);
    problem = opened ? "" : opened.error().message;
    return opened ? std::move(*opened) : nullptr;
  }
  std::unique_ptr<DataSource> lines(const std::string &text, DataOptions options) {
    writeAll(folder / "pairs.tsv", text);
    return data(folder / "pairs.tsv", std::move(options));
  }
  /// The rows of an input after a split was filled in.
  static std::vector<std::vector<int32_t>> rows(const EntryRun &run, const char *input) {
    int number = argumentNamed(run.entry().inputs, input);
    std::vector<int64_t> shape = run.inputShape(number);
    int64_t width = shape.size() == 2 ? shape[1] : 1;
    std::vector<std::vector<int32_t>> out;
    for (int64_t i = 0; i < shape[0]; ++i)
      out.emplace_back(run.input<int32_t>(number) + i * width,
                       run.input<int32_t>(number) + (i + 1) * width);
    return out;
  }
  TemporaryFolder folder;
  std::string json, problem;
  WeftProgram program{};
  std::unique_ptr<Model> model;
};

const std::string four = "Go.\tVa !\nI'm home.\tJe suis chez moi.\nGo!\tVa !\nGo.\tMarche.\n";
} // namespace

TEST_F(PairsTest, FillsEveryInput) {
  open(20, 20);
  auto source = lines(four, {{"min-count", "1"}, {"validate-on", "1"}});
  ASSERT_TRUE(source) << problem;
  EXPECT_EQ(source->rows(Split::Train), 3);
  EXPECT_EQ(source->rows(Split::Validation), 1);
  EXPECT_EQ(source->rows(Split::Test), 0);
  EntryRun run(*model, 0);
  ASSERT_TRUE(source->setSizes(run, 2));
  ASSERT_TRUE(run.allocate());
  ASSERT_TRUE(source->fill(run, Split::Train, 0, 2));
  // ! . <eos> <pad> <unk> go home i'm; ! . <bos> <eos> <pad> <unk> chez je marche moi suis va
  EXPECT_EQ(rows(run, "source"), (std::vector<std::vector<int32_t>>{{5, 1, 2, 3}, {7, 6, 1, 2}}));
  EXPECT_EQ(rows(run, "valid"), (std::vector<std::vector<int32_t>>{{3}, {4}}));
  EXPECT_EQ(rows(run, "target"),
            (std::vector<std::vector<int32_t>>{{2, 11, 0, 3, 4, 4}, {2, 7, 10, 6, 9, 1}}));
  EXPECT_EQ(rows(run, "label"),
            (std::vector<std::vector<int32_t>>{{11, 0, 3, 4, 4, 4}, {7, 10, 6, 9, 1, 3}}));
  EXPECT_EQ(rows(run, "count"), (std::vector<std::vector<int32_t>>{{3}, {6}}));
  EXPECT_EQ(source->weight(Split::Train, 0, 2), 9);
  ASSERT_TRUE(source->fill(run, Split::Train, 0, 1)); // shorter: other sizes
  EXPECT_EQ(rows(run, "label"), (std::vector<std::vector<int32_t>>{{11, 0, 3}}));
}

TEST_F(PairsTest, EveryEpochHasEverySentenceOnce) {
  open(2000, 2000);
  auto sentences = [](int count) {
    std::string text;
    for (int i = 0; i < count; ++i) {
      std::string words;
      for (int j = 0; j <= i % 7; ++j)
        words += " w" + std::to_string(i);
      text += words + "\t" + words + "\n";
    }
    return text;
  };
  DataOptions fixed{{"validate-on", "0"}, {"min-count", "1"}, {"seq", "8"}};
  auto source = lines(sentences(100), fixed);
  ASSERT_TRUE(source) << problem;
  std::vector<std::vector<int64_t>> epochs;
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    std::set<int64_t> seen;
    epochs.emplace_back();
    for (int64_t i = epoch * 100; i < (epoch + 1) * 100; ++i) {
      epochs.back().push_back(source->pairs()->sentenceAt(i / 10 + 1, 10, i % 10));
      seen.insert(epochs.back().back());
    }
    EXPECT_EQ(seen.size(), 100u);
  }
  EXPECT_NE(epochs[0], epochs[1]);
  auto other = data(folder / "pairs.tsv", fixed, 1);
  EXPECT_NE(other->pairs()->sentenceAt(1, 100, 0) * 100 + other->pairs()->sentenceAt(1, 100, 1),
            source->pairs()->sentenceAt(1, 100, 0) * 100 + source->pairs()->sentenceAt(1, 100, 1));

  // 64 steps of 25 are an epoch: every sentence once, and batches of about one length
  auto bucketed = lines(sentences(1600), {{"validate-on", "0"}, {"min-count", "1"}});
  std::map<int64_t, int> times;
  int64_t spread = 0;
  for (int64_t step = 1; step <= 64; ++step) {
    std::set<size_t> lengths;
    for (int64_t row = 0; row < 25; ++row) {
      int64_t sentence = bucketed->pairs()->sentenceAt(step, 25, row);
      ++times[sentence];
      lengths.insert(
          bucketed->pairs()->of(Split::Train)[static_cast<size_t>(sentence)].source.size());
    }
    spread += static_cast<int64_t>(*lengths.rbegin() - *lengths.begin());
  }
  for (auto [sentence, count] : times)
    EXPECT_EQ(count, 1) << sentence;
  EXPECT_EQ(times.size(), 1600u);
  EXPECT_LE(spread, 6); // seven lengths, so six batches hold two
}

// Of few sentences a batch has no copies, and an epoch has all: the pool that is sorted is no
// larger.
TEST_F(PairsTest, AShortTrainingSeesAllOfFewSentences) {
  open(400, 400);
  std::string text;
  for (int i = 0; i < 62; ++i)
    text += "w" + std::to_string(i) + "\tw" + std::to_string(i) + "\n";
  auto source = lines(text, {{"validate-on", "0"}, {"min-count", "1"}});
  ASSERT_TRUE(source) << problem;
  for (int64_t epoch = 0; epoch < 3;
       ++epoch) { // of 7 steps, the last of which goes on with the next
    std::set<int64_t> seen;
    for (int64_t step = 1; step <= 7; ++step) {
      std::set<int64_t> batch;
      for (int64_t row = 0; row < 9; ++row)
        batch.insert(source->pairs()->sentenceAt(epoch * 7 + step, 9, row));
      EXPECT_GE(batch.size(), 8u);
      seen.insert(batch.begin(), batch.end());
    }
    EXPECT_GE(seen.size(), 60u);
  }
}

TEST_F(PairsTest, RandomHeldOutPairsAreOfOtherSources) {
  open(400, 400);
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += "w" + std::to_string(i / 3) + "\tt" + std::to_string(i) + "\n";
  auto source = lines(
      text, {{"validate-on", "30"}, {"test-on", "20"}, {"held-out", "random"}, {"min-count", "1"}});
  ASSERT_TRUE(source) << problem;
  std::map<std::string, std::set<int>> splits;
  int64_t all = 0;
  for (Split split : {Split::Train, Split::Validation, Split::Test})
    for (const PairSource::Row &row : source->pairs()->of(split)) {
      splits[row.sourceText].insert(static_cast<int>(split));
      ++all;
    }
  EXPECT_EQ(all, 300);
  for (const auto &[sentence, in] : splits)
    EXPECT_EQ(in.size(), 1u) << sentence;
  EXPECT_NEAR(static_cast<double>(source->rows(Split::Validation)), 30, 2);
  EXPECT_NEAR(static_cast<double>(source->rows(Split::Test)), 20, 2);
  EXPECT_LT(source->pairs()->of(Split::Test)[0].line, 280); // not the last of the file
}

TEST_F(PairsTest, WrongFilesAndOptions) {
  open(7, 20);
  auto expect = [&](const std::string &message) {
    EXPECT_NE(problem.find(message), std::string::npos) << problem;
  };
  EXPECT_FALSE(lines(four, {{"min-count", "1"}}));
  expect("there are 8 words for `source`, but svocab is 7 (pairs.weft:4); build with --set "
         "svocab=8,tvocab=12");
  EXPECT_FALSE(lines("no tab\nnone here\n", {}));
  expect("pairs.tsv: no line of it is two sentences with a tab between");
  EXPECT_FALSE(lines("", {}));
  expect("pairs.tsv: no line");
  EXPECT_FALSE(lines("a\tb\nbad \xff\tc\n", {}));
  expect("pairs.tsv:2: is not UTF-8 at byte 4 of the line");
  EXPECT_FALSE(lines(four, {{"validate-on", "4"}}));
  expect("none of its 4 pairs is left to train on: 4 to validate on and 0 to test on");
  EXPECT_FALSE(lines(four, {{"held-out", "first"}}));
  expect("--held-out first: expected last or random");
  EXPECT_FALSE(lines(four, {{"tokenizer", "char"}}));
  expect("--tokenizer goes with `text:FILE`, not with pairs:");
  EXPECT_FALSE(data(folder / "absent.tsv", {}));
  expect("absent.tsv");
  auto source = lines("a b\n" + four + "two\ttabs\there\n\tempty\n", {});
  ASSERT_TRUE(source) << problem;
  EXPECT_NE(
      source->description().find(
          "3 lines skipped that are not two sentences with a tab between, the first is line 1"),
      std::string::npos)
      << source->description();
}

TEST_F(PairsTest, LongSentencesAreNamedOrCut) {
  open(20, 20, "3");
  EXPECT_FALSE(lines(four, {}));
  EXPECT_NE(problem.find("pairs.tsv:2: the source has 4 tokens with its end mark, this build has "
                         "room for src <= 3 (pairs.weft:3); leave it out, or cut sentences with "
                         "--seq 3"),
            std::string::npos)
      << problem;
  EXPECT_FALSE(lines(four, {{"seq", "4"}}));
  EXPECT_NE(problem.find("--seq 4: this build has src <= 3"), std::string::npos) << problem;
  auto source = lines(four, {{"seq", "3"}, {"validate-on", "0"}});
  ASSERT_TRUE(source) << problem;
  EXPECT_EQ(source->pairs()->of(Split::Train)[1].label.size(), 3u);
}

TEST_F(PairsTest, TheRecipesOfText) {
  EXPECT_EQ(wordsOf("I'M Home.", {}), (std::vector<std::string>{"i'm", "home", "."}));
  EXPECT_EQ(wordsOf("Wait , no...", {}),
            (std::vector<std::string>{"wait", ",", "no", ".", ".", "."}));
  EXPECT_EQ(wordsOf("3,5 \u00c9T\u00c9\u202f!\u00a0", {}),
            (std::vector<std::string>{"3", ",5", "\u00e9t\u00e9", "!"}));
  EXPECT_EQ(wordsOf("Go. Now", {false, false}), (std::vector<std::string>{"Go.", "Now"}));
}

namespace {
class PairsRecord : public PairsTest {
protected:
  void SetUp() override {
    if (!std::filesystem::exists(weft::test::recordedData("seeds/003-data.json")))
      GTEST_SKIP() << "there is no recorded data (WEFT_DATA)";
    std::string command = "gunzip -c " +
                          weft::test::recordedData("corpora/fra-eng/fra.txt.gz").string() + " > " +
                          (folder / "fra.tsv");
    ASSERT_EQ(system(command.c_str()), 0);
    recorded =
        nlohmann::json::parse(std::ifstream(weft::test::recordedData("seeds/003-data.json")));
    open(194, 214);
  }
  nlohmann::json recorded;
};
} // namespace

TEST_F(PairsRecord, TheTranslationDataOfTheSeed) {
  auto source = data(folder / "fra.tsv", {{"pairs", "641"}, {"validate-on", "129"}, {"seq", "9"}});
  ASSERT_TRUE(source) << problem;
  ASSERT_EQ(source->rows(Split::Train), 512);
  ASSERT_EQ(source->rows(Split::Validation), 129);
  for (auto [file, vocabulary] :
       {std::pair{"source-tokenizer.json", "src_vocab"}, {"tokenizer.json", "tgt_vocab"}})
    for (const SavedTokenizer &saved : source->tokenizers())
      if (std::string(saved.file) == file) {
        EXPECT_EQ(saved.tokenizer->json()["words"], recorded[vocabulary]);
        TemporaryFolder kept; // and again from a checkpoint
        writeAll(kept / file, saved.tokenizer->json().dump());
        auto read = readTokenizer(kept / file);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ((*read)->json(), saved.tokenizer->json());
      }
  size_t compared = 0;
  EntryRun run(*model, 0);
  ASSERT_TRUE(source->setSizes(run, 1));
  ASSERT_TRUE(run.allocate());
  for (size_t i = 0; i < 641; ++i) {
    bool isTraining = i < 512;
    ASSERT_TRUE(source->fill(run, isTraining ? Split::Train : Split::Validation,
                             static_cast<int64_t>(isTraining ? i : i - 512), 1));
    std::vector<int32_t> target = recorded["target"][i];
    ASSERT_EQ(rows(run, "source")[0], recorded["source"][i].get<std::vector<int32_t>>()) << i;
    ASSERT_EQ(rows(run, "valid")[0][0], recorded["source_valid"][i].get<int>()) << i;
    ASSERT_EQ(rows(run, "target")[0], std::vector<int32_t>(target.begin(), target.end() - 1)) << i;
    ASSERT_EQ(rows(run, "label")[0], std::vector<int32_t>(target.begin() + 1, target.end())) << i;
    ++compared;
  }
  for (const auto &example : recorded["preprocess_examples"]) {
    std::string cleaned;
    std::string given = example[0], wanted = example[1];
    for (const std::string &word : wordsOf(given, {}))
      cleaned += (cleaned.empty() ? "" : " ") + word;
    std::replace(wanted.begin(), wanted.end(), '\t', ' ');
    EXPECT_EQ(cleaned, wanted);
  }
  std::printf("%zu pairs, two vocabularies, %zu cleaned texts equal the record\n", compared,
              recorded["preprocess_examples"].size());
}

/// A vocabulary of others is a token on each line; what is none is named with its line.
TEST(Words, FilesAreNotTrusted) {
  TemporaryFolder folder;
  std::string path = folder / "words";
  auto said = [&](std::string_view contents) {
    writeAll(path, std::string(contents));
    Result<TokenizerPtr> read = tokenizerWithoutText("words:" + path);
    return read ? std::string("read") : read.error().message;
  };
  EXPECT_EQ(said("<s>\na\n"), "read");
  EXPECT_EQ(said(""), path + ": is empty, expected a token on each line");
  EXPECT_EQ(said("<s>\na\n\nb\n"), path + ":3: is empty");
  EXPECT_EQ(said("<s>\na\xff\n"), path + ":2: is not UTF-8");
  EXPECT_EQ(said("<s>\r\na\r\n"), path + ":1: ends with \\r\\n, expected \\n");
  EXPECT_NE(said("a\na\n").find("is there twice"), std::string::npos);
}

TEST(Words, UnknownOnesAreTold) {
  TemporaryFolder folder;
  writeAll(folder / "words", "<s>\na\n");
  Result<TokenizerPtr> read = tokenizerWithoutText("words:" + (folder / "words"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)->unknownWord("a <unk> a"), std::nullopt);
  EXPECT_EQ((*read)->unknownWord("a zzz"), "zzz");
  EXPECT_EQ((*read)->unknownWord("<s>"), "<s>"); // a mark that is spelled is no word
}
