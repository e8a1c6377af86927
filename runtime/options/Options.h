// The options of a command: declared in a table, read by getopt_long, printed by --help.
#ifndef WEFT_RUNTIME_OPTIONS_OPTIONS_H
#define WEFT_RUNTIME_OPTIONS_OPTIONS_H

#include "runtime/base/Error.h"

#include <cstdint>
#include <map>
#include <vector>

namespace weft::runtime {

struct Facts;

/// One option: `--name VALUE`, or `--name` alone where `value` is empty. It is given once, unless
/// VALUE ends with dots: a list (`DIM=N,...`), or one thing after the other (`FILE...`).
struct OptionSpec {
  const char *name, *value, *help;
  std::string (*helpOf)(const Facts &) = nullptr; // instead of `help`, where the program matters
};

/// What was given. Every name asked for must be one of the command's.
class Options {
public:
  /// Reads argv[first..]. Errors are of usage: an unknown option, one that is given twice, a
  /// missing value, a stray argument.
  static Result<Options> parse(int argc, char **argv, int first,
                               const std::vector<OptionSpec> &specs);
  /// Options that were read before, by name.
  static Options from(const std::map<std::string, std::string> &given);

  bool has(const std::string &name) const { return values.count(name) > 0; }
  /// The last value given, or `otherwise`.
  std::string string(const std::string &name, const std::string &otherwise = "") const;
  /// All values of an option that may be repeated.
  std::vector<std::string> all(const std::string &name) const;
  /// A needed value; the error says that it is missing.
  Result<std::string> need(const std::string &name) const;
  Result<int64_t> integer(const std::string &name, int64_t otherwise, int64_t least,
                          int64_t most) const;
  Result<double> real(const std::string &name, double otherwise, double least, double most) const;
  /// A whole number that random numbers count from; 0 if it is not given.
  Result<uint64_t> seed(const char *name = "seed") const;

private:
  std::map<std::string, std::vector<std::string>> values;
};

/// "  --steps N            how many steps in all", one line each, for a program of these facts.
std::string optionHelp(const std::vector<OptionSpec> &specs, const Facts &facts);

} // namespace weft::runtime
#endif
