// `weft run`: one entry, once: through a program built for the occasion, or through the
// interpreter.
#include "tools/weft/Commands.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/run/Interpret.h"
#include "tools/weft/run/Scratch.h"

#include <fmt/format.h>

namespace weft {

/// The options that the program takes by the same names.
static std::vector<std::string> passedOn(const Arguments &arguments) {
  std::vector<std::string> words = {"run"};
  for (const char *name : {"entry", "weights", "initialize", "inputs", "input", "outputs",
                           "gradients", "seed", "threads", "save", "source", "source-tokenizer",
                           "prompt", "tokenizer", "plot", "value", "at"})
    for (const std::string &value : arguments.all(name)) {
      words.push_back(std::string("--") + name);
      words.push_back(value);
    }
  if (arguments.has("print"))
    words.emplace_back("--print");
  return words;
}

int runRun(const Arguments &arguments) {
  if (!arguments.has("entry")) {
    fmt::print(stderr, "weft run: which entry? add `--entry NAME`\n");
    return exitUsage;
  }
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  compilation.gradients = arguments.has("gradients");
  if (arguments.has("interpret")) {
    for (const char *name : {"threads", "isa", "save", "source", "source-tokenizer", "prompt",
                             "tokenizer", "plot", "value", "at"})
      if (arguments.has(name)) {
        fmt::print(stderr, "weft run: --{} is for compiled code, not for --interpret\n", name);
        return exitUsage;
      }
    return interpretEntry(compilation);
  }

  ScratchFolder folder;
  if (folder.path.empty())
    return exitUser;
  std::string program = folder.path + "/program";
  int result = buildTo(compilation, program, false);
  return result == exitOk ? runProgram(program, passedOn(arguments)) : result;
}

} // namespace weft
