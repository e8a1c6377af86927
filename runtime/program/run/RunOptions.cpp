// The table of options of `run`.
#include "runtime/program/run/RunOptions.h"

#include "runtime/program/Command.h"

using namespace weft::runtime;

std::vector<RunOption> weft::runtime::runOptions() {
  constexpr const char *splits = "what splits it (default: that of the weights)";
  OptionSpec tokenizer = tokenizerOption();
  tokenizer.help = splits;
  using enum RunTaker;
  return {
      {Interpreted, {"entry", "NAME", "which entry, or what is derived of one (train.gradient)"}},
      {Interpreted,
       {"weights", "PATH",
        "parameters: a training's folder, one of its checkpoints, or a file of weights"}},
      {Interpreted, {"initialize", "SEED", "new parameters instead, as training would begin with"}},
      {Interpreted, {"inputs", "FILE", "the entry's arguments, by name (safetensors)"}},
      {Interpreted,
       {"input", "NAME=VALUE...", "one argument: a number or lists as JSON; may be repeated"}},
      {Compiled, {"source", "TEXT", "a sentence, for entries that take a source"}},
      {Compiled, {"source-tokenizer", "KIND", splits}},
      {Compiled, {"prompt", "TEXT", "the entry's ids, as text"}},
      {Compiled, tokenizer},
      {ProgramOnly, {"set", "DIM=N,...", "sizes that no input has"}},
      {Interpreted, {"seed", "N", "what random numbers count from (default 0)"}},
      {Interpreted,
       {"outputs", "FILE", "where its results go (safetensors; default: they are printed)"}},
      {Interpreted, {"print", "", "print the results too"}},
      {Compiled,
       {"save", "PATH,...",
        "values to give besides, by their paths: layer.attn.weights (a program has those of "
        "`weft build --probe`)"}},
      {Interpreted,
       {"gradients", "FILE",
        "where gradients go, by parameter and float input: of the first result that is a single "
        "number, else of the sum of the only float result"}},
      {Compiled, {"plot", "FILE.svg", "draw a result as heat maps"}},
      {Compiled,
       {"value", "NAME", "which result to draw (the first of --save, else of the entry)"}},
      {Compiled, {"at", "DIM=N,...", "of these dimensions draw one position only"}},
  };
}
