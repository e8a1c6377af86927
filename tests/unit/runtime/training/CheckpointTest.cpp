// Checkpoints: a training goes on bit by bit, survives kills, full disks and damage, and trusts no
// file.
#include "tests/unit/runtime/Training.h"

#include <chrono>
#include <filesystem>
#include <random>
#include <sys/stat.h>

using CheckpointTest = TrainTest;

TEST_F(CheckpointTest, ResumedEqualsUninterrupted) {
  ASSERT_EQ(run(train("whole", {"--steps", "100", "--checkpoint-every", "30"})), 0) << error();
  ASSERT_EQ(run(train("parts", {"--steps", "100", "--checkpoint-every", "30", "--stop-at", "50"})),
            0)
      << error();
  EXPECT_TRUE(std::filesystem::exists(folder / "parts/step-50"));
  ASSERT_EQ(run({"train", "--out", folder / "parts", "--resume", "--quiet", "--threads", "3"}), 0)
      << error();
  expectSameCheckpoint("whole/step-100", "parts/step-100");
  auto whole = log("whole"), parts = log("parts");
  ASSERT_EQ(parts.size(), 100u);
  for (size_t i = 0; i < 100; ++i)
    EXPECT_EQ(whole[i]["loss"], parts[i]["loss"]) << i;
}

TEST_F(CheckpointTest, KeepsTheTwoNewest) {
  ASSERT_EQ(run(train("a", {"--steps", "50", "--checkpoint-every", "10"})), 0) << error();
  EXPECT_FALSE(std::filesystem::exists(folder / "a/step-30"));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/step-40"));
  EXPECT_TRUE(std::filesystem::exists(folder / "a/step-50"));
}

TEST_F(CheckpointTest, KillsLoseNothingThatWasWhole) {
  ASSERT_EQ(run(train("whole", {"--steps", "2000", "--checkpoint-every", "2000"})), 0) << error();
  std::minstd_rand random(7);
  auto every = [&](const char *steps) {
    return train("killed", {"--steps", "2000", "--checkpoint-every", steps, "--eval-every", "0"});
  };
  for (int i = 0; i < 20; ++i) {
    std::vector<std::string> arguments = every("1");
    std::string before = newestStep("killed");
    if (!before.empty())
      arguments.push_back("--resume");
    auto began = std::chrono::steady_clock::now();
    Program program = start(arguments);
    while (program.running() && newestStep("killed") == before)
      usleep(500);
    // somewhere in the next few checkpoints, however fast the disk is
    auto took = std::chrono::steady_clock::now() - began;
    auto most = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    usleep(static_cast<useconds_t>(random() % most));
    program.send(SIGKILL);
    ASSERT_EQ(program.wait(), 1000 + SIGKILL) << error();
    // whatever was there loads
    ASSERT_EQ(run({"train", "--resume", "--out", folder / "killed", "--steps", "1"}), 0) << error();
  }
  writeAll(folder / "killed/log.jsonl.123.partial", "{"); // as a kill at the right moment does
  writeAll(folder / "killed/latest", "step-1\n");         // as earlier versions wrote
  std::vector<std::string> rest = every("2000");
  rest.push_back("--resume");
  ASSERT_EQ(run(rest), 0) << error();
  for (const auto &entry : std::filesystem::directory_iterator(folder / "killed"))
    EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
  EXPECT_FALSE(std::filesystem::exists(folder / "killed/latest"));
  for (const char *name : {"parameters.safetensors", "optimizer.safetensors"})
    EXPECT_TRUE(readAll(folder / ("whole/step-2000/" + std::string(name))) ==
                readAll(folder / ("killed/step-2000/" + std::string(name))));
}

TEST_F(CheckpointTest, FallsBackToTheCheckpointBefore) {
  ASSERT_EQ(run(train("a", {"--steps", "40", "--checkpoint-every", "10"})), 0) << error();
  std::filesystem::resize_file(folder / "a/step-40/optimizer.safetensors", 1000);
  ASSERT_EQ(run({"train", "--resume", "--out", folder / "a"}), 0) << error();
  EXPECT_NE(error().find("going on from " + (folder / "a/step-30")), std::string::npos) << error();
}

/// A damaged checkpoint is none of the two that stay, and goes when these are newer.
TEST_F(CheckpointTest, TheTwoThatStayAreWhole) {
  auto there = [&](int step) {
    return std::filesystem::exists(folder / ("a/step-" + std::to_string(step)));
  };
  ASSERT_EQ(run(train("a", {"--steps", "20", "--checkpoint-every", "10"})), 0) << error();
  std::filesystem::resize_file(folder / "a/step-20/optimizer.safetensors", 1000);
  auto goOn = [&](const char *steps) {
    return run({"train", "--resume", "--out", folder / "a", "--quiet", "--steps", steps});
  };
  ASSERT_EQ(goOn("25"), 0) << error(); // from step 10, and step 20 is written anew
  EXPECT_TRUE(there(20) && there(25) && !there(10));
  std::filesystem::resize_file(folder / "a/step-25/optimizer.safetensors", 1000);
  ASSERT_EQ(goOn("28"), 0) << error();
  EXPECT_TRUE(there(28) && there(25) && there(20));
  std::filesystem::resize_file(folder / "a/step-28/optimizer.safetensors", 1000);
  EXPECT_EQ(run({"eval", "--checkpoint", folder / "a", "--data", "text:" + (folder / "text")}), 0)
      << error();
  EXPECT_NE(error().find(folder / "a/step-20" + " is taken"), std::string::npos) << error();
  ASSERT_EQ(goOn("50"), 0) << error();
  EXPECT_TRUE(there(50) && there(40) && !there(30) && !there(28) && !there(25) && !there(20));
}

/// Whoever looks for a checkpoint hears that the newest was passed over, and why.
TEST_F(CheckpointTest, DamageIsSaid) {
  ASSERT_EQ(run(train("a", {"--steps", "20", "--checkpoint-every", "10"})), 0) << error();
  std::filesystem::resize_file(folder / "a/step-20/optimizer.safetensors", 1000);
  const std::string file = folder / "a/step-20/optimizer.safetensors",
                    taken =
                        "this checkpoint is damaged, so " + (folder / "a/step-10") + " is taken\n";
  const std::string a = folder / "a", data = "text:" + (folder / "text");
  for (const std::vector<std::string> &command :
       {std::vector<std::string>{"eval", "--checkpoint", a, "--data", data},
        {"generate", "--checkpoint", a, "--prompt", "the", "--max-tokens", "2"},
        {"train", "--resume", "--out", a, "--quiet"}}) {
    ASSERT_EQ(run(command), 0) << error();
    EXPECT_EQ(error().rfind("warning: " + file + ": ", 0), 0u) << error();
    EXPECT_NE(error().find(taken), std::string::npos) << error();
  }
  ASSERT_EQ(run({"eval", "--checkpoint", a, "--data", data}), 0);
  EXPECT_EQ(error(), ""); // the training has written it anew
}

/// Nothing of a training is written over because it cannot be read.
TEST_F(CheckpointTest, OnlyDamagedCheckpointsAreNoEmptyFolder) {
  ASSERT_EQ(run(train("a", {"--steps", "10"})), 0) << error();
  writeAll(folder / "a/step-10/state.json", "{");
  EXPECT_EQ(run(train("a", {"--steps", "10"})), 1);
  EXPECT_NE(
      error().find("holds no whole checkpoint: " + (folder / "a/step-10/state.json") +
                   ": is not the state of a checkpoint: it is not JSON: it ends too early; choose "
                   "another --out"),
      std::string::npos)
      << error();
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "a"}), 1);
  EXPECT_EQ(error().find("start without --resume"), std::string::npos) << error();
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "text"}), 1); // nor is what is no folder
  EXPECT_NE(error().find("text: cannot read the folder: Not a directory"), std::string::npos)
      << error();
  EXPECT_EQ(error().find("start without --resume"), std::string::npos) << error();
  EXPECT_EQ(run({"train", "--resume"}), 2);
  EXPECT_NE(error().find("--out is missing"), std::string::npos) << error();
}

/// What state.json says is held against what it may be, as an option is.
TEST_F(CheckpointTest, StatesAreNotTrusted) {
  ASSERT_EQ(run(train("a", {"--steps", "10"})), 0) << error();
  const std::string path = folder / "a/step-10/state.json", whole = readAll(path);
  auto expect = [&](const std::vector<std::string> &keys, const nlohmann::json &value,
                    const std::string &message) {
    nlohmann::json state = nlohmann::json::parse(whole), *at = &state;
    for (const std::string &key : keys)
      at = &(*at)[key];
    *at = value;
    writeAll(path, state.dump());
    EXPECT_EQ(run({"train", "--resume", "--out", folder / "a", "--steps", "12"}), 1) << message;
    EXPECT_NE(error().find(path + ": " + message), std::string::npos) << error();
  };
  const std::string number = "expected a whole number from ";
  expect({"settings", "checkpoint_every"}, 0,
         "`checkpoint_every` is 0, " + number + "1 to 2147483647");
  expect({"settings", "steps"}, int64_t(1) << 31,
         "`steps` is 2147483648, " + number + "1 to 2147483647");
  expect({"settings", "batch"}, "x", "`batch` is \"x\", " + number + "1 to 2147483647");
  expect({"settings", "accumulate"}, 1.5, "`accumulate` is 1.5, " + number + "1 to 2147483647");
  expect({"settings", "eval_every"}, -1, "`eval_every` is -1, " + number + "0 to 2147483647");
  expect({"settings", "eval_batches"}, nullptr,
         "`eval_batches` is null, " + number + "0 to 2147483647");
  expect({"settings", "seed"}, 1e99, "`seed` is 1e+99, " + number + "0 to 2^64 - 1");
  expect({"settings", "seed"}, -1, "`seed` is -1, " + number + "0 to 2^64 - 1");
  expect({"settings", "data"}, 7, "`data` is 7, expected a text");
  expect({"settings", "data_options"}, {{"seq", 16}},
         "`data_options` is {\"seq\":16}, expected an object of texts");
  expect({"settings"}, 3, "`settings` is 3, expected an object");
  expect({"step"}, -5, "`step` is -5, " + number + "0 to 2147483647");
  expect({"step"}, UINT64_MAX, "`step` is 18446744073709551615, " + number + "0 to 2147483647");
  expect({"step"}, 11, "`step` is 11, expected 10 as in the folder's name");
  expect({"config"}, 0, "`config` is 0, expected a text");
  expect({"data_hash"}, 0, "`data_hash` is 0, expected a text");
  expect({"training"}, 0, "`training` is 0, expected a text");
  expect({"weft_checkpoint"}, 0, "`weft_checkpoint` is 0, expected 1");
  expect({"weft_checkpoint"}, 7, "is a checkpoint of format 7, and this program reads format 1");
  writeAll(path, "{\"weft_checkpoint\": 1,\n\"training\": " + std::string(100'000, '[') +
                     std::string(100'000, ']') + "}");
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "a"}), 1);
  EXPECT_NE(error().find("is not the state of a checkpoint: it is nested more than 200 deep at "
                         "line 2"),
            std::string::npos)
      << error();
  nlohmann::json state = nlohmann::json::parse(whole);
  state["settings"].erase("steps");
  writeAll(path, state.dump());
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "a"}), 1);
  EXPECT_NE(error().find("`steps` is missing, " + number), std::string::npos) << error();
}

/// A newer program's checkpoint is not passed over for an older one.
TEST_F(CheckpointTest, LaterFormatsAreRefused) {
  ASSERT_EQ(run(train("a", {"--steps", "20", "--checkpoint-every", "10"})), 0) << error();
  std::string path = folder / "a/step-20/state.json";
  nlohmann::json state = nlohmann::json::parse(readAll(path));
  state["weft_checkpoint"] = 2;
  writeAll(path, state.dump());
  EXPECT_EQ(run({"generate", "--checkpoint", folder / "a", "--prompt", "the"}), 1);
  EXPECT_NE(error().find(path + ": is a checkpoint of format 2"), std::string::npos) << error();
}

/// A terminal that is closed is no reason to lose anything, unless that is to be ignored.
TEST_F(CheckpointTest, ClosedTerminalWritesACheckpoint) {
  auto waitForLog = [&](const Program &program, const char *out, size_t bytes) {
    while (program.running() && readAll(folder / (out + std::string("/log.jsonl"))).size() < bytes)
      usleep(1000);
  };
  const std::vector<std::string> forEver = {"--steps", "1000000", "--eval-every", "0"};
  Program closed = start(train("a", forEver));
  waitForLog(closed, "a", 1000);
  closed.send(SIGHUP);
  EXPECT_EQ(closed.wait(), 128 + SIGHUP);
  EXPECT_NE(newestStep("a"), "");
  signal(SIGHUP, SIG_IGN); // as `nohup` does
  Program kept = start(train("b", forEver));
  signal(SIGHUP, SIG_DFL);
  waitForLog(kept, "b", 1000);
  kept.send(SIGHUP);
  waitForLog(kept, "b", readAll(folder / "b/log.jsonl").size() + 1000);
  kept.send(SIGTERM);
  EXPECT_EQ(kept.wait(), 128 + SIGTERM);
}

TEST_F(CheckpointTest, ControlCWritesACheckpoint) {
  auto arguments = train("a", {"--steps", "1000000", "--eval-every", "0"});
  arguments.erase(std::find(arguments.begin(), arguments.end(), "--quiet"));
  Program program = start(arguments);
  while (program.running() && readAll(folder / "a/log.jsonl").size() < 1000)
    usleep(1000);
  program.send(SIGINT);
  EXPECT_EQ(program.wait(), 128 + SIGINT);
  EXPECT_NE(error().find("weft_bigram train --resume --out " + (folder / "a")), std::string::npos)
      << error();
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "a", "--steps", "1"}), 0) << error();
}

TEST_F(CheckpointTest, NoSpaceLeavesTheLastCheckpoint) {
  ASSERT_EQ(run(train("a", {"--steps", "20", "--checkpoint-every", "10"})), 0) << error();
  EXPECT_EQ(runInSpace(200000, toStep30), 1); // optimizer.safetensors needs more
  EXPECT_NE(error().find("the checkpoint of step 20 is whole"), std::string::npos) << error();
  EXPECT_EQ(run(toStep30), 0) << error();
}

/// The system's superuser may write everywhere, so the program runs as somebody else.
TEST_F(CheckpointTest, ReadOnlyFolder) {
  ASSERT_EQ(run(train("a", {"--steps", "10"})), 0) << error();
  std::string before = readAll(folder / "a/step-10/parameters.safetensors");
  writeAll(folder / "output", "");
  writeAll(folder / "error", "");
  for (const char *name : {"output", "error"})
    chmod((folder / name).c_str(), 0666);
  chmod(folder.path().c_str(), 0755);
  for (const char *name : {"a", "a/step-10"})
    chmod((folder / name).c_str(), 0555);
  std::string program = folder / "bigram"; // the checkout may be closed to others
  std::filesystem::copy_file(WEFT_BIGRAM, program);
  auto attempt = [&](const std::vector<std::string> &arguments) {
    return Program(arguments, folder / "output", folder / "error", program.c_str(), true).wait();
  };
  EXPECT_EQ(attempt(train("new", {"--steps", "10"})), 1);
  EXPECT_NE(error().find("new: "), std::string::npos) << error();
  EXPECT_NE(error().find("Permission denied"), std::string::npos) << error();
  EXPECT_EQ(attempt({"train", "--resume", "--out", folder / "a", "--steps", "20"}), 1);
  EXPECT_NE(error().find("Permission denied"), std::string::npos) << error();
  chmod((folder / "a").c_str(), 0755);
  EXPECT_EQ(readAll(folder / "a/step-10/parameters.safetensors"), before);
  EXPECT_EQ(run({"train", "--resume", "--out", folder / "a", "--steps", "20"}), 0) << error();
}

/// The log is written at every step, so it may be the first to find the disk full.
TEST_F(CheckpointTest, NoSpaceForTheLog) {
  ASSERT_EQ(run(train("a", {"--steps", "10"})), 0) << error();
  EXPECT_EQ(runInSpace(2000, toStep30), 1);
  EXPECT_NE(error().find("log.jsonl: cannot write"), std::string::npos) << error();
  EXPECT_EQ(run(toStep30), 0) << error();
}
