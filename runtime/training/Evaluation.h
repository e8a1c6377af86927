// The means of what a loss measures over data: one measure, which `eval` prints and by which a
// training is watched.
#ifndef WEFT_RUNTIME_TRAINING_EVALUATION_H
#define WEFT_RUNTIME_TRAINING_EVALUATION_H

#include "runtime/data/DataSource.h"
#include "runtime/training/Measures.h"

namespace weft::runtime {

class Evaluation {
public:
  /// How rows are taken: `batches` of them, each of `batch` rows, computed `part` rows at a time.
  struct Sample {
    int64_t batches, batch, part;
  };

  /// Of the loss without what only training does. `data` must outlive it.
  Evaluation(Model &model, const Training &training, const DataSource &data);
  /// As EntryRun.
  void packInWork() { run.packInWork(); }
  /// Takes memory for runs on so many rows.
  Status allocate(int64_t rows);
  /// Every row of a split, `batch` at a time; the last run may have less.
  Status measureAll(Split split, int64_t batch);
  /// Batches that are spread over a split; every row once where there are no more than that.
  Status measureSample(Split split, Sample sample);
  /// Every recorded batch.
  Status measureRecord();
  /// Begins anew.
  void clear();

  /// Means over runs, each weighted by its `count`; by what the data says, where the loss has none.
  Measures mean() const;
  /// The sum of those weights.
  double weight() const { return weights; }
  int64_t rows = 0, tokens = 0;
  /// The first run whose loss is NaN or infinite: its rows are [first, end); end is 0 if there is
  /// none.
  struct {
    int64_t first = 0, end = 0;
  } immeasurable;

private:
  Status checkMemory(int64_t rows) const;
  Status measureRows(Split split, int64_t first, int64_t count, int64_t part);
  Status addRun(int64_t count, double weight);
  EntryRun run;
  const DataSource &data;
  Measures sum;
  double weights = 0;
  bool counts = false; // the weights are those that the loss says
  int64_t allocated = 0;
};

} // namespace weft::runtime
#endif
