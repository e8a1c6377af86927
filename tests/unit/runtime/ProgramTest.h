// A test that runs the program in a folder of its own.
#pragma once
#include "tests/unit/runtime/Program.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

class ProgramTest : public testing::Test {
protected:
  /// Runs to the end and gives the exit code.
  int run(const std::vector<std::string> &arguments) { return start(arguments).wait(); }
  Program start(const std::vector<std::string> &arguments) {
    return Program(arguments, folder / "output", folder / "error");
  }
  std::string output() { return readAll(folder / "output"); }
  std::string error() { return readAll(folder / "error"); }
  /// The newest checkpoint in a training's folder ("step-20"); "" for none.
  std::string newestStep(const std::string &out) {
    int64_t newest = -1;
    std::error_code none;
    for (const auto &entry : std::filesystem::directory_iterator(folder / out, none)) {
      std::string name = entry.path().filename().string();
      if (name.starts_with("step-") && name.find_first_not_of("0123456789", 5) == std::string::npos)
        newest = std::max<int64_t>(newest, std::stoll(name.substr(5)));
    }
    return newest < 0 ? "" : "step-" + std::to_string(newest);
  }
  /// Words of a made-up text: the same every time.
  std::string someText(int words) {
    std::string text;
    unsigned state = 1;
    const char *list[] = {"the ", "loom ", "weaves ", "a ",    "thread ",
                          "of ",  "blue ", "and ",    "red, ", "then\n"};
    for (int i = 0; i < words; ++i)
      text += list[(state = state * 1664525 + 1013904223) >> 16 & 7] +
              std::string(i % 5 == 0 ? list[9] : "");
    return text;
  }
  TemporaryFolder folder;
};
