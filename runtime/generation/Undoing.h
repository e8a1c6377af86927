// Taking back what generators were about to take in.
#ifndef WEFT_RUNTIME_GENERATION_UNDOING_H
#define WEFT_RUNTIME_GENERATION_UNDOING_H

#include "runtime/generation/Generator.h"

namespace weft::runtime {

/// Makes generators what they were, unless all is finished: also where memory runs out.
class Generator::Undoing {
public:
  explicit Undoing(std::span<const Turn> turns) : turns(turns) {}
  ~Undoing() {
    for (size_t i = 0; i < turns.size() && !finished; ++i) {
      Generator &generator = *turns[i].generator;
      if (i < taken)
        --generator.position; // such a turn has one id
      generator.undoStep(/*totalsKept=*/i < prepared);
    }
  }
  Undoing(const Undoing &) = delete;
  /// How many of the turns have kept their totals, and how many were taken in.
  size_t prepared = 0, taken = 0;
  bool finished = false;

private:
  std::span<const Turn> turns;
};

} // namespace weft::runtime
#endif
