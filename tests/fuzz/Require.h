// What fuzzers hold their readers to, and where they write what is read from files.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <unistd.h>

/// Stops the fuzzer: what is fuzzed promised something else.
inline void require(bool holds) {
  if (!holds)
    abort();
}

/// A path of this process's own, where temporary files go.
inline std::string ownPath(const std::string &name) {
  return (std::filesystem::temp_directory_path() / (name + "-" + std::to_string(getpid())))
      .string();
}
