// `weft`: finds the subcommand and runs it.
#include "codegen/host/LargeStack.h"
#include "frontend/source/Spelling.h"
#include "runtime/base/files/ReadFiles.h"
#include "tools/weft/base/Options.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
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

/// Runs a subcommand; what it prints must arrive.
static int runChecked(const Command &command, const Arguments &arguments) {
  int result = exitUser;
  bool arrived = false;
  try {
    runtime::ReadFiles read;
    result = command.run(arguments);
    arrived = std::fflush(stdout) == 0 && !std::ferror(stdout);
  } catch (const std::system_error &) {
    arrived = false; // fmt::print throws where it cannot write
  } catch (const std::bad_alloc &) {
    fmt::print(stderr, "weft {}: not enough memory; make a dimension smaller\n", command.name);
    return exitUser;
  } catch (const std::length_error &) { // more than any machine has
    fmt::print(stderr, "weft {}: not enough memory; make a dimension smaller\n", command.name);
    return exitUser;
  }
  if (arrived)
    return result;
  fmt::print(stderr, "weft {}: cannot write the output: {}\n", command.name, std::strerror(errno));
  return exitUser;
}

/// Prints a text, which must arrive.
static int tell(const std::string &text, int code = exitOk) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0)
    return code;
  fmt::print(stderr, "weft: cannot write the output: {}\n", std::strerror(errno));
  return exitUser;
}

int main(int argc, char **argv) {
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of what is written
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    if (words.size() > 1)
      for (const Command &command : commands())
        if (command.name == words[1])
          return tell(helpOf(command));
    return tell(overview(), words.empty() ? exitUsage : exitOk);
  }
  if (words[0] == "--version")
    return tell(fmt::format("weft {}\n", WEFT_VERSION));
  std::vector<std::string> names;
  for (const Command &command : commands()) {
    names.push_back(command.name);
    if (command.name != words[0])
      continue;
    ParsedArguments parsed = parseArguments(command, {words.begin() + 1, words.end()});
    if (parsed.problem) {
      fmt::print(stderr, "weft {}: {}\n  `weft {} --help` lists what it takes\n", command.name,
                 *parsed.problem, command.name);
      return exitUsage;
    }
    if (parsed.arguments.has("help"))
      return tell(helpOf(command));
    int result = exitUser;
    runOnLargeStacks({[&] { result = runChecked(command, parsed.arguments); }});
    return result;
  }
  fmt::print(stderr, "weft: there is no command `{}`", words[0]);
  if (std::optional<std::string> near = nearest(words[0], names))
    fmt::print(stderr, "; did you mean `{}`?", *near);
  fmt::print(stderr, "\n  `weft --help` lists them\n");
  return exitUsage;
}
