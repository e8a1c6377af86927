// The kind of data `pairs`: sentences and their translations.
#ifndef WEFT_RUNTIME_DATA_PAIRS_OPENPAIRS_H
#define WEFT_RUNTIME_DATA_PAIRS_OPENPAIRS_H

#include "runtime/data/OpenData.h"

namespace weft::runtime {

/// Its options, and what opens `pairs:FILE.tsv`.
DataReader pairsReader();

} // namespace weft::runtime
#endif
