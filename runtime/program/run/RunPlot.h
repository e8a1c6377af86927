// A result of a run as a picture: heat maps of attention, tables of positions.
#ifndef WEFT_RUNTIME_PROGRAM_RUN_RUNPLOT_H
#define WEFT_RUNTIME_PROGRAM_RUN_RUNPLOT_H

#include "runtime/model/EntryRun.h"
#include "runtime/program/Command.h"

#include <array>

namespace weft::runtime {

/// What stands along a dimension: the tokens of a text. Others as long, such as keys beside
/// queries, have the same words.
struct AxisWords {
  int dimension = -1; // its number
  std::vector<std::string> words;
};

/// Those of a source and of a prompt.
using AxisTexts = std::array<AxisWords, 2>;

/// Draws what --plot, --value and --at ask for after a run; nothing without --plot. `usual`: the
/// result to draw where --value is not given. The last dimension lies across. Down goes the one
/// before it, or, where the last comes with the data (keys), the last of those that do too
/// (queries). Of dimensions that --at names one position is drawn; one position alone is no
/// dimension. Errors: no such result or dimension, too much to look at.
Status plotResult(const EntryRun &run, const Facts &facts, const Options &options,
                  const std::string &usual, const AxisTexts &words);

} // namespace weft::runtime
#endif
