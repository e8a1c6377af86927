// The options of `run`, for compiled programs and for `weft run`, which builds one and hands them
// on.
#ifndef WEFT_RUNTIME_PROGRAM_RUN_RUNOPTIONS_H
#define WEFT_RUNTIME_PROGRAM_RUN_RUNOPTIONS_H

#include "runtime/options/Options.h"

namespace weft::runtime {

/// Who takes an option: a program always does.
enum class RunTaker {
  ProgramOnly, ///< `weft run` does not: it asks otherwise, or has decided it when it built
  Compiled,    ///< `weft run` too, but not with --interpret
  Interpreted  ///< `weft run --interpret` too
};

struct RunOption {
  RunTaker taker;
  OptionSpec spec; ///< `help` is that of `weft run` where the program has a `helpOf`
};

/// In the order of the help, without what all commands of a program share.
std::vector<RunOption> runOptions();

} // namespace weft::runtime
#endif
