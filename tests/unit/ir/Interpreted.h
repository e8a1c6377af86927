// Interprets programs given as text, for tests.
#ifndef WEFT_TESTS_UNIT_IR_INTERPRETED_H
#define WEFT_TESTS_UNIT_IR_INTERPRETED_H

#include "ir/reference/Interpreter.h"

#include <string>

namespace weft::test {

using namespace weft::reference;

/// A module made from text, and its interpreter. What is reported is kept.
class Program {
public:
  /// `text` holds dims, parameters and functions; see `body` for the short form.
  explicit Program(const std::string &text);
  ~Program();

  /// Whether the text is a module that verifies.
  bool ok() const;
  Interpreter &interpreter() { return *runner; }
  mlir::ModuleOp module();
  /// All results of `entry`; empty if it failed.
  std::vector<Array> run(std::vector<Array> inputs, const std::string &entry = "f");
  const std::string &errors() const { return reported; }

private:
  struct Parsed;
  std::unique_ptr<Parsed> parsed;
  std::unique_ptr<Interpreter> runner;
  std::string reported;
};

/// The only result of `func.func @f(arguments) { lines; return %r }`, where the last line defines
/// %r. `dims` is like "a=2 b=3 c d?", where `d` may be empty. Fails the test if the program does
/// not run.
Array evaluated(const std::string &dims, const std::string &arguments, const std::string &lines,
                std::vector<Array> inputs);

inline Array floats(std::vector<int64_t> shape, Floats data) {
  return {llvm::SmallVector<int64_t>(shape.begin(), shape.end()), std::move(data)};
}
inline Array wholes(std::vector<int64_t> shape, Wholes data) {
  return {llvm::SmallVector<int64_t>(shape.begin(), shape.end()), std::move(data)};
}
inline Array switches(std::vector<int64_t> shape, Switches data) {
  return {llvm::SmallVector<int64_t>(shape.begin(), shape.end()), std::move(data)};
}

/// Fails the test unless shapes agree and elements do within `tolerance`; NaN equals NaN only.
void expectNear(const Array &found, const Array &expected, double tolerance = 1e-12);

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double NaN = std::numeric_limits<double>::quiet_NaN();

} // namespace weft::test

#endif // WEFT_TESTS_UNIT_IR_INTERPRETED_H
