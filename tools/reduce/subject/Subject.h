// A program to try, and at which sizes and numbers.
#ifndef WEFT_TOOLS_REDUCE_SUBJECT_SUBJECT_H
#define WEFT_TOOLS_REDUCE_SUBJECT_SUBJECT_H

#include "frontend/configure/Configure.h"

#include <map>
#include <string>
#include <vector>

namespace weft::reduce {

using SizeMap = std::map<std::string, int64_t>;

/// Which numbers are drawn, beside the usual ones.
struct Drawn {
  /// Coarse numbers, many of them equal: `argmax`, `top` and `max` have to decide. Gradients are
  /// not held against differences there: where two are equal, a maximum bends.
  bool ties = false;
  bool far = false;     ///< inputs around 1,000, of which differences count
  bool extreme = false; ///< some of the inputs infinite, NaN or -0
};

struct Subject : Drawn {
  std::string name = "program.weft"; ///< what it uses is looked for beside this
  std::string text;
  Settings settings;
  /// Sizes of dimensions that come with the data, one run for each row; what a row leaves open is
  /// drawn. None: two rows, all of it drawn.
  std::vector<SizeMap> sizes;
  uint64_t seed = 1; ///< of every number: inputs, parameters, sizes
  /// Groups of passes (`weft-fuse-rows`): the program is compiled once more without each.
  std::vector<std::vector<std::string>> without;
  bool onlyWithout = false; ///< and not with all passes
  /// If not empty: a fault counts only if it is gone without these passes.
  std::vector<std::string> cure;
  bool optimized = true;      ///< by LLVM too, which takes most of the time
  std::string target = "cpu"; ///< what it is compiled for
  std::string precision = "float32";
  bool chunks = false;    ///< logits are computed in chunks, as where memory is short
  uint64_t schedules = 0; ///< by this seed each kernel of a CPU gets a legal one; 0: the default
  std::string weights;    ///< which are whole numbers, as `--weights-as` takes it
  std::string caches;     ///< how they are kept, as `--caches-as` takes it; empty: does not say
  std::vector<std::string> isas; ///< instruction sets; none: all of the target and this machine
  bool compiled = true;          ///< else lowered to a plan only: what the passes do is looked at
  bool gradients = true;         ///< also those of every entry with a number as result
  bool differences = true;       ///< hold gradients against quotients of differences
};

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_SUBJECT_SUBJECT_H
