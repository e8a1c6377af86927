// The smallest program that fails as a given one does.
#ifndef WEFT_TOOLS_REDUCE_SHRINK_H
#define WEFT_TOOLS_REDUCE_SHRINK_H

#include "tools/reduce/subject/Subject.h"
#include "tools/reduce/subject/Verdict.h"

#include <functional>

namespace weft::reduce {

struct ShrinkOptions {
  double trialSeconds = 60;  ///< for one trial
  double totalSeconds = 600; ///< after which the smallest so far is given
  /// What tries a program; else a child does.
  std::function<Verdict(const Subject &)> attempt = {};
  /// What was tried last and how large the program is now: for people who wait.
  std::function<void(const std::string &kind, size_t lines, unsigned tried, unsigned kept)> show =
      {};
};

struct Shrunk {
  Subject subject;
  Verdict verdict; ///< of what is left: of the same signature
  unsigned tried = 0, kept = 0;
  bool finished = false; ///< nothing more can go; else time was up
};

/// Leaves out and simplifies what `subject`, which fails with `verdict`, goes on failing without.
Shrunk shrink(Subject subject, const Verdict &verdict, const ShrinkOptions &options);

/// Formatted, without empty lines at the ends. As it was where it does not parse.
std::string tidied(const std::string &text);
size_t lineCount(const std::string &text);

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_SHRINK_H
