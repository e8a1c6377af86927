// Which pairs are trained on, and which are held out.
#ifndef WEFT_RUNTIME_DATA_PAIRS_HELDOUT_H
#define WEFT_RUNTIME_DATA_PAIRS_HELDOUT_H

#include "runtime/data/pairs/PairFile.h"
#include "runtime/options/Options.h"

namespace weft::runtime {

/// Positions in a PairFile, in the order of the file.
struct HeldOut {
  std::vector<int64_t> train, validation, test;
};

/// As --validate-on, --test-on and --held-out say. Random ones are drawn by the sentence alone, not
/// by the seed of a training: the same file gives the same split. All pairs of one source stay
/// together, so nothing that is asked later was seen; there may be a few more than asked for.
/// `everything`: nothing is trained on, all pairs are for validation. Errors: of usage; nothing
/// left to train on.
Result<HeldOut> holdOut(const PairFile &file, const Options &options, bool everything);

} // namespace weft::runtime
#endif
