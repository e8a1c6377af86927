// Random modules whose plans are hard: loops whose values change places, results wanted twice,
// caches, states, and kernels that read what their results could lie over.
#pragma once

#include "ir/reference/Interpreter.h"

#include <map>
#include <random>
#include <string>
#include <vector>

namespace weft::test {

/// A module of the model dialect with some entries, called `run0`, `run1`, …
class RandomPlan {
public:
  RandomPlan(uint64_t seed, int entries);

  const std::string &text() const { return module; }
  /// What every entry takes, by name; those of one entry are among them.
  reference::NamedArrays inputs() const;
  reference::NamedArrays parameters() const;
  /// Of dimensions that no input has.
  llvm::StringMap<int64_t> sizes() const;

private:
  /// The names in `new, m`.
  static std::vector<std::string> split(const std::string &dims);
  struct Value {
    std::string name, dims; ///< dims: `new, m`
  };
  struct Tensor {
    std::string name, dims;
  };

  void writeEntry(int number);
  void writeState();
  void statement(int depth);
  void map();
  void combine();
  void product();
  void twoProducts();
  void reduce();
  void rename();
  void loop(int depth);
  /// Gives what is left in both.
  std::vector<std::string> writeCaches(const std::string &rows, const std::string &total);
  Value give(const std::string &dims, const std::string &op);
  void line(const std::string &code) { body += std::string(indent, ' ') + code + "\n"; }
  std::string parameter(const std::string &dims, bool state);
  std::string read(const std::string &parameter, const std::string &dims);
  /// A value in scope: of these dimensions if they are given, sooner a late one.
  const Value *some(const std::string &dims);
  const Value &any();
  const Value &of(const std::string &dims);
  const Value &carriedOf(const std::string &dims);
  int64_t below(int64_t end) { return static_cast<int64_t>(random() % static_cast<uint64_t>(end)); }
  bool chance(int percent) { return below(100) < percent; }
  int64_t size(const std::string &dim) const { return extents.at(dim); }
  reference::Array numbers(const std::string &dims, uint64_t seed, double scale) const;

  std::mt19937_64 random;
  uint64_t seed;
  std::map<std::string, int64_t> extents;
  std::string module, body, declarations;
  std::vector<Value> values, stacks; ///< stacks: with `layer` or `step` in front, outside of loops
  std::vector<Tensor> arguments, storages;
  std::vector<std::string> around; ///< the dimensions of the loops
  std::string rowsLeft, totalLeft; ///< the caches as this entry leaves them
  bool usesCaches = false;
  bool wide = false; ///< an update: many values that do not follow from each other
  std::map<std::string, std::string> successors; ///< what a loop carries, and what is made over it
  int count = 0, indent = 2, parameterCount = 0;
};

} // namespace weft::test
