// The largest differences of all cases of a run, printed at its end.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace weft::test {

class Largest : public testing::Environment {
public:
  /// A file whose cases agreed.
  void addFile(const std::string &file) { files.insert(file); }
  /// One tensor; `kind` is "outputs", "intermediates" or "gradients".
  void add(const std::string &kind, double far, const std::string &where) {
    ++tensors[kind];
    auto &most = farthest[kind];
    if (!(far <= most.first))
      most = {far, where};
  }
  void TearDown() override {
    if (files.empty())
      return;
    fmt::print("{} files of the record in compiled programs; largest differences:\n", files.size());
    for (auto &[kind, most] : farthest)
      fmt::print("{:14} {:5} tensors  {:.1e}  {}\n", kind, tensors[kind], most.first, most.second);
  }

private:
  std::set<std::string> files;
  std::map<std::string, std::pair<double, std::string>> farthest;
  std::map<std::string, int> tensors;
};

/// That of this process.
inline Largest &largest() {
  static Largest *made = static_cast<Largest *>(testing::AddGlobalTestEnvironment(new Largest));
  return *made;
}

} // namespace weft::test
