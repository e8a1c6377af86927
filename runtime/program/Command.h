// The commands of a compiled program: `OUT train …`. Each is a row of one table.
#ifndef WEFT_RUNTIME_PROGRAM_COMMAND_H
#define WEFT_RUNTIME_PROGRAM_COMMAND_H

#include "runtime/data/OpenData.h"
#include "runtime/model/Model.h"
#include "runtime/options/SizeSettings.h"
#include "runtime/text/WordsKind.h"

namespace weft::runtime {

/// A command's name, one-line purpose, longer help, options, and what it does with an opened model.
struct Command {
  const char *name, *purpose, *details;
  std::vector<OptionSpec> options; // without those that all commands share
  /// Gives the exit code: 0, or 128 and the signal that stopped it.
  Result<int> (*run)(Model &model, const Options &options);
  bool needsParameters = true; // whether `run` touches the model's parameters
  /// Whether an option means something to a program of these facts: what does not is left out of
  /// --help. nullptr: all do.
  bool (*understands)(const Facts &facts, std::string_view option) = nullptr;
  /// Whether a program of these facts can do it at all: what it cannot is left out of the list, and
  /// says why where it is asked for. nullptr: all can.
  bool (*applies)(const Facts &facts) = nullptr;
};

Command runCommand();
Command infoCommand();
Command trainCommand();
Command generateCommand();
Command evalCommand();
Command benchCommand();
Command profileCommand();

/// Where `eval` applies.
inline bool hasLoss(const Facts &facts) {
  return !facts.trainings.empty();
}

/// `--checkpoint`, of the commands that use a trained model (training/checkpoint/LoadWeights.h).
inline OptionSpec checkpointOption() {
  return {"checkpoint", "PATH",
          "a training's folder, a checkpoint, or a file of weights (default: what the program "
          "carries)"};
}

/// `--data`, of the commands that take rows.
inline OptionSpec dataOption() {
  return {"data", "KIND:PATH", "", [](const Facts &facts) {
            return dataForms(facts) + "\n(of tensors, the leading dimension is the step)";
          }};
}

/// `--tokenizer`, of the commands that may not learn one.
inline OptionSpec tokenizerOption() {
  return {"tokenizer", "KIND", "", [](const Facts &) {
            return text("byte, merges:FILE, %sor a FILE: tokenizer.json, a SentencePiece .model, "
                        "vocab.json, vocab.txt, tokenizer.bin, .gguf (default: the checkpoint's)",
                        readsWords() ? "words:FILE, " : "");
          }};
}

/// `--json`, of the commands that measure something.
inline OptionSpec jsonOption() {
  return {"json", "", "a JSON line instead of text"};
}

/// Runs the program's command line and gives the exit code: that of exitCode(), 0, or 128 and the
/// signal that stopped it.
int runProgram(const WeftProgram &program, int argc, char **argv);

/// Error: what one of these options names to be written has been read, or another of them writes it
/// too (ReadFiles).
Status checkOutputs(const Options &options, std::initializer_list<const char *> names);

} // namespace weft::runtime
#endif
