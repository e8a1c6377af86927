// Command lines: what a subcommand takes, and what it was given. The only file that knows
// Boost.Program_options is its .cpp.
#ifndef WEFT_TOOLS_WEFT_BASE_OPTIONS_H
#define WEFT_TOOLS_WEFT_BASE_OPTIONS_H

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// Exit codes of every tool of the project.
enum Exit { exitOk = 0, exitUser = 1, exitUsage = 2, exitInternal = 70 };

/// One option of a subcommand: `name` or `name,n`; `value` is what stands for the argument in the
/// help, empty for a switch.
struct OptionSpec {
  std::string name, value, help;
};

/// What a command line said.
class Arguments {
public:
  bool has(const std::string &name) const { return values.count(name) != 0; }
  /// The last value given, or `fallback`.
  std::string get(const std::string &name, const std::string &fallback = "") const;
  /// Every value given, in order.
  std::vector<std::string> all(const std::string &name) const;

  std::map<std::string, std::vector<std::string>> values;
  /// What stood without an option.
  std::vector<std::string> positional;
};

/// A subcommand of `weft`.
struct Command {
  std::string name, usage, summary;
  std::vector<OptionSpec> options;
  /// How many positional arguments it takes at least and at most.
  unsigned least = 1, most = 1;
  int (*run)(const Arguments &);
};

/// What a line said, or what is wrong with it.
struct ParsedArguments {
  Arguments arguments;
  std::optional<std::string> problem;
};

/// Parses what stands behind the subcommand's name.
ParsedArguments parseArguments(const Command &command, const std::vector<std::string> &words);

/// The text of `weft COMMAND --help`.
std::string helpOf(const Command &command);

/// Every subcommand, in the order of the help.
const std::vector<Command> &commands();

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_OPTIONS_H
