// Training through the program: it learns, and says what is wrong.
#include "tests/unit/runtime/Training.h"

#include <cstring>
#include <filesystem>

TEST_F(TrainTest, LearnsAndLogs) {
  ASSERT_EQ(run(train("a", {"--steps", "100", "--eval-every", "20"})), 0) << error();
  auto lines = log("a");
  ASSERT_EQ(lines.size(), 100u);
  EXPECT_NEAR(lines[0]["loss"].get<double>(), std::log(128.0), 0.2);
  EXPECT_LT(lines[99]["loss"].get<double>(), 1.5);
  EXPECT_LT(lines[99]["validation_loss"].get<double>(), 1.5);
  EXPECT_FALSE(lines[0].contains("validation_loss"));
  EXPECT_EQ(newestStep("a"), "step-100");
  std::string svg = readAll(folder / "a/loss.svg");
  EXPECT_NE(svg.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_NE(svg.find("class=\"validation\""), std::string::npos);
}

/// What the loss gives beside its first result: in the log, the progress, the curve, and what
/// `eval` says.
TEST_F(TrainTest, MetricsAreMeasuredBesideTheLoss) {
  auto arguments = train("a", {"--steps", "100", "--eval-every", "50", "--stop-at", "60"});
  arguments.erase(std::find(arguments.begin(), arguments.end(), "--quiet"));
  ASSERT_EQ(run(arguments), 0) << error();
  EXPECT_NE(error().find("  accuracy 0."), std::string::npos) << error();
  EXPECT_NE(error().find(" (accuracy 0."), std::string::npos) << error();
  ASSERT_EQ(run({"train", "--resume", "--out", folder / "a"}), 0) << error();
  EXPECT_NE(error().find(", accuracy 0."), std::string::npos) << error();
  auto lines = log("a");
  ASSERT_EQ(lines.size(), 100u);
  EXPECT_LT(lines[0]["accuracy"].get<double>(), 0.2);
  EXPECT_GT(lines[99]["accuracy"].get<double>(), 0.5);
  EXPECT_GT(lines[99]["validation_accuracy"].get<double>(), 0.5);
  EXPECT_FALSE(lines[98].contains("validation_accuracy"));
  std::string svg = readAll(folder / "a/loss.svg");
  EXPECT_NE(svg.find(">accuracy</text>"), std::string::npos);
  EXPECT_NE(svg.find("viewBox=\"0 0 720 800\""), std::string::npos);

  std::vector<std::string> evaluate = {
      "eval", "--data", "text:" + (folder / "text"), "--checkpoint", folder / "a", "--seq", "16"};
  ASSERT_EQ(run(evaluate), 0) << error();
  EXPECT_NE(output().find("  accuracy 0."), std::string::npos) << output();
  // in windows by themselves: the mean is weighted by rows, whatever the last batch has of them
  double mean[2];
  for (int i = 0; i < 2; ++i) {
    auto more = evaluate;
    more.insert(more.end(), {"--json", "--batch", i ? "7" : "1"});
    ASSERT_EQ(run(more), 0) << error();
    mean[i] = nlohmann::json::parse(output())["accuracy"].get<double>();
  }
  EXPECT_NEAR(mean[0], mean[1], 1e-6);
}

TEST_F(TrainTest, PartsOfABatchGiveItsGradient) {
  ASSERT_EQ(run(train("a", {"--steps", "20"})), 0) << error();
  ASSERT_EQ(run(train("b", {"--steps", "20", "--accumulate", "4"})), 0) << error();
  auto whole = log("a"), parts = log("b");
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(whole[i]["loss"].get<double>(), parts[i]["loss"].get<double>(), 1e-4) << i;
    EXPECT_NEAR(whole[i]["norm"].get<double>(), parts[i]["norm"].get<double>(), 1e-4) << i;
    EXPECT_NEAR(whole[i]["accuracy"].get<double>(), parts[i]["accuracy"].get<double>(), 1e-6) << i;
  }
}

/// The validation of a training is a measure of its parameters and of what is held out, and of
/// nothing else: `eval` finds the same.
TEST_F(TrainTest, ValidationIsOneMeasure) {
  auto validation = [&](const char *out, std::vector<std::string> more) {
    more.insert(more.end(), {"--steps", "20"});
    EXPECT_EQ(run(train(out, more)), 0) << error();
    return log(out)[19]["validation_loss"].get<double>();
  };
  double sample = validation("a", {});
  EXPECT_NEAR(validation("b", {"--accumulate", "4"}), sample, 1e-5);
  double all = validation("c", {"--eval-batches", "1000"});
  EXPECT_GT(std::abs(all - sample), 1e-4); // so that a sample taken for it would be noticed
  EXPECT_NEAR(validation("d", {"--eval-batches", "1000", "--accumulate", "2"}), all, 1e-5);
  for (const char *batch : {"4", "7", "50"}) {
    ASSERT_EQ(run({"eval", "--checkpoint", folder / "c", "--data", "text:" + (folder / "text"),
                   "--seq", "16", "--validation", "--batch", batch, "--json"}),
              0)
        << error();
    EXPECT_NEAR(nlohmann::json::parse(output())["loss"].get<double>(), all, 1e-6) << batch;
  }
}

/// What is shown is smoothed, and a training that is taken up again shows what it would have shown.
TEST_F(TrainTest, SmoothingGoesOn) {
  auto last = [&](std::vector<std::string> arguments) {
    std::erase(arguments, "--quiet");
    EXPECT_EQ(run(arguments), 0) << error();
    return error().substr(error().rfind("loss "), 11);
  };
  std::string whole = last(train("a", {"--steps", "40"}));
  last(train("b", {"--steps", "40", "--stop-at", "25"}));
  EXPECT_EQ(last({"train", "--resume", "--out", folder / "b"}), whole);
}

/// Which value of recorded batches is wrong, of which step, in which file.
TEST_F(TrainTest, WrongRecordsAreNamed) {
  std::string tokens(4 * 3 * 2 * 4, '\0'); // 4 steps of 3 rows of 2 tokens
  int32_t bad = 500;
  memcpy(tokens.data() + 4 * (2 * 6 + 3), &bad, 4);
  std::string header = R"({"tokens":{"dtype":"I32","shape":[4,3,2],"data_offsets":[0,96]},)"
                       R"("next":{"dtype":"I32","shape":[4,3,2],"data_offsets":[96,192]}})";
  uint64_t length = header.size();
  writeAll(folder / "record", std::string(reinterpret_cast<char *>(&length), 8) + header + tokens +
                                  std::string(96, '\0'));
  std::vector<std::string> arguments = {"train",  "--data",     "tensors:" + (folder / "record"),
                                        "--out",  folder / "a", "--quiet",
                                        "--steps"};
  auto with = [&](const char *steps) {
    auto all = arguments;
    all.push_back(steps);
    return all;
  };
  EXPECT_EQ(run(with("4")), 1);
  EXPECT_NE(error().find("input tokens: the value at [1, 1] is 500, but vocab has size 128, so "
                         "values are 0 to 127, in the batch of step 3 of tensors:" +
                         (folder / "record")),
            std::string::npos)
      << error();
  EXPECT_EQ(run(with("9")), 1);
  EXPECT_NE(error().find("--steps 9: tensors:" + (folder / "record") +
                         " holds the batches of 4 steps, each of which is taken once; take "
                         "--steps 4, or record more"),
            std::string::npos)
      << error();
}

TEST_F(TrainTest, OptionsAreWrittenInFull) {
  EXPECT_EQ(run(train("a", {"--s", "16"})), 2);
  EXPECT_NE(error().find("unknown option --s: options are written in full, "), std::string::npos)
      << error();
  for (const char *option : {"`--steps`", "`--seed`", "`--seq`", "`--stop-at`"})
    EXPECT_NE(error().find(option), std::string::npos) << error();
  EXPECT_EQ(run(train("a", {"--step=16"})), 2); // also where it is clear what is meant
  EXPECT_NE(error().find("unknown option --step: options are written in full, `--steps`"),
            std::string::npos)
      << error();
  EXPECT_EQ(run(train("a", {"--frobnicate"})), 2);
  EXPECT_NE(error().find("unknown option --frobnicate\n"), std::string::npos) << error();
  EXPECT_EQ(run(train("a", {"--steps"})), 2);
  EXPECT_NE(error().find("--steps needs a value"), std::string::npos) << error();
  EXPECT_EQ(run(train("a", {"--resume=yes"})), 2);
  EXPECT_NE(error().find("--resume takes no value"), std::string::npos) << error();
  EXPECT_EQ(run(train("a", {"5", "--steps", "5"})), 2);
  EXPECT_NE(error().find("unexpected `5`: options begin with --"), std::string::npos) << error();
}

/// The schedule counts steps in int32.
TEST_F(TrainTest, StepsHaveALimit) {
  for (const char *steps : {"2147483648", "4294967396", "99999999999999999999"}) {
    EXPECT_EQ(run(train("a", {"--steps", steps, "--stop-at", "1"})), 2);
    EXPECT_NE(error().find(std::string("--steps ") + steps +
                           ": expected a whole number from 1 to 2147483647"),
              std::string::npos)
        << error();
  }
  EXPECT_EQ(run(train("a", {"--epochs", "2000000000", "--stop-at", "1"})), 1);
  EXPECT_NE(error().find("steps each they are more than 2147483647 steps"), std::string::npos)
      << error();
  ASSERT_EQ(run(train("a", {"--steps", "2147483647", "--stop-at", "1"})), 0) << error();
  EXPECT_GT(log("a")[0]["rate"].get<double>(), 0);
}

TEST_F(TrainTest, FailedStartsLeaveNoFolder) {
  EXPECT_EQ(run(train("a/b", {"--steps", "5", "--accumulate", "3"})), 1);
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

/// What it says can be typed as it stands.
TEST_F(TrainTest, TheWayToGoOnIsQuoted) {
  auto arguments = train("my model's", {"--steps", "9", "--stop-at", "3"});
  arguments.erase(std::find(arguments.begin(), arguments.end(), "--quiet"));
  ASSERT_EQ(run(arguments), 0) << error();
  EXPECT_NE(error().find("--resume --out '" + (folder / "my model'\\''s") + "'"), std::string::npos)
      << error();
}

TEST_F(TrainTest, ResumeWithOtherSettingsSaysWhich) {
  ASSERT_EQ(run(train("a", {"--steps", "10"})), 0) << error();
  EXPECT_EQ(run(train("a", {"--steps", "20"})), 1);
  EXPECT_NE(error().find("holds a training at step 10 already"), std::string::npos) << error();
  std::vector<std::string> resume = {"train", "--resume", "--out", folder / "a", "--steps", "20"};
  auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), resume.begin(), resume.end());
    return more;
  };
  EXPECT_EQ(run(with({"--batch", "8"})), 1);
  EXPECT_NE(error().find("--batch 8: the checkpoint was made with --batch 4"), std::string::npos)
      << error();
  EXPECT_EQ(run(with({"--seed", "6"})), 1);
  EXPECT_NE(error().find("--seed 6: the checkpoint was made with --seed 5"), std::string::npos)
      << error();
  writeAll(folder / "text", someText(2000));
  EXPECT_EQ(run(resume), 1);
  EXPECT_NE(error().find("the contents of --data differ"), std::string::npos) << error();
  writeAll(folder / "text", someText(3000));
  const std::string options = folder / "a/step-10/options.json";
  auto expect = [&](const std::string &said) {
    EXPECT_EQ(run(resume), 1);
    EXPECT_NE(error().find("a/step-10: " + said), std::string::npos) << error();
  };
  EXPECT_EQ(readAll(options), "{\n \"layer\": 2,\n \"peak\": 0.01\n}\n");
  writeAll(options, R"({"layer": 3, "peak": 0.01})");
  expect("was made with layer=3, and this program is built with layer=2; build it with `--set "
         "layer=3`, or start a new training in another --out, with --init " +
         (folder / "a/step-10/parameters.safetensors") + "\n");
  writeAll(options,
           R"({"layer": 2, "peak": 0.1})"); // no use of the model reads it, but a step does
  expect("was made with peak=0.1, and this program is built with peak=0.01");
  writeAll(options, R"({"layer": 3, "rows": 2})");
  expect("is a checkpoint of another model, made with layer=3, and this program is built with "
         "layer=2; start a new training in another --out\n");
  unlink(options.c_str()); // of an earlier version: nothing is known
  EXPECT_EQ(run(resume), 0) << error();
}

TEST_F(TrainTest, WrongData) {
  auto expect = [&](const std::string &message) {
    EXPECT_NE(error().find(message), std::string::npos) << error();
  };
  writeAll(folder / "text", "");
  EXPECT_EQ(run(train("a", {"--steps", "1"})), 1);
  expect("text: is empty");
  writeAll(folder / "text", "too short");
  EXPECT_EQ(run(train("a", {"--steps", "1"})), 1);
  expect("the text is too short: its training part has 9 tokens, a window of --seq 16 needs 17");
  writeAll(folder / "text", "abc\xff" + someText(100));
  EXPECT_EQ(run(train("a", {"--steps", "1"})), 1);
  expect("the text is not UTF-8 at byte 3");
  EXPECT_EQ(run(train("a", {"--steps", "1", "--tokenizer", "byte"})), 1);
  expect("the tokenizer (bytes) has 256 ids, but the model's vocab is 128");
  writeAll(folder / "text", someText(1000));
  EXPECT_EQ(run({"train", "--data", "text:" + (folder / "text"), "--out", folder / "a", "--steps",
                 "1", "--seq", "33"}),
            1);
  expect("--seq: seq is 33, this build allows seq <= 32 (bigram.weft:2)");
  EXPECT_EQ(run(train("a", {"--steps", "1", "--accumulate", "3"})), 1);
  expect("--accumulate 3: expected a number that divides --batch 4");
  EXPECT_EQ(run(train("a", {"--steps", "1", "--tokenizer", "nothere"})), 2);
  expect("--tokenizer nothere: there is no such file; expected char, bpe:N, byte, merges:FILE");
  EXPECT_EQ(run({"train", "--data", "words:x", "--out", folder / "a", "--steps", "1"}), 2);
  expect("expected text:FILE");
  EXPECT_EQ(run({"train", "--data", "text:x", "--out", folder / "a"}), 2);
  expect("--steps or --epochs is missing");
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "b"}), 1);
  expect("holds no whole checkpoint; start without --resume");
}

TEST_F(TrainTest, ReplaysRecordedBatches) {
  EXPECT_EQ(
      run({"train", "--data", "tensors:x", "--steps", "3", "--out", folder / "b", "--seq", "4"}),
      2);
  EXPECT_NE(error().find("--seq goes with `text:FILE`, not with tensors:x"), std::string::npos)
      << error();
  ASSERT_EQ(run(train("a", {"--steps", "1"})), 0) << error();
  EXPECT_EQ(run({"train", "--data", "tensors:" + (folder / "a/step-1/parameters.safetensors"),
                 "--steps", "3", "--out", folder / "b"}),
            1);
  EXPECT_NE(error().find("lacks `tokens` (or `in.tokens`), an input of loss.gradient"),
            std::string::npos)
      << error();
}

TEST_F(TrainTest, OneTrainingAtATime) {
  Program first = start(train("a", {"--steps", "1000000", "--eval-every", "0"}));
  while (first.running() && readAll(folder / "a/log.jsonl").empty())
    usleep(1000);
  EXPECT_EQ(Program(train("a", {"--steps", "5"}), folder / "output2", folder / "error2").wait(), 1);
  EXPECT_NE(readAll(folder / "error2").find("another training is writing to it"),
            std::string::npos);
  first.send(SIGKILL);
  first.wait();
}
