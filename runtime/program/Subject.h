// What `bench` and `profile` run again and again: an entry, a training step or a token, on random
// weights and inputs.
#ifndef WEFT_RUNTIME_PROGRAM_SUBJECT_H
#define WEFT_RUNTIME_PROGRAM_SUBJECT_H

#include "runtime/options/SizeSettings.h"
#include "runtime/training/Trainer.h"

#include <functional>

namespace weft::runtime {

/// One call of `once` is one run; it owns what it needs.
struct Subject {
  std::string name;
  std::function<Status(int64_t run)> once;
  Trainer::Amount amount{}; // of one run
  int64_t bytes = 0;        // of work space and packed weights
};

/// The options that say of what: --entry, --set, --pack.
std::vector<OptionSpec> subjectOptions();

/// What they say, of a model whose parameters are then random. Errors: an unknown entry, sizes that
/// it does not have or that are missing; no memory.
Result<Subject> subjectOf(Model &model, const Options &options);

} // namespace weft::runtime
#endif
