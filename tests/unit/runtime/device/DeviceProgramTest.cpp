// A program with code for this machine, for CUDA devices and for the emulated one, run as a user
// would: the same numbers everywhere, and what is said where something is wrong.
#include "tests/unit/runtime/Training.h"

#include <cstdlib>

namespace {
/// The driver that is none is found, with these faults.
class DeviceProgramTest : public TrainTest {
protected:
  DeviceProgramTest() {
    setenv("LD_LIBRARY_PATH", WEFT_FAKE_DRIVER, 1);
    unsetenv("FAKE_CUDA");
    setenv("FAKE_CUDA_LOG", (folder / "asked").c_str(), 1);
  }
  ~DeviceProgramTest() override {
    for (const char *name : {"LD_LIBRARY_PATH", "FAKE_CUDA", "FAKE_CUDA_LOG", "WEFT_DEVICE",
                             "WEFT_EMULATED_MEMORY", "WEFT_ISA", "WEFT_POISON"})
      unsetenv(name);
  }
  std::vector<std::string> on(const std::string &device, std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--device", device});
    return arguments;
  }
  /// Runs what has to go wrong; what was said, behind the program's name.
  std::string refused(const std::vector<std::string> &arguments, int code = 1) {
    EXPECT_EQ(run(arguments), code) << error();
    std::string said = error();
    return said.substr(said.find(": ") + 2, said.find('\n') - said.find(": ") - 2);
  }
  /// How often the driver was asked for something.
  int asked(const std::string &what) {
    std::string all = readAll(folder / "asked");
    int count = 0;
    for (size_t at = all.find(what); at != std::string::npos; at = all.find(what, at + 1))
      ++count;
    return count;
  }
  std::vector<std::string> generate(const std::string &checkpoint) {
    return {"generate", "--checkpoint", folder / checkpoint, "--prompt", "the loom", "--max-tokens",
            "20",       "--quiet"};
  }
};
} // namespace

TEST_F(DeviceProgramTest, TrainsBitForBitAsThisMachine) {
  ASSERT_EQ(run(on("cpu", train("cpu", {"--steps", "12"}))), 0) << error();
  ASSERT_EQ(run(on("cuda-emulated", train("emulated", {"--steps", "12"}))), 0) << error();
  ASSERT_EQ(run(on("cuda:0", train("cuda", {"--steps", "12"}))), 0) << error();
  for (const char *device : {"emulated", "cuda"}) {
    expectSameCheckpoint("cpu/step-12", std::string(device) + "/step-12");
    EXPECT_EQ(log("cpu").back()["loss"], log(device).back()["loss"]);
    EXPECT_EQ(log("cpu").back()["norm"], log(device).back()["norm"]);
  }
  // gradients, update, packing: a graph each, played in all steps but the first
  EXPECT_EQ(asked("module"), 1);
  EXPECT_GE(asked("play"), 11 * 3);
  EXPECT_EQ(asked("left 0"), 1) << "all memory is given back";
}

TEST_F(DeviceProgramTest, WithoutGraphsTheSame) {
  setenv("FAKE_CUDA", "graphs=0", 1);
  ASSERT_EQ(run(on("cpu", train("cpu", {"--steps", "5"}))), 0) << error();
  ASSERT_EQ(run(on("cuda", train("cuda", {"--steps", "5"}))), 0) << error();
  expectSameCheckpoint("cpu/step-5", "cuda/step-5");
  EXPECT_EQ(asked("play"), 0);
}

TEST_F(DeviceProgramTest, SumsOfPartsAreTheSame) {
  for (const char *device : {"cpu", "cuda-emulated", "cuda"})
    ASSERT_EQ(run(on(device, train(device, {"--steps", "4", "--accumulate", "2"}))), 0) << error();
  expectSameCheckpoint("cpu/step-4", "cuda-emulated/step-4");
  expectSameCheckpoint("cpu/step-4", "cuda/step-4");
}

TEST_F(DeviceProgramTest, PoisonedMemoryChangesNothing) {
  ASSERT_EQ(run(on("cpu", train("cpu", {"--steps", "3"}))), 0) << error();
  setenv("WEFT_POISON", "1", 1);
  for (const char *device : {"cuda-emulated", "cuda"}) {
    ASSERT_EQ(run(on(device, train(device, {"--steps", "3"}))), 0) << error();
    expectSameCheckpoint("cpu/step-3", std::string(device) + "/step-3");
  }
}

TEST_F(DeviceProgramTest, ResumesThereAndBack) {
  ASSERT_EQ(run(on("cpu", train("whole", {"--steps", "9"}))), 0) << error();
  ASSERT_EQ(run(on("cpu", train("a", {"--steps", "9", "--stop-at", "3"}))), 0) << error();
  std::vector<std::string> on_ = {"train", "--resume", "--out", folder / "a", "--quiet"};
  std::vector<std::string> toSix = on_;
  toSix.insert(toSix.end(), {"--stop-at", "6"});
  ASSERT_EQ(run(on("cuda", toSix)), 0) << error();
  ASSERT_EQ(newestStep("a"), "step-6");
  ASSERT_EQ(run(on("cpu", on_)), 0) << error();
  expectSameCheckpoint("whole/step-9", "a/step-9");
}

TEST_F(DeviceProgramTest, GeneratesAndEvaluatesTheSame) {
  ASSERT_EQ(run(on("cpu", train("a", {"--steps", "30"}))), 0) << error();
  std::vector<std::string> texts, losses, searched;
  for (const char *device : {"cpu", "cuda-emulated", "cuda"}) {
    ASSERT_EQ(run(on(device, generate("a"))), 0) << error();
    texts.push_back(output());
    std::vector<std::string> beams = generate("a");
    beams.insert(beams.end(), {"--beam", "3"});
    ASSERT_EQ(run(on(device, beams)), 0) << error();
    searched.push_back(output());
    ASSERT_EQ(run(on(device, {"eval", "--checkpoint", folder / "a", "--data",
                              "text:" + (folder / "text")})),
              0)
        << error();
    losses.push_back(output());
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(texts[0], texts[2]);
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(losses[0], losses[2]);
  EXPECT_EQ(searched[0], searched[1]);
  EXPECT_EQ(searched[0], searched[2]);
}

// A token's launches are those of the token before it, at the next place: one graph, of which one
// launch is changed for each.
TEST_F(DeviceProgramTest, DecodesByOneGraph) {
  ASSERT_EQ(run(on("cpu", train("a", {"--steps", "30"}))), 0) << error();
  ASSERT_EQ(run(on("cpu", generate("a"))), 0) << error();
  std::string text = output();
  ASSERT_EQ(run(on("cuda", generate("a"))), 0) << error();
  EXPECT_EQ(output(), text);
  EXPECT_EQ(asked("launched"), 2) << "packing, and the prompt";
  EXPECT_EQ(asked("captured"), 1);
  EXPECT_EQ(asked("graph of 1\n"), 1);
  EXPECT_EQ(asked("changed"), 18);
  EXPECT_EQ(asked("play"), 19);
  setenv("FAKE_CUDA", "changes=0", 1);
  ASSERT_EQ(run(on("cuda", generate("a"))), 0) << error();
  EXPECT_EQ(output(), text);
  EXPECT_EQ(asked("changed"), 18) << "none more";
}

// A step plays graphs; what its kernels take is measured without them, and the numbers are the
// same.
TEST_F(DeviceProgramTest, TimesKernels) {
  std::vector<std::string> step{"profile",       "--entry", "train", "--set",
                                "batch=2,seq=4", "--runs",  "3"};
  for (const char *device : {"cuda-emulated", "cuda"}) {
    ASSERT_EQ(run(on(device, step)), 0) << error();
    std::string said = output();
    EXPECT_EQ(said.find("train: "), 0u) << said;
    EXPECT_GE(std::count(said.begin(), said.end(), '\n'), 5) << said;
    if (device == std::string("cuda")) // the clock of the driver that is none
      EXPECT_NE(said.find("   0.250 "), std::string::npos) << said;
    std::vector<std::string> traced = step;
    traced.insert(traced.end(), {"--trace", folder / "trace.json"});
    EXPECT_NE(refused(on(device, traced), 2).find("--trace: launches of a device are timed one by"),
              std::string::npos);
  }
}

TEST_F(DeviceProgramTest, InterruptsFinishTheStep) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "a signal waits there for its thread's next call of libc, which a thread of the "
                  "emulated device that it met may never make";
#endif
#endif
  for (const char *device : {"cuda-emulated", "cuda"}) {
    Program training = start(on(device, train(device, {"--steps", "100000"})));
    while (training.running() && readAll(folder / (std::string(device) + "/log.jsonl")).empty())
      usleep(10000);
    training.send(SIGINT);
    EXPECT_EQ(training.wait(), 130) << error();
    EXPECT_NE(newestStep(device), "");
  }
}

// Which device.

TEST_F(DeviceProgramTest, AutoTakesWhatThereIs) {
  std::vector<std::string> bench = {"bench", "--set", "batch=1,seq=4", "--runs", "2"};
  ASSERT_EQ(run(bench), 0) << error();
  EXPECT_EQ(error(), "device: cuda:0 (Fake)\n");
  EXPECT_NE(output().find("; cuda:0 (Fake)\n"), std::string::npos) << output();
  setenv("FAKE_CUDA", "capability=70", 1);
  ASSERT_EQ(run(bench), 0) << error();
  EXPECT_EQ(error(),
            "device: cpu, for cuda:0 (Fake) has compute capability 7.0, and the program has "
            "code for 9.0a, and for 8.0 and later\n");
  EXPECT_NE(output().find("x86-64-v3"), std::string::npos) << output();
  setenv("WEFT_ISA", "x86-64-v3", 1); // of a processor, so this machine's
  ASSERT_EQ(run(bench), 0);
  EXPECT_EQ(error(), "");
  setenv("WEFT_DEVICE", "cuda-emulated", 1);
  unsetenv("WEFT_ISA");
  ASSERT_EQ(run(bench), 0) << error();
  EXPECT_NE(output().find("; cuda-emulated\n"), std::string::npos) << output();
}

TEST_F(DeviceProgramTest, TakesTheBestCodeForADevice) {
  std::vector<std::string> bench = {"bench", "--set", "batch=1,seq=4", "--runs", "2"};
  setenv("FAKE_CUDA", "capability=86", 1);
  ASSERT_EQ(run(on("cuda", bench)), 0) << error();
  setenv("FAKE_CUDA", "capability=90 devices=2", 1);
  ASSERT_EQ(run(on("cuda:1", bench)), 0) << error();
  EXPECT_EQ(readAll(folder / "asked").substr(0, 11), "module 8.0\n");
  EXPECT_EQ(asked("module 9.0a"), 1);
}

TEST_F(DeviceProgramTest, InfoListsDevices) {
  setenv("FAKE_CUDA", "devices=2 capability=80", 1);
  ASSERT_EQ(run({"info"}), 0) << error();
  std::string said = output();
  EXPECT_NE(
      said.find("kernels for CUDA devices\n"
                "  cuda:0: Fake, compute capability 8.0, 4.3 GB; runs code for 8.0 and later\n"
                "  cuda:1: Fake, "),
      std::string::npos)
      << said;
  EXPECT_NE(said.find("kernels for an emulated device\n"), std::string::npos) << said;
  setenv("LD_LIBRARY_PATH", "/nowhere", 1);
  ASSERT_EQ(run({"info"}), 0) << error();
  EXPECT_NE(output().find("  none to be used here: there is no CUDA driver here"),
            std::string::npos)
      << output();
}

// What may be wrong.

TEST_F(DeviceProgramTest, NoDriver) {
  setenv("LD_LIBRARY_PATH", "/nowhere", 1);
  std::string said = refused(on("cuda", train("a", {"--steps", "3"})));
  EXPECT_TRUE(said.starts_with("there is no CUDA driver here (libcuda.so.1: ")) << said;
  EXPECT_TRUE(
      said.ends_with("install NVIDIA's, which brings libcuda.so.1; or compute with --device "
                     "cpu"))
      << said;
}

TEST_F(DeviceProgramTest, DriverTooOld) {
  setenv("FAKE_CUDA", "version=11040", 1);
  EXPECT_EQ(
      refused(on("cuda", train("a", {"--steps", "3"}))),
      "the CUDA driver of this machine is for CUDA 11.4, and the program's code needs 12.0 or "
      "later: install a newer driver; or compute with --device cpu");
}

TEST_F(DeviceProgramTest, NoDevice) {
  setenv("FAKE_CUDA", "devices=0", 1);
  EXPECT_EQ(refused(on("cuda", train("a", {"--steps", "3"}))),
            "the CUDA driver finds no device on this machine; or compute with --device cpu");
}

TEST_F(DeviceProgramTest, NoDeviceOfThatNumber) {
  setenv("FAKE_CUDA", "devices=2", 1);
  EXPECT_EQ(
      refused(on("cuda:7", train("a", {"--steps", "3"}))),
      "there is no cuda:7: this machine has 2 CUDA devices, cuda:0 to cuda:1; or compute with "
      "--device cpu");
}

TEST_F(DeviceProgramTest, NoDeviceThatRunsTheCode) {
  setenv("FAKE_CUDA", "capability=75", 1);
  EXPECT_EQ(refused(on("cuda", train("a", {"--steps", "3"}))),
            "cuda:0 (Fake) has compute capability 7.5, and the program has code for 9.0a, and for "
            "8.0 and later; or compute with --device cpu");
}

TEST_F(DeviceProgramTest, DeviceThatOthersHaveFilled) {
  setenv("FAKE_CUDA", "context=2", 1);
  EXPECT_EQ(
      refused(on("cuda", train("a", {"--steps", "3"}))),
      "cuda:0 (Fake) has no memory left to begin with: other programs have it; or compute with "
      "--device cpu");
}

/// What is said to fit does, and one more row does not.
TEST_F(DeviceProgramTest, DeviceWithoutTheMemory) {
  setenv("FAKE_CUDA", "memory=900000", 1);
  auto trained = [&](const std::string &batch, std::vector<std::string> more = {}) {
    std::vector<std::string> all = {"train",
                                    "--data",
                                    "text:" + (folder / "text"),
                                    "--out",
                                    folder / ("b" + batch + (more.empty() ? "" : "p")),
                                    "--steps",
                                    "2",
                                    "--seq",
                                    "16",
                                    "--batch",
                                    batch,
                                    "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return on("cuda", all);
  };
  std::string said = refused(trained("64"));
  std::string begin = "training on batches of 64 takes 1.6 MB of cuda:0 (Fake), which has 0.9 MB "
                      "left of 0.9 MB; --batch ";
  ASSERT_TRUE(said.starts_with(begin)) << said;
  int fits = std::stoi(said.substr(begin.size()));
  EXPECT_EQ(run(trained(std::to_string(fits))), 0) << error();
  EXPECT_EQ(run(trained(std::to_string(fits + 1))), 1);
  size_t parts = said.find("--accumulate ");
  ASSERT_NE(parts, std::string::npos) << said;
  std::string count = std::to_string(std::stoi(said.substr(parts + strlen("--accumulate "))));
  EXPECT_EQ(run(trained("64", {"--accumulate", count})), 0) << error();
  setenv("FAKE_CUDA", "memory=300000", 1);
  EXPECT_TRUE(refused(trained("64"))
                  .ends_with("; not one row fits: take shorter sequences or a "
                             "smaller model, or --device cpu"));
}

TEST_F(DeviceProgramTest, EvaluationSaysWhatFits) {
  ASSERT_EQ(run(on("cpu", train("a", {"--steps", "3"}))), 0) << error();
  setenv("WEFT_EMULATED_MEMORY", "400000", 1);
  auto evaluated = [&](int batch) {
    return on("cuda-emulated", {"eval", "--checkpoint", folder / "a", "--data",
                                "text:" + (folder / "text"), "--batch", std::to_string(batch)});
  };
  std::string said = refused(evaluated(60));
  size_t at = said.find("; --batch ");
  ASSERT_NE(at, std::string::npos) << said;
  int fits = std::stoi(said.substr(at + strlen("; --batch ")));
  EXPECT_EQ(run(evaluated(fits)), 0) << error();
}

TEST_F(DeviceProgramTest, DeviceLostInTraining) {
  setenv("FAKE_CUDA", "lost=60", 1);
  std::vector<std::string> longer = train("a", {"--steps", "20", "--checkpoint-every", "2"});
  std::string said = refused(on("cuda", longer));
  std::string last = newestStep("a");
  ASSERT_NE(last, "");
  EXPECT_TRUE(said.starts_with("cuda:0 (Fake) was lost in what it computes: "
                               "CUDA_ERROR_LAUNCH_FAILED, unspecified launch failure"))
      << said;
  EXPECT_NE(said.find("; the checkpoint of step " + last.substr(5) +
                      " is whole; go on with: " WEFT_BIGRAM " train --resume --out " +
                      (folder / "a") + ", and --device cpu if the device stays away"),
            std::string::npos)
      << said;
  // as it says
  unsetenv("FAKE_CUDA");
  ASSERT_EQ(run(on("cuda", {"train", "--resume", "--out", folder / "a", "--quiet"})), 0) << error();
  ASSERT_EQ(run(on("cpu", train("b", {"--steps", "20", "--checkpoint-every", "2"}))), 0);
  expectSameCheckpoint("b/step-20", "a/step-20");
}

TEST_F(DeviceProgramTest, DeviceLostBeforeTheFirstCheckpoint) {
  setenv("FAKE_CUDA", "lost=20", 1);
  EXPECT_TRUE(refused(on("cuda", train("a", {"--steps", "20"})))
                  .ends_with("; there is no checkpoint yet, begin again with a smaller "
                             "--checkpoint-every"))
      << error();
}

TEST_F(DeviceProgramTest, NamesOfDevices) {
  EXPECT_EQ(refused({"info", "--device", "gpu"}, 2),
            "no device `gpu`: expected auto, cpu, cuda, cuda:N or cuda-emulated (--device, "
            "WEFT_DEVICE)");
  for (const char *name : {"cuda:", "cuda:x", "cuda:-1", "cuda:99999", "cuda0", ""})
    EXPECT_EQ(run({"bench", "--device", name}), *name ? 2 : 1) << name;
  EXPECT_EQ(refused({"info", "--device", "cuda", "--isa", "avx512"}, 2),
            "avx512 kernels are not for cuda: give an instruction set or a device");
}
