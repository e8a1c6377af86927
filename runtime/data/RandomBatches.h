// Random inputs, to time runs on.
#ifndef WEFT_RUNTIME_DATA_RANDOMBATCHES_H
#define WEFT_RUNTIME_DATA_RANDOMBATCHES_H

#include "runtime/data/DataSource.h"
#include "runtime/options/SizeSettings.h"

namespace weft::runtime {

/// What is to be filled: whole numbers are below `limit`, or 1 where that is 0.
struct RandomTensor {
  Element element;
  int64_t limit;
  std::string_view name;
};

/// Fills `count` elements, which lie in `values` as their type says: numbers of about the size of
/// weights, truth values, or whole numbers. The name and the seed say which.
void fillRandomly(const RandomTensor &tensor, void *values, int64_t count, uint64_t seed);

/// Fills all inputs of an allocated run; whole numbers are positions in what they index.
void fillRandomly(EntryRun &run, uint64_t seed);

/// Batches of the given sizes, the same at every step.
class RandomBatches final : public DataSource {
public:
  explicit RandomBatches(std::vector<SizeSetting> sizes) : sizes(std::move(sizes)) {}
  Status setSizes(EntryRun &run, int64_t rows) const override;
  Status fillTraining(EntryRun &run, BatchPlace place) const override;
  int64_t rows(Split) const override { return 0; }
  Status fill(EntryRun &, Split, int64_t, int64_t) const override { return success(); }
  int64_t fixedBatch() const override { return 1; } // the sizes say it
  std::string description() const override { return "random batches"; }
  std::string fingerprint() const override { return ""; }

private:
  std::vector<SizeSetting> sizes;
};

} // namespace weft::runtime
#endif
