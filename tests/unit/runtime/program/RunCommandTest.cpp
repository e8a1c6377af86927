// `OUT run` as scripts use it: tensors from files to files, and everything that files can get
// wrong.
#include "runtime/tensors/safetensors/Reader.h"
#include "runtime/tensors/safetensors/Writer.h"
#include "tests/unit/runtime/ProgramTest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>

using namespace weft::runtime;

namespace {
constexpr int64_t V = 128;

class RunCommandTest : public ProgramTest {
protected:
  RunCommandTest() {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i % 17) * 0.01f;
    write("weights", {{"table", Element::Float, {V, V}, values.data()},
                      {"before", Element::Float, {V, V}, values.data()},
                      {"layer.bias", Element::Float, {2, V}, values.data()}});
    write("inputs", {{"tokens", Element::Int, {2, 3}, tokens}});
    write("pair",
          {{"tokens", Element::Int, {2, 3}, tokens}, {"next", Element::Int, {2, 3}, tokens}});
  }
  void write(const std::string &name, const std::vector<TensorToWrite> &tensors) {
    ASSERT_TRUE(writeSafetensors(folder / name, tensors));
  }
  int runEntry(const std::string &entry, const std::string &inputs,
               std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"run", "--entry", entry, "--inputs", folder / inputs};
    for (auto [option, usual] : {std::pair("--weights", "weights"), {"--outputs", "out"}})
      if (std::find(more.begin(), more.end(), option) == more.end())
        all.insert(all.end(), {option, folder / usual});
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  }
  void expectError(const std::string &message) {
    EXPECT_NE(error().find(message), std::string::npos) << error();
  }
  std::vector<float> values = std::vector<float>(V * V);
  int32_t tokens[6] = {1, 2, 3, 4, 5, 6};
};
} // namespace

TEST_F(RunCommandTest, WritesResults) {
  ASSERT_EQ(runEntry("logits", "inputs"), 0) << error();
  auto file = SafetensorsFile::open(folder / "out");
  ASSERT_TRUE(file);
  ASSERT_EQ(file->tensors().size(), 1u);
  const StoredTensor *output = file->find("output");
  ASSERT_NE(output, nullptr);
  EXPECT_EQ(output->shape, (std::vector<int64_t>{2, 3, V}));
  float first;
  ASSERT_TRUE(file->readBytes(*output, 0, std::as_writable_bytes(std::span(&first, 1))));
  // table[1][0] + bias[0][0] + bias[1][0]
  EXPECT_NEAR(first, values[V] + values[0] + values[V], 1e-6);
}

TEST_F(RunCommandTest, WritesGradientsPerLayer) {
  ASSERT_EQ(runEntry("loss", "pair", {"--gradients", folder / "gradients"}), 0) << error();
  auto file = SafetensorsFile::open(folder / "gradients");
  ASSERT_TRUE(file);
  EXPECT_NE(file->find("layer.1.bias"), nullptr);
  EXPECT_EQ(file->find("table")->shape, (std::vector<int64_t>{V, V}));
  auto result = SafetensorsFile::open(folder / "out");
  EXPECT_NE(result->find("loss"), nullptr);
}

TEST_F(RunCommandTest, LiteralInputsAndPrintedResults) {
  std::vector<std::string> weights = {"--weights", folder / "weights"};
  auto runLiteral = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "--entry", "logits"});
    words.insert(words.end(), weights.begin(), weights.end());
    return run(words);
  };
  ASSERT_EQ(runLiteral({"--input", "tokens=[[1, 2, 3]]"}), 0) << error();
  EXPECT_EQ(output().rfind("output [batch 1, seq 3, vocab 128]\n", 0), 0u) << output();
  std::string printed = output();
  ASSERT_EQ(runLiteral({"--input", "tokens=[[1, 2, 3]]", "--outputs", folder / "literal"}), 0);
  EXPECT_EQ(output(), "");
  int32_t row[3] = {1, 2, 3};
  write("row", {{"tokens", Element::Int, {1, 3}, row}});
  ASSERT_EQ(runEntry("logits", "row", {"--print"}), 0) << error();
  EXPECT_EQ(output(), printed);
  EXPECT_TRUE(readAll(folder / "literal") == readAll(folder / "out"));

  EXPECT_EQ(runLiteral({}), 1);
  expectError(
      "entry logits needs `tokens`: give each by --input NAME=VALUE, or all by --inputs FILE; "
      "`tokens` is int [batch, seq]");
  EXPECT_EQ(runLiteral({"--input", "token=[[1]]"}), 1);
  expectError("--input token: entry logits has no input of that name; it has `tokens`");
  EXPECT_EQ(runLiteral({"--input", "tokens=[1]"}), 1);
  expectError("input tokens: has shape [1], expected 2 dimensions: [batch, seq]");
  EXPECT_EQ(runLiteral({"--input", "tokens=[[1.5]]"}), 1);
  expectError("--input tokens: 1.5 at [0, 0] is not a whole number");
  EXPECT_EQ(runLiteral({"--input", "tokens=[[128]]"}), 1);
  expectError("input tokens: the value at [0, 0] is 128, but vocab has size 128");
  EXPECT_EQ(runLiteral({"--input", "tokens=[[1]]", "--inputs", folder / "inputs"}), 2);
  expectError("--input tokens: ");
}

TEST_F(RunCommandTest, NewParametersAreAskedFor) {
  EXPECT_EQ(run({"run", "--entry", "logits", "--input", "tokens=[[1]]"}), 2);
  expectError(
      "--weights is missing: this program carries no weights (or --initialize SEED, for new ones)");
  ASSERT_EQ(run({"run", "--entry", "logits", "--input", "tokens=[[1]]", "--initialize", "1"}), 0)
      << error();
  std::string first = output();
  ASSERT_EQ(run({"run", "--entry", "logits", "--input", "tokens=[[1]]", "--initialize", "2"}), 0);
  EXPECT_NE(output(), first);
  EXPECT_EQ(runEntry("logits", "inputs", {"--initialize", "1"}), 2);
  expectError("--weights and --initialize");
}

TEST_F(RunCommandTest, WhatIsReadIsNotWrittenOver) {
  const std::string before = readAll(folder / "pair");
  auto refuses = [&](const std::vector<std::string> &more, const std::string &message) {
    EXPECT_EQ(runEntry("loss", "pair", more), 2);
    expectError(message);
  };
  const std::string inputs = folder / "pair", weights = folder / "weights";
  refuses({"--outputs", inputs},
          "--outputs " + inputs + ": this is `" + inputs + "`, which is read, and would be lost");
  refuses({"--gradients", weights}, "--gradients " + weights + ": this is `" + weights +
                                        "`, which is read, and would be lost");
  std::filesystem::create_symlink("pair", folder / "link"); // whatever it is called
  refuses({"--outputs", folder / "link"},
          "link: this is `" + inputs + "`, which is read, and would be lost");
  EXPECT_TRUE(readAll(folder / "pair") == before);
  EXPECT_EQ(runEntry("loss", "pair", {"--gradients", folder / "out"}), 2);
  expectError("--outputs writes there too; give each a file of its own");
  EXPECT_EQ(runEntry("loss", "pair", {"--outputs", "/dev/null", "--gradients", "/dev/null"}), 0)
      << error();
  EXPECT_EQ(runEntry("loss", "pair", {"--outputs", ""}), 2);
  expectError("--outputs: expected the name of a file, which is empty here");
}

/// What a message shows of a stranger's file is whole, and says which tensor.
TEST_F(RunCommandTest, HeadersThatAreWrong) {
  auto expect = [&](const std::string &header, const std::string &message) {
    uint64_t length = header.size();
    writeAll(folder / "wrong", std::string(reinterpret_cast<char *>(&length), 8) + header);
    EXPECT_EQ(runEntry("logits", "wrong"), 1);
    expectError(message);
  };
  expect(R"({"tokens":{"dtype":"I32","shape":[2,-3],"data_offsets":[0,0]}})",
         "unexpected negative number at `shape` of tensor `tokens`");
  expect(R"({"tokens":{"dtype":"Q4","shape":[2,3],"data_offsets":[0,0]}})",
         "unexpected element type Q4 at `dtype` of tensor `tokens`");
  expect(R"({"tokens":{"dtype":"I32","shape":[0],"data_offsets":[0]}})",
         "unexpected end of a tensor without dtype, shape and two data_offsets at `tokens`");
  expect(R"({"a\u0000b":{"dtype":"I32","shape":[0],"data_offsets":[0,0]}})",
         "lacks `tokens` and has `a\\x00b`, no input of entry logits");
}

TEST_F(RunCommandTest, SizesAreSaidOnce) {
  auto expect = [&](const std::string &given, const std::string &message) {
    EXPECT_EQ(run({"bench", "--entry", "logits", "--runs", "1", "--set", given}), 2);
    expectError(message);
  };
  expect("batch=2,seq=3,batch=4", "--set batch=4: `batch` is 2 already");
  expect("batch=0",
         "--set batch=0: expected DIM=N, a dimension and a whole number from 1 to 2147483647");
  expect("batch=99999999999",
         "--set batch=99999999999: expected DIM=N, a dimension and a whole number from 1");
  for (const char *given : {"batch", "batch=", "=2", "batch=two", "batch=1e3"})
    expect(given, "expected DIM=N, a dimension and a whole number from 1 to 2147483647, as in "
                  "--set batch=2,seq=64");
}

TEST_F(RunCommandTest, InputsThatDoNotFit) {
  EXPECT_EQ(runEntry("loss", "inputs"), 1);
  expectError("inputs: lacks `next`, an input of entry loss");
  EXPECT_EQ(runEntry("logits", "pair"), 1);
  expectError("pair: has `next`, no input of entry logits");
  write("wrong", {{"tokens", Element::Float, {2, 3}, values.data()}});
  EXPECT_EQ(runEntry("logits", "wrong"), 1);
  expectError("wrong: tensor `tokens` holds F32, expected int [batch, seq]");
  write("wrong", {{"tokens", Element::Int, {6}, tokens}});
  EXPECT_EQ(runEntry("logits", "wrong"), 1);
  expectError("input tokens: has shape [6], expected 2 dimensions: [batch, seq]");
  tokens[4] = 128;
  write("wrong", {{"tokens", Element::Int, {2, 3}, tokens}});
  EXPECT_EQ(runEntry("logits", "wrong"), 1);
  expectError("input tokens: the value at [1, 1] is 128, but vocab has size 128");
  tokens[4] = -1;
  write("wrong", {{"tokens", Element::Int, {2, 3}, tokens}});
  EXPECT_EQ(runEntry("logits", "wrong"), 1);
  expectError("the value at [1, 1] is -1");
  EXPECT_FALSE(std::filesystem::exists(folder / "out")); // no result of a run that failed
}

TEST_F(RunCommandTest, WeightsThatDoNotFit) {
  values[300] = std::nanf("");
  write("weights", {{"table", Element::Float, {V, V}, values.data()},
                    {"before", Element::Float, {V, V}, values.data()},
                    {"layer.bias", Element::Float, {2, V}, values.data()}});
  EXPECT_EQ(runEntry("logits", "inputs"), 1);
  expectError("tensor `table` holds NaN or infinity at [2, 44]");
  std::string whole = readAll(folder / "weights");
  for (size_t size : {size_t(0), size_t(7), size_t(100), whole.size() - 1}) {
    writeAll(folder / "weights", whole.substr(0, size));
    EXPECT_EQ(runEntry("logits", "inputs"), 1) << size;
    expectError("weights: ");
  }
  uint64_t length = uint64_t(1) << 60; // a header longer than any file
  std::string hostile = whole;
  memcpy(hostile.data(), &length, sizeof length);
  writeAll(folder / "weights", hostile);
  EXPECT_EQ(runEntry("logits", "inputs"), 1);
  expectError("is not a safetensors file");
  EXPECT_EQ(runEntry("logits", "inputs", {"--weights", folder.path()}), 1);
}

TEST_F(RunCommandTest, PlacesThatCannotBeWritten) {
  EXPECT_EQ(runEntry("logits", "inputs", {"--outputs", folder / "absent/out"}), 1);
  expectError("absent/out");
  expectError("No such file or directory");
  std::filesystem::create_directory(folder / "taken");
  EXPECT_EQ(runEntry("logits", "inputs", {"--outputs", folder / "taken"}), 1);
  expectError("taken");
}

/// A rename would put a file in the place of /dev/null.
TEST_F(RunCommandTest, WhatIsNoFileIsWrittenToAndNotReplaced) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  int reader = open((folder / "pipe").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  write("one", {{"tokens", Element::Int, {1, 1}, tokens}}); // little enough for a pipe
  EXPECT_EQ(runEntry("logits", "one", {"--outputs", folder / "pipe"}), 0) << error();
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
  uint64_t header = 0;
  EXPECT_EQ(read(reader, &header, sizeof header), static_cast<ssize_t>(sizeof header));
  EXPECT_GT(header, 0u);
  close(reader);
}

TEST_F(RunCommandTest, WeightsOfATraining) {
  writeAll(folder / "text", someText(1000));
  ASSERT_EQ(run({"train", "--data", "text:" + (folder / "text"), "--steps", "1", "--seq", "16",
                 "--out", folder / "training", "--quiet"}),
            0)
      << error();
  ASSERT_EQ(runEntry("logits", "inputs", {"--weights", folder / "training"}), 0) << error();
  std::string ofFolder = readAll(folder / "out");
  ASSERT_EQ(runEntry("logits", "inputs",
                     {"--weights", folder / "training/step-1/parameters.safetensors"}),
            0)
      << error();
  EXPECT_TRUE(readAll(folder / "out") == ofFolder);
}
