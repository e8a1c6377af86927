// `weft run`: one entry, once: through a program built for the occasion, or through the
// interpreter.
#include "tools/weft/base/Commands.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/build/Scratch.h"
#include "tools/weft/run/Interpret.h"

#include "runtime/program/run/RunOptions.h"

#include <fmt/format.h>

namespace weft {

/// What the program is run with: its own options, as they were given.
static std::vector<std::string> programArguments(const Arguments &arguments) {
  std::vector<std::string> words = {"run"};
  auto handOn = [&](const std::string &name, bool isSwitch) {
    if (isSwitch && arguments.has(name))
      words.push_back("--" + name);
    for (const std::string &value : arguments.all(name))
      words.insert(words.end(), {"--" + name, value});
  };
  for (const auto &[taker, spec] : runtime::runOptions())
    if (taker != runtime::RunTaker::ProgramOnly)
      handOn(spec.name, !*spec.value);
  for (const char *name : {"threads", "device"})
    handOn(name, false);
  return words;
}

/// An option that was given and is not the interpreter's, or nothing.
static std::optional<std::string> notInterpreted(const Arguments &arguments) {
  for (const auto &[taker, spec] : runtime::runOptions())
    if (taker == runtime::RunTaker::Compiled && arguments.has(spec.name))
      return spec.name;
  for (const char *name :
       {"threads", "device", "target", "isa", "cores", "tuned", "recompute-budget", "without"})
    if (arguments.has(name))
      return name;
  return std::nullopt;
}

int runRun(const Arguments &arguments) {
  if (!arguments.has("entry")) {
    fmt::print(stderr, "weft run: which entry? add `--entry NAME`\n");
    return exitUsage;
  }
  bool interprets = arguments.has("interpret");
  if (std::optional<std::string> name = notInterpreted(arguments); interprets && name) {
    fmt::print(stderr, "weft run: --{} is for compiled code, not for --interpret\n", *name);
    return exitUsage;
  }
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  compilation.gradients = arguments.has("gradients");
  if (interprets)
    return interpretEntry(compilation);

  ScratchFolder folder;
  if (folder.path.empty())
    return exitUser;
  std::string program = folder.path + "/program";
  int result = buildTo(compilation, program, RunsOn::thisMachine);
  return result == exitOk ? runProgram(program, programArguments(arguments)) : result;
}

} // namespace weft
