// Statements at random, each of which makes one value of those before.
#pragma once

#include "Dims.h"

#include <set>

namespace weft::hunter {

struct Value {
  std::string name;
  std::string element; ///< empty: float; `int`, `bool`, or a dimension that it indexes
  Names dims;
  bool used = false;

  bool isFloat() const { return element.empty(); }
  bool isBool() const { return element == "bool"; }
  bool isWhole() const { return !isFloat() && !isBool(); }
  bool has(const std::string &dim) const;
};

Names joined(const Names &a, const Names &b);
Names without(const Names &names, const Names &dropped);
bool within(const Names &some, const Names &all);
std::string list(const Names &names);
/// `[b, s]`, or `float` of nothing.
std::string typeText(const std::string &element, const Names &dims);

/// What the bodies of one program share.
struct Whole {
  explicit Whole(Numbers &numbers) : numbers(numbers), dims(numbers) {}
  Numbers &numbers;
  DimTable dims;
  std::string functions;       ///< text of `fn`s and `block`s that bodies call
  unsigned count = 0;          ///< for new names
  int64_t most = 3000;         ///< elements of a value
  std::set<std::string> risks; ///< errors that some statement may be refused with
  std::vector<std::pair<std::string, std::string>> options; ///< name and default
};

class Body {
public:
  /// `nesting` counts the bodies around it.
  Body(Whole &whole, unsigned nesting, bool parameters)
      : whole(whole), numbers(whole.numbers), dims(whole.dims), nesting(nesting),
        parameters(parameters) {}

  /// Only statements by which no position of `s` depends on a later one.
  void onlyBackwards() { causal = true; }
  void add(Value value) { values.push_back(std::move(value)); }
  /// So many statements at random.
  void grow(unsigned statements);
  /// Statements that read earlier positions of `s`, where each is.
  void readEarlier();
  const std::vector<Value> &all() const { return values; }
  /// What loops leave, by its path: one for each pass.
  const std::vector<Value> &left() const { return passes; }
  std::vector<Value> &all() { return values; }
  std::string text() const;
  /// A value that depends on what nothing else has read yet, with these dimensions.
  std::string closing();

private:
  // Body.cpp
  Value *floats(const Names &wanted = {}, const Names &unwanted = {});
  Value *any(bool (Value::*is)() const, const Names &wanted = {}, const Names &unwanted = {});
  std::string dim(const Value &value, bool fixed = false);
  std::string fresh(const Names &taken);
  bool fits(const Names &names) const;
  bool isShort(const std::string &dim, int64_t size) const;
  Value *bind(const std::string &expression, const std::string &element, const Names &dims,
              std::initializer_list<Value *> used);
  Value *parameter(const Names &over);
  /// Whether a parameter may have it: each pass of a loop has its own.
  bool isLoop(const std::string &dim) const { return within({dim}, around); }
  std::string name(const char *prefix) { return prefix + std::to_string(++whole.count); }
  std::string label() { return name("l") + ": "; }
  /// A statement that may be refused with this error, and rightly.
  void mayBe(const char *error) { whole.risks.insert(error); }
  void line(const std::string &text);

  // Arithmetic.cpp
  void unary();
  void binary();
  void sum();
  void mask();
  void choice();
  void compareWholes();
  void widened();

  // Positions.cpp
  struct Leaf;
  Leaf leaf();
  void compares(const Leaf &a, const Leaf &b);
  void wholeNumbers();
  void folded();
  std::string knownLate();
  std::string maskText(const Names &over);
  std::string positionMask(const std::string &p, const std::string &q);
  void unproved();

  // Reductions.cpp
  void reduce();
  void reduceWholes();
  void normalise();
  void product();
  void linear() { linear(floats()); }
  void linear(Value *x);
  void branches();
  void runningSum();
  void manySums();
  void extrema();

  // Idioms.cpp
  std::string switchOver(const Names &over);
  void writtenSoftmax();
  void writtenNorm();
  void writtenLogSumExp();
  void classified();

  // Beside.cpp
  void twoNames();
  void elsewhere();
  void pooled();
  void residuals();
  std::vector<std::string> twoMaps(Value *x, Value *y);
  void again();
  void exactly();
  std::string someIndex(const std::string &dim, const Names &over);

  // Movement.cpp
  void rename();
  void rename(Value *x, bool merges);
  void pick();
  void table();
  void join();
  void best();
  void window();
  void placed();

  // Attention.cpp
  void attention();
  void writtenAttention();
  std::string scoresOf(const std::string &query, const std::string &key, const std::string &mask);
  void experts();
  void losses();
  void rotate();

  // Loops.cpp
  void loop();
  void branch();
  void nested();
  void drawn();
  void alongPasses();
  void loopOfItsOwn(size_t outside);
  void state();
  void called();
  void stacked();

  Whole &whole;
  Numbers &numbers;
  DimTable &dims;
  unsigned nesting;
  bool parameters;
  bool causal = false;
  Names around; ///< the dimensions of the loops that this is in
  std::string indent = "  ";
  std::vector<std::string> lines;
  std::vector<Value> values, passes;
};

} // namespace weft::hunter
