// What tuning has found, as a text that programs are built with: an entry for each kernel.
//
//   kernel 5f0c2a9be1d30412 contraction "attn.q, attn.k, attn.v"
//     on x86-64-v3, AMD EPYC 7B13, caches 32 KiB 512 KiB 32 MiB, 2 cores
//     by weft 0.1.0, contraction 1
//     sizes batch=4 seq=64
//     default 1234.50 us #cpu.contraction<…>
//     tuned 1100.25 us #cpu.contraction<…>
//     pairs 20, untried 7
//     sum 1a2b3c4d
//
// Each entry stands for itself: two files one behind the other are a file.
#ifndef WEFT_IR_CPU_TUNING_TUNINGS_H
#define WEFT_IR_CPU_TUNING_TUNINGS_H

#include "ir/kernel/Kernel.h"

#include <map>
#include <string>
#include <vector>

namespace weft::cpu {

/// One entry.
struct Tuning {
  std::string kernel;  ///< KernelKey::hash
  std::string what;    ///< for people: its family and its label
  std::string set;     ///< instruction set whose schedules they are: "x86-64-v3"
  std::string machine; ///< processor, caches, cores
  std::string by;      ///< what schedules were made by: `madeBy`
  std::string sizes;   ///< that it was timed at: "batch=4 seq=64", or several, with ", " between
  std::string usual, tuned;                            ///< schedules, as dumps write them
  double usualMicroseconds = 0, tunedMicroseconds = 0; ///< of a run, all sizes together
  int64_t pairs = 0; ///< of runs, in the same moments, that confirmed it; 0: the default is as good
  int64_t untried = 0; ///< schedules for which there was no time
  unsigned line = 0;   ///< where it begins in its file

  bool isDefault() const { return usual == tuned; }
};

/// What is wrong with an entry, which is not used then.
struct TuningProblem {
  unsigned line; ///< from 1
  std::string why;
};

struct ReadTunings {
  std::vector<Tuning> tunings;
  std::vector<TuningProblem> problems; ///< in the order of their lines
};

/// Reads any text; what is no entry, or not as it was written (`sum`), is a problem of its own.
ReadTunings readTunings(llvm::StringRef text);
std::string writeTuning(const Tuning &tuning);
/// A file of them, with a line that says what it is.
std::string writeTunings(const std::vector<Tuning> &tunings);

/// This version of Weft, and that of a family's schedules and emitter: what a tuning must be by.
std::string madeBy(kernel::Family family);

/// Which of two entries for the same kernel, set and machine is used: the one that more pairs of
/// runs have confirmed, then the larger gain, then the one that left fewer untried, then the one
/// whose text comes first. So the order of files does not matter.
bool isBetterFounded(const Tuning &one, const Tuning &other);

/// By kernel and set: the best-founded entries of a machine. Others are problems.
using TuningTable = std::map<std::pair<std::string, std::string>, Tuning>;
TuningTable tableOf(ReadTunings &read, llvm::StringRef machine);

/// All entries of several files, each that is not the best-founded of its kernel, set, machine and
/// version left out, in a fixed order.
std::vector<Tuning> merged(std::vector<Tuning> all);

} // namespace weft::cpu

#endif // WEFT_IR_CPU_TUNING_TUNINGS_H
