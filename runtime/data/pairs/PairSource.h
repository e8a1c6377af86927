// Sentences and their translations as training data.
#ifndef WEFT_RUNTIME_DATA_PAIRS_PAIRSOURCE_H
#define WEFT_RUNTIME_DATA_PAIRS_PAIRSOURCE_H

#include "runtime/data/DataSource.h"
#include "runtime/text/words/Words.h"

namespace weft::runtime {

/// Row r of step s is sentence (s - 1) * batch + r of the shuffled epochs, laid end to end. Where
/// lengths are not fixed, 64 steps (or an epoch, if it has fewer) take sentences of that order
/// together and sort them, so that a batch holds sentences of about one length; it is as long as
/// its longest.
class PairSource final : public DataSource {
public:
  /// The inputs, by what the data calls them; "" for what a model does not take. Sentences are
  /// closed by the end mark, which counts in `valid` and `length`; `target` begins with the begin
  /// mark, `label` is the same one later.
  struct Binding {
    std::string source, valid, target, label, length;
    int batchDim = -1, sourceDim = -1, targetDim = -1;
  };
  /// A pair as ids, closed and cut.
  struct Row {
    std::vector<int32_t> source, label;
    std::string sourceText, targetText; // cleaned, whole
    int64_t line;
  };
  struct Contents {
    std::vector<Row> train, validation, test; // in the order of the file
    TokenizerPtr source, target;              // of kind words
    Binding binding;
    int64_t sourceLength = 0, targetLength = 0; // 0: each batch its own
    std::string path = {};
    uint64_t seed = 0;
    std::string fingerprint = {}; // of the file
    std::string remark;           // what was left out, for description()
  };
  explicit PairSource(Contents contents);

  Error explained(Error error) const override;
  Status setSizes(EntryRun &run, int64_t rows) const override;
  Status fillTraining(EntryRun &run, BatchPlace place) const override;
  int64_t rows(Split split) const override { return static_cast<int64_t>(of(split).size()); }
  Status fill(EntryRun &run, Split split, int64_t first, int64_t rows) const override;
  double weight(Split split, int64_t first, int64_t rows) const override;
  int64_t sequence() const override;
  std::vector<SavedTokenizer> tokenizers() const override;
  const PairSource *pairs() const override { return this; }
  std::string description() const override;
  std::string fingerprint() const override { return contents.fingerprint; }

  const std::vector<Row> &of(Split split) const;
  const Words &source() const { return *asWords(contents.source.get()); }
  const Words &target() const { return *asWords(contents.target.get()); }
  /// Which sentence of Train stands at a place of a step's batch.
  int64_t sentenceAt(int64_t step, int64_t batch, int64_t row) const;

private:
  using Rows = std::vector<const Row *>;
  Status fillRows(EntryRun &run, const Rows &rows) const;
  Status resize(EntryRun &run, int64_t rows, int64_t sourceLength, int64_t targetLength) const;
  int64_t shuffled(int64_t position) const;
  Contents contents;
  int64_t longestSource = 1, longestTarget = 1;
  int64_t longestLine = 0; // where a sentence of all of these has the most tokens
  /// The sentences of those steps, sorted by length; the last that was needed is kept.
  struct Pool {
    int64_t number = -1, batch = 0;
    std::vector<int64_t> sentences;
  };
  mutable Pool pool;
};

} // namespace weft::runtime
#endif
