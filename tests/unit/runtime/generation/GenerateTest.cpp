// Generation, evaluation and timing through the program.
#include "tests/unit/runtime/ProgramTest.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace {
class GenerateTest : public ProgramTest {
protected:
  GenerateTest() {
    writeAll(folder / "text", someText(3000));
    EXPECT_EQ(run({"train", "--data", "text:" + (folder / "text"), "--out", folder / "a", "--steps",
                   "100", "--seq", "16", "--tokenizer", "char", "--quiet"}),
              0)
        << error();
  }
  /// The output of a continuation of `prompt`, or the error.
  std::string generate(const std::string &prompt, std::vector<std::string> more) {
    std::vector<std::string> all = {"generate", "--checkpoint", folder / "a",
                                    "--quiet",  "--prompt",     prompt};
    all.insert(all.end(), more.begin(), more.end());
    return run(all) == 0 ? output() : error();
  }
};
} // namespace

TEST_F(GenerateTest, GreedyRepeatsAndThreadsDoNotMatter) {
  std::string first = generate("the ", {"--max-tokens", "20"});
  EXPECT_EQ(first.size(), 4u + 20 + 1);
  EXPECT_EQ(first.substr(0, 4), "the ");
  EXPECT_EQ(generate("the ", {"--max-tokens", "20", "--threads", "3"}), first);
  EXPECT_EQ(error(), ""); // --quiet
}

/// Whether the prompt comes in one chunk or token by token, what follows is the same.
TEST_F(GenerateTest, ChunksDoNotMatter) {
  std::string whole = generate("the ", {"--max-tokens", "12"});
  std::string half = whole.substr(0, 10); // the prompt, and six tokens
  EXPECT_EQ(generate(half, {"--max-tokens", "6"}), whole);
}

TEST_F(GenerateTest, DrawsByTheSeed) {
  auto draw = [&](const char *seed) {
    return generate("t", {"--max-tokens", "30", "--temperature", "1.5", "--seed", seed});
  };
  EXPECT_EQ(draw("1"), draw("1"));
  EXPECT_NE(draw("1"), draw("2"));
  EXPECT_NE(generate("t", {"--max-tokens", "30", "--seed", "1"}), // who gives a seed wants draws
            generate("t", {"--max-tokens", "30", "--seed", "2"}));
  EXPECT_EQ(generate("t", {"--max-tokens", "30", "--top-k", "1"}),
            generate("t", {"--max-tokens", "30"}));
}

/// What repeated phrases propose is kept where it would have been chosen: the text is the same, up
/// to the end of the context, and the report adds up.
TEST_F(GenerateTest, SpeculationDoesNotChangeTheText) {
  int64_t proposed = 0, kept = 0;
  for (const std::vector<std::string> &chosen :
       {std::vector<std::string>{}, {"--temperature", "0.4", "--seed", "3"}, {"--seed", "5"}})
    for (const char *most : {"1", "2", "9", "26", "27", "100"}) {
      std::vector<std::string> choice = chosen;
      choice.insert(choice.end(), {"--max-tokens", most});
      std::string text = generate("the th", choice);
      for (const char *n : {"1", "2", "3", "8", "64"}) {
        std::vector<std::string> all = {
            "generate", "--checkpoint", folder / "a", "--prompt", "the th", "--speculate", n};
        all.insert(all.end(), choice.begin(), choice.end());
        ASSERT_EQ(run(all), 0) << error();
        EXPECT_EQ(output(), text) << n << " of " << most;
        long long tokens = 0, taken = 0, tried = 0, steps = 0;
        double speed = 0;
        std::string said = error();
        size_t line = said.find(" tokens, ");
        if (line == std::string::npos)
          continue;
        line = said.rfind('\n', line) + 1; // npos + 1 is 0
        ASSERT_EQ(sscanf(said.c_str() + line,
                         "%lld tokens, %lf a second; %lld of %lld proposed kept, %lld steps;",
                         &tokens, &speed, &taken, &tried, &steps),
                  5)
            << said;
        EXPECT_EQ(1 + steps + taken, tokens) << said; // the prompt gives one
        proposed += tried, kept += taken;
      }
    }
  EXPECT_GT(kept, 50);
  EXPECT_GT(proposed, kept + 50);
}

TEST_F(GenerateTest, FullContextStopsAndSaysSo) {
  std::vector<std::string> arguments = {"generate", "--checkpoint", folder / "a", "--prompt",
                                        "the ",     "--max-tokens", "100"};
  ASSERT_EQ(run(arguments), 0) << error();
  EXPECT_EQ(output().size(), 32u + 1 + 1); // the last token needs no room; the newline
  EXPECT_NE(error().find("the context is full: seq <= 32 (bigram.weft:2); --max-tokens 100 asked "
                         "for more"),
            std::string::npos)
      << error();
}

TEST_F(GenerateTest, WrongPrompts) {
  auto expect = [&](const std::string &said, const std::string &message) {
    EXPECT_NE(said.find(message), std::string::npos) << said;
  };
  expect(generate("the Ü", {}), "--prompt: the character `Ü` (U+00DC) at byte 4 is not in the "
                                "vocabulary of");
  expect(generate("the \xff", {}), "--prompt: the text is not UTF-8 at byte 4");
  expect(generate(std::string(33, 'e'), {}),
         "the prompt has 33 tokens, this build has room for 32 (bigram.weft:2); shorten it");
  expect(generate("the ", {"--temperature", "-1"}), "--temperature -1: expected a number from 0");
  expect(generate("the ", {"--top-p", "1.5"}), "--top-p 1.5: expected a number from 0 to 1");
  expect(generate("12 x", {"--ids"}), "expected ids such as \"12 7 300\"");
  expect(generate("500", {"--ids"}),
         "the prompt: the id 500, but vocab has size 128, so ids are 0 to 127");
  expect(generate("the ", {"--entry", "other"}), "no entry `other` made by `decode`");
  EXPECT_EQ(run({"generate", "--checkpoint", folder / "text", "--prompt", "the "}), 1);
  expect(error(), "is not a safetensors file");
  EXPECT_EQ(run({"generate", "--checkpoint", folder / "nowhere", "--prompt", "a"}), 1);
  expect(error(), "nowhere");
}

TEST_F(GenerateTest, AnEmptyPromptIsTheStart) {
  std::string ids = generate("", {"--ids", "--max-tokens", "3"});
  EXPECT_EQ(ids.substr(0, 2), "0 "); // `start` of the program
}

TEST_F(GenerateTest, WeightsWithoutATokenizerNeedIdsOrOne) {
  std::string weights = folder / "a/step-100/parameters.safetensors";
  EXPECT_EQ(run({"generate", "--checkpoint", weights, "--prompt", "a"}), 2);
  EXPECT_NE(error().find("has no tokenizer: give one with --tokenizer, or --ids"),
            std::string::npos)
      << error();
  EXPECT_EQ(run({"generate", "--checkpoint", weights, "--prompt", "3", "--ids"}), 0) << error();
  EXPECT_EQ(run({"generate", "--checkpoint", weights, "--prompt", "the", "--tokenizer",
                 folder / "a/step-100/tokenizer.json"}),
            0)
      << error();
  EXPECT_EQ(run({"generate", "--checkpoint", weights, "--prompt", "a", "--tokenizer", "nothere"}),
            2);
  EXPECT_NE(error().find("--tokenizer nothere: there is no such file; expected byte, merges:FILE, "
                         "words:FILE or a FILE\n"),
            std::string::npos)
      << error();
}

TEST_F(GenerateTest, ATokenizerOfAnotherModelIsRefusedEverywhere) {
  std::string weights = folder / "a/step-100/parameters.safetensors";
  for (const std::vector<std::string> &command :
       {std::vector<std::string>{"generate", "--prompt", "a"},
        {"generate", "--prompt", "a", "--beam", "2"},
        {"run", "--entry", "logits", "--prompt", "a"},
        {"eval", "--data", "text:" + (folder / "text")}}) {
    std::vector<std::string> all = command;
    all.insert(all.end(), {command[0] == "run" ? "--weights" : "--checkpoint", weights,
                           "--tokenizer", "byte"});
    EXPECT_EQ(run(all), 1);
    EXPECT_NE(error().find("--tokenizer byte: the tokenizer (bytes) has 256 ids, but the model's "
                           "vocab is 128"),
              std::string::npos)
        << command[0] << ": " << error();
    EXPECT_EQ(error().find("/text: "), std::string::npos) << "nothing is wrong with the text";
  }
  EXPECT_EQ(run({"train", "--data", "text:" + (folder / "text"), "--out", folder / "none",
                 "--steps", "1", "--tokenizer", "bpe:300"}),
            1);
  EXPECT_NE(error().find("--tokenizer bpe:300: the tokenizer (bpe) has 286 ids"), std::string::npos)
      << error();
}

/// What weights know, they know by the ids of their vocabulary; who asks for another gets it.
TEST_F(GenerateTest, ATrainingFromWeightsHasTheirVocabulary) {
  std::string kept = readAll(folder / "a/step-100/tokenizer.json");
  auto train = [&](const char *out, const std::string &data, std::vector<std::string> more) {
    std::vector<std::string> all = {"train",      "--data", "text:" + data, "--out", folder / out,
                                    "--steps",    "1",      "--seq",        "4",     "--init",
                                    folder / "a", "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  writeAll(folder / "few", std::string(40, 'e') + std::string(40, 't'));
  ASSERT_EQ(train("c", folder / "few", {}), 0) << error();
  EXPECT_EQ(readAll(folder / "c/step-1/tokenizer.json"), kept);
  ASSERT_EQ(train("d", folder / "few", {"--tokenizer", "char"}), 0) << error();
  EXPECT_NE(readAll(folder / "d/step-1/tokenizer.json"), kept);
  writeAll(folder / "new", std::string(40, 'e') + "\u00dc" + std::string(40, 't'));
  EXPECT_EQ(train("e", folder / "new", {}), 1);
  EXPECT_NE(error().find("`Ü` (U+00DC) at byte 40"), std::string::npos) << error();
}

/// A checkpoint knows its tokenizer; one of earlier versions, which does not, still loads.
TEST_F(GenerateTest, ATokenizerThatWasExchangedIsNamed) {
  std::string file = folder / "a/step-100/tokenizer.json", state = folder / "a/step-100/state.json";
  std::vector<std::string> generate = {"generate",
                                       "--checkpoint",
                                       folder / "a/step-100",
                                       "--prompt",
                                       "3",
                                       "--max-tokens",
                                       "2"},
                           resume = {"train", "--resume", "--out", folder / "a", "--steps", "102"};
  writeAll(file, "{\"weft_tokenizer\": 1, \"kind\": \"characters\", \"characters\": \"34\"}\n");
  for (const std::vector<std::string> &command : {generate, resume}) {
    EXPECT_EQ(run(command), 1);
    EXPECT_NE(error().find("a/step-100/tokenizer.json: is not the tokenizer of this training"),
              std::string::npos)
        << error();
  }
  std::string other = readAll(file);
  std::remove(file.c_str());
  EXPECT_EQ(run(generate), 1);
  EXPECT_NE(error().find("a/step-100/tokenizer.json: cannot read it"), std::string::npos)
      << error();
  writeAll(file, other);
  auto older = nlohmann::json::parse(readAll(state));
  EXPECT_EQ(older["tokenizers"].size(), 1u);
  older["tokenizers"]["tokenizer.json"] = 5;
  writeAll(state, older.dump());
  EXPECT_EQ(run(generate), 1);
  EXPECT_NE(error().find("state.json: `tokenizers` is"), std::string::npos) << error();
  older.erase("tokenizers");
  writeAll(state, older.dump());
  EXPECT_EQ(run(generate), 0) << error();
  std::string whole = readAll(file);
  writeAll(file, whole.substr(0, whole.size() - 5));
  for (const std::vector<std::string> &command : {generate, resume}) {
    EXPECT_EQ(run(command), 1);
    EXPECT_EQ(error(), "weft_bigram: " + file +
                           ": is not a whole tokenizer: it is not JSON: it ends too early\n");
  }
}

/// A vocabulary of others: texts begin with its mark, and the checkpoint keeps it.
TEST_F(GenerateTest, ATokenizerOfOthersTravelsInTheCheckpoint) {
  writeAll(folder / "vocab.txt",
           "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\nloom\nwea\n##ves\na\nthread\nof\n"
           "blue\nand\nred\n,\nthen\n");
  ASSERT_EQ(run({"train", "--data", "text:" + (folder / "text"), "--out", folder / "b", "--steps",
                 "60", "--seq", "16", "--tokenizer", folder / "vocab.txt", "--quiet"}),
            0)
      << error();
  auto kept = nlohmann::json::parse(readAll(folder / "b/step-60/tokenizer.json"));
  EXPECT_EQ(kept["model"]["type"], "WordPiece");
  ASSERT_EQ(run({"generate", "--checkpoint", folder / "b", "--prompt", "The loom weaves",
                 "--max-tokens", "4"}),
            0)
      << error();
  EXPECT_EQ(output().substr(0, 15), "the loom weaves");
  EXPECT_NE(error().find("prompt of 5 "), std::string::npos) << "with [CLS] in front: " << error();
  ASSERT_EQ(run({"generate", "--checkpoint", folder / "b", "--prompt", "", "--max-tokens", "3"}),
            0);
  EXPECT_GT(output().size(), 3u);
  EXPECT_NE(output()[0], ' ');
}

TEST_F(GenerateTest, EvaluationAgreesWithTheTraining) {
  ASSERT_EQ(run({"eval", "--data", "text:" + (folder / "text"), "--checkpoint", folder / "a",
                 "--seq", "16", "--json"}),
            0)
      << error();
  auto all = nlohmann::json::parse(output());
  EXPECT_LT(all["loss"].get<double>(), 1.5);
  EXPECT_NEAR(all["perplexity"].get<double>(), std::exp(all["loss"].get<double>()), 1e-6);
  ASSERT_EQ(run({"eval", "--data", "text:" + (folder / "text"), "--checkpoint", folder / "a",
                 "--seq", "16", "--validation", "--json"}),
            0)
      << error();
  auto held = nlohmann::json::parse(output());
  EXPECT_NEAR(held["tokens"].get<double>() / all["tokens"].get<double>(), 0.1, 0.01);
  auto shifted = nlohmann::json::parse(readAll(folder / "a/step-100/tokenizer.json"));
  shifted["characters"] = "\x01\x02\x03\x04\x05\x06\x07" + shifted["characters"].get<std::string>();
  writeAll(folder / "shifted.json", shifted.dump());
  ASSERT_EQ(run({"eval", "--data", "text:" + (folder / "text"), "--checkpoint", folder / "a",
                 "--seq", "16", "--tokenizer", folder / "shifted.json", "--json"}),
            0)
      << error();
  EXPECT_GT(nlohmann::json::parse(output())["loss"].get<double>(), 3); // what is given wins
  writeAll(folder / "other", "the Ü");
  EXPECT_EQ(run({"eval", "--data", "text:" + (folder / "other"), "--checkpoint", folder / "a"}), 1);
  EXPECT_NE(error().find("`Ü` (U+00DC) at byte 4"), std::string::npos) << error();
}

TEST_F(GenerateTest, BenchTimesEntriesAndSteps) {
  std::vector<std::string> sizes = {"--set", "batch=2,seq=16", "--runs", "5", "--json"};
  auto bench = [&](std::vector<std::string> more) {
    more.insert(more.begin(), "bench");
    more.insert(more.end(), sizes.begin(), sizes.end());
    EXPECT_EQ(run(more), 0) << error();
    return nlohmann::json::parse(output());
  };
  auto step = bench({});
  EXPECT_EQ(step["entry"], "train");
  EXPECT_EQ(step["runs"], 5);
  // two ways of saying one time, which is none of a test's business
  EXPECT_NEAR(step["tokens_per_second"].get<double>() * step["ms"].get<double>(), 32e3, 32);
  auto logits = bench({"--entry", "logits"});
  EXPECT_EQ(logits["entry"], "logits");
  EXPECT_EQ(logits["runs"], 5);
  ASSERT_EQ(run({"bench", "--entry", "generate", "--runs", "5", "--json"}), 0) << error();
  EXPECT_EQ(nlohmann::json::parse(output())["entry"], "generate at position 16");
  for (const char *step : {"train", "generate"}) {
    EXPECT_EQ(run({"bench", "--entry", step, "--pack"}), 2);
    EXPECT_NE(error().find("--pack goes with an entry"), std::string::npos) << error();
  }
  EXPECT_EQ(run({"bench", "--entry", "logits", "--set", "batch=2"}), 1);
  EXPECT_NE(error().find("the size of seq is not known"), std::string::npos) << error();
}

/// examples/embed: the same tokens through weft.h.
TEST_F(GenerateTest, TheEmbeddingExampleAgrees) {
  std::string made = generate(
      "the ", {"--max-tokens", "20", "--temperature", "0.8", "--top-p", "0.95", "--seed", "1"});
  Program embed({folder / "a", "the ", "20"}, folder / "output", folder / "error", WEFT_EMBED);
  ASSERT_EQ(embed.wait(), 0) << error();
  std::string said = output();
  EXPECT_EQ(std::count(said.begin(), said.end(), '\"'), 10) << said; // five likely tokens
  EXPECT_EQ(said.substr(said.size() - made.size()), made) << said;
  Program wrong({folder / "a", "Ü", "20"}, folder / "output", folder / "error", WEFT_EMBED);
  EXPECT_EQ(wrong.wait(), 1);
  EXPECT_NE(error().find("the prompt: the character `Ü`"), std::string::npos) << error();
}

TEST_F(GenerateTest, InfoSaysWhatTheProgramIs) {
  ASSERT_EQ(run({"info", "--json"}), 0);
  EXPECT_EQ(nlohmann::json::parse(output())["config"], "tiny");
  ASSERT_EQ(run({"info", "--all"}), 0);
  EXPECT_NE(output().find("layer.bias"), std::string::npos);
}

TEST_F(GenerateTest, HelpListsTheOptionsOfTextsAlone) {
  for (const char *command : {"train", "eval"}) {
    ASSERT_EQ(run({command, "--help"}), 0);
    for (const char *option : {"\n  --seq ", "\n  --tokenizer ", "text:FILE or tensors:FILE"})
      EXPECT_NE(output().find(option), std::string::npos) << command << option;
    for (const char *option : {"\n  --pairs ", "\n  --crop ", "words:FILE"})
      EXPECT_EQ(output().find(option), std::string::npos) << command << option;
  }
}

/// What was asked for and did not arrive is no success.
TEST_F(GenerateTest, AFullOutputIsAnError) {
  const std::vector<std::vector<std::string>> all = {
      {"generate", "--checkpoint", folder / "a", "--prompt", "the ", "--quiet"},
      {"train", "--data", "text:" + (folder / "text"), "--out", folder / "b", "--steps", "3",
       "--seq", "16", "--log", "json", "--quiet"},
      {"info"},
      {"info", "--json"},
      {"train", "--help"}};
  for (const std::vector<std::string> &arguments : all) {
    Program program(arguments, "/dev/full", folder / "error");
    EXPECT_EQ(program.wait(), 1) << arguments[0];
    EXPECT_NE(error().find("No space left on device"), std::string::npos) << error();
  }
}
