// A hunt: programs of many seeds, tried by several workers, what fails made small and kept.
#pragma once

#include "tools/reduce/Child.h"

#include "tools/reduce/Shrink.h"

#include <filesystem>

namespace weft::hunter {

struct HuntOptions {
  uint64_t seed = 0;  ///< of the first program; those after it follow
  uint64_t count = 0; ///< programs; 0: until time is up
  double minutes = 0; ///< 0: until all programs are done
  /// Of computing, by all workers together: what a busy machine does not change. 0: no limit.
  double computing = 0;
  unsigned jobs = 2;
  std::filesystem::path findings; ///< where what fails goes; empty: it is only printed
  double trialSeconds = reduce::usualLimit;
  bool compiles = true;  ///< else programs are lowered to their plans and interpreted
  std::string precision; ///< float32 or bf16; empty: each its own
  std::string weights;   ///< as `--weights-as` takes it; empty: each its own
  std::string caches;    ///< as `--caches-as` takes it; empty: each its own
  std::string isa;       ///< an instruction set of processors; empty: each its own
  std::string target;    ///< what they are compiled for (codegen/Target.h); empty: each its own
  bool shrinks = true;
  double shrinkSeconds = 120;
  std::vector<std::string> stops; ///< at the first finding of one of these kinds; `any`: of any
};

/// Prints what it finds and, at the end, what it did. Gives the number of kinds of faults found.
/// Must be called from a process with one thread.
unsigned hunt(const HuntOptions &options);

/// Tries files: their first line says `# sizes: b=3,s=2; b=1,s=7` and perhaps `seed=5`. Gives the
/// number of those that fail.
unsigned retry(const std::vector<std::string> &files, const HuntOptions &options);

} // namespace weft::hunter
