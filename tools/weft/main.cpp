// `weft`: finds the subcommand and runs it.
#include "tools/weft/Options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

using namespace weft;

static std::string overview() {
  std::string text = "usage: weft COMMAND [ARGUMENTS]\n\nA compiler for transformers: from "
                     "model.weft to one native program.\n\n";
  for (const Command &command : commands())
    text += fmt::format("  {:10} {}\n", command.name,
                        command.summary.substr(0, command.summary.find('\n')));
  return text + "\n`weft COMMAND --help` says more.\n";
}

/// Edit distance, for "did you mean".
static size_t distance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t corner = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t next = std::min({row[j] + 1, row[j - 1] + 1, corner + (a[i - 1] != b[j - 1])});
      corner = row[j];
      row[j] = next;
    }
  }
  return row[b.size()];
}

/// Runs a subcommand; what it prints must arrive.
static int runChecked(const Command &command, const Arguments &arguments) {
  int result = exitUser;
  bool arrived = false;
  try {
    result = command.run(arguments);
    arrived = std::fflush(stdout) == 0 && !std::ferror(stdout);
  } catch (const std::system_error &) {
    arrived = false; // fmt::print throws where it cannot write
  }
  if (arrived)
    return result;
  fmt::print(stderr, "weft {}: cannot write the output: {}\n", command.name, std::strerror(errno));
  return exitUser;
}

int main(int argc, char **argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (words.size() > 1)
      for (const Command &command : commands())
        if (command.name == words[1]) {
          fmt::print("{}", helpOf(command));
          return exitOk;
        }
    fmt::print("{}", overview());
    return words.empty() ? exitUsage : exitOk;
  }
  if (words[0] == "--version") {
    fmt::print("weft {}\n", WEFT_VERSION);
    return exitOk;
  }
  const Command *nearest = nullptr;
  for (const Command &command : commands()) {
    if (command.name != words[0]) {
      if (!nearest || distance(command.name, words[0]) < distance(nearest->name, words[0]))
        nearest = &command;
      continue;
    }
    ParsedArguments parsed = parseArguments(command, {words.begin() + 1, words.end()});
    if (parsed.problem) {
      fmt::print(stderr, "weft {}: {}\n  `weft {} --help` lists what it takes\n", command.name,
                 *parsed.problem, command.name);
      return exitUsage;
    }
    if (parsed.arguments.has("help")) {
      fmt::print("{}", helpOf(command));
      return exitOk;
    }
    return runChecked(command, parsed.arguments);
  }
  fmt::print(stderr, "weft: there is no command `{}`", words[0]);
  if (nearest && distance(nearest->name, words[0]) <= 2)
    fmt::print(stderr, "; did you mean `{}`?", nearest->name);
  fmt::print(stderr, "\n  `weft --help` lists them\n");
  return exitUsage;
}
