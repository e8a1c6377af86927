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
  /// One tensor of a program; `kind` is "outputs", "intermediates" or "gradients".
  void add(const std::string &kind, double far, const std::string &where,
           const std::string &program) {
    ++tensors[kind];
    auto &most = farthest[kind];
    if (!(far <= most.first))
      most = {far, where};
    ++counts[program];
    auto [entry, isNew] = programs.try_emplace({program, kind}, far);
    if (!isNew && !(far <= entry->second))
      entry->second = far;
  }
  void TearDown() override {
    if (files.empty())
      return;
    fmt::print("{} files of the record in compiled programs; largest differences:\n", files.size());
    for (auto &[kind, most] : farthest)
      fmt::print("{:14} {:5} tensors  {:.1e}  {}\n", kind, tensors[kind], most.first, most.second);
    fmt::print("{:18} {:>7} {:>10} {:>14} {:>10}\n", "program", "tensors", "outputs",
               "intermediates", "gradients");
    for (auto &[program, count] : counts) {
      fmt::print("{:18} {:7}", program, count);
      for (auto [kind, width] :
           {std::pair("outputs", 10), {"intermediates", 14}, {"gradients", 10}}) {
        auto found = programs.find({program, kind});
        fmt::print(" {:>{}}", found == programs.end() ? "-" : fmt::format("{:.1e}", found->second),
                   width);
      }
      fmt::print("\n");
    }
  }

private:
  std::set<std::string> files;
  std::map<std::string, std::pair<double, std::string>> farthest;
  std::map<std::string, int> tensors, counts;
  std::map<std::pair<std::string, std::string>, double> programs;
};

/// That of this process.
inline Largest &largest() {
  static Largest *made = static_cast<Largest *>(testing::AddGlobalTestEnvironment(new Largest));
  return *made;
}

} // namespace weft::test
