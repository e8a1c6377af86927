// A random program, with the sizes of its runs.
#pragma once

#include "tools/reduce/subject/Subject.h"
#include "tools/reduce/subject/Verdict.h"

#include <set>

namespace weft::hunter {

/// A program that the checker takes, unless a statement of it may be refused.
struct Written : reduce::Subject {
  std::set<std::string> risks; ///< the errors that such statements may be refused with
  std::string setOfPairs;      ///< a set that multiplies pairs of bfloat16; empty: each its own

  /// Tries it there, where it is one for processors that stores bfloat16.
  void tryPairs();
};

/// The program of a seed: the same everywhere, always.
Written generate(uint64_t seed);

/// The error that a refusal names: `E0310`; empty if there is none.
std::string codeOf(const reduce::Verdict &verdict);
/// Whether the checker says no where the generator means yes: it has become too careful.
bool isWronglyRefused(const Written &program, const reduce::Verdict &verdict);

} // namespace weft::hunter
