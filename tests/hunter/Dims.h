// The dimensions of a random program: how each is declared, and its sizes in every run.
#pragma once

#include "tools/reduce/expected/Numbers.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft::hunter {

using Names = std::vector<std::string>;
using reduce::Numbers;

/// Of a list, one.
template <class T> const T &one(Numbers &numbers, const std::vector<T> &list) {
  return list[numbers.below(list.size())];
}
inline const char *oneOf(Numbers &numbers, std::initializer_list<const char *> list) {
  return list.begin()[numbers.below(list.size())];
}

struct Dim {
  std::string name, definition; ///< `= 2 * seq`, `<= place`; empty: from data
  std::vector<int64_t> sizes;   ///< in each run
  bool fixed = false;           ///< known when the program is built
  std::string twin;             ///< another of the same size
  Names needs;                  ///< that its definition names
  bool broken = false;          ///< in some run its equation does not come out
};

class DimTable {
public:
  explicit DimTable(Numbers &numbers) : numbers(numbers) {}

  /// Declares what a program may use, and draws the sizes of each of `runs` runs.
  /// `far`: more positions of `s` than one block of keys has, and little else. `groups`: rows of
  /// `d`, `m` and `f` that are whole groups of 32, as a rule.
  void declare(unsigned runs, bool large, bool far, bool groups = false);
  const Dim &operator[](const std::string &name) const { return dims.at(position.at(name)); }
  const std::vector<Dim> &all() const { return dims; }
  bool has(const std::string &name) const { return position.count(name); }
  /// The largest size that the declarations allow, where that is known when the program is built.
  std::optional<int64_t> most(const std::string &name) const;
  /// The most elements that a value over these has in any run.
  int64_t count(const Names &names) const;
  /// The `dim` lines of those that `used` names, and what they need.
  std::string text(const std::vector<std::string> &used) const;
  /// Those from data, in a run.
  std::map<std::string, int64_t> given(unsigned run) const;

private:
  void fromData(const std::string &name, const std::string &bound = "");
  void fixed(const std::string &name, int64_t size);
  using Formula = std::function<std::optional<int64_t>(unsigned run)>;
  void derived(const std::string &name, const std::string &equation, Names needs, Formula formula);
  int64_t at(const std::string &name, unsigned run) const { return (*this)[name].sizes[run]; }

  Numbers &numbers;
  unsigned runs = 1;
  bool large = false, far = false;
  std::vector<Dim> dims;
  std::map<std::string, size_t> position;
};

} // namespace weft::hunter
