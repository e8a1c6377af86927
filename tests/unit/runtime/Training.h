// A test that trains the program on a small text.
#pragma once
#include "tests/unit/runtime/ProgramTest.h"

#include <nlohmann/json.hpp>
#include <sys/resource.h>

class TrainTest : public ProgramTest {
protected:
  TrainTest() { writeAll(folder / "text", someText(3000)); }
  std::vector<std::string> train(const std::string &out, std::vector<std::string> more) {
    std::vector<std::string> all = {"train",  "--data",     "text:" + (folder / "text"),
                                    "--out",  folder / out, "--batch",
                                    "4",      "--seq",      "16",
                                    "--seed", "5",          "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  void expectSameCheckpoint(const std::string &a, const std::string &b) {
    for (const char *name : {"parameters.safetensors", "optimizer.safetensors", "tokenizer.json",
                             "state.json", "options.json"}) {
      std::string first = readAll(folder / (a + "/" + name)),
                  second = readAll(folder / (b + "/" + name));
      EXPECT_FALSE(first.empty()) << name;
      EXPECT_TRUE(first == second) << name;
    }
  }
  /// Runs where no file can grow beyond `bytes`, as on a disk that is full.
  int runInSpace(rlim_t bytes, const std::vector<std::string> &arguments) {
    rlimit before, small{bytes, RLIM_INFINITY};
    getrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    int code = run(arguments);
    setrlimit(RLIMIT_FSIZE, &before);
    return code;
  }
  std::vector<nlohmann::json> log(const std::string &out) {
    std::vector<nlohmann::json> lines;
    std::ifstream file(folder / (out + "/log.jsonl"));
    for (std::string line; std::getline(file, line);)
      lines.push_back(nlohmann::json::parse(line));
    return lines;
  }
  const std::vector<std::string> toStep30 = {"train",   "--resume", "--out",  folder / "a",
                                             "--steps", "30",       "--quiet"};
};
