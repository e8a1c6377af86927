// Where a trainer's batches come from: a text, pairs of sentences, recorded tensors.
#ifndef WEFT_RUNTIME_DATA_DATASOURCE_H
#define WEFT_RUNTIME_DATA_DATASOURCE_H

#include "runtime/base/Json.h"
#include "runtime/model/EntryRun.h"
#include "runtime/text/tokenizers/Tokenizer.h"

#include <memory>

namespace weft::runtime {

/// Which batch: the rows [first, first + rows) of a step's batch of `batch` rows; steps count
/// from 1.
struct BatchPlace {
  int64_t step, batch, first, rows;
};

/// What is trained on, what is held out to watch a training, and what is only measured at the
/// end.
enum class Split { Train, Validation, Test };

/// A tokenizer, and the name of the file that a checkpoint keeps it in.
struct SavedTokenizer {
  const char *file;
  const Tokenizer *tokenizer;
};

class PairSource;

class DataSource {
public:
  virtual ~DataSource() = default;
  /// Says the sizes of a run on `rows` rows, before EntryRun::allocate().
  virtual Status setSizes(EntryRun &run, int64_t rows) const = 0;
  /// Fills the inputs with rows of a training batch: a function of seed and place alone. Where
  /// batches differ in length it says other sizes and allocates `run` again.
  virtual Status fillTraining(EntryRun &run, BatchPlace place) const = 0;
  /// What comes of an error of memory for a batch: where rows differ in length, which is the
  /// longest.
  virtual Error explained(Error error) const { return error; }
  /// How many rows a split has, 0 for none.
  virtual int64_t rows(Split split) const = 0;
  /// Those of an epoch; 0 where there are no epochs.
  virtual int64_t rowsOfEpoch() const { return rows(Split::Train); }
  /// Fills the inputs with the rows [first, first + rows) of a split, in the order of the data.
  /// Sizes as with fillTraining().
  virtual Status fill(EntryRun &run, Split split, int64_t first, int64_t rows) const = 0;
  /// How much the loss of these rows counts in a mean over all: as many as their mean is over.
  virtual double weight(Split, int64_t, int64_t rows) const { return static_cast<double>(rows); }
  /// Draws what the model says of rows of a split, as SVG, where there is something to look at.
  virtual Status drawSamples(Model &, Split, const std::string &path) const {
    return Error{Code::Usage, "--samples " + path + ": goes with images:PATH"};
  }
  /// The rows of a batch where the data says so; 0 where --batch does.
  virtual int64_t fixedBatch() const { return 0; }
  /// How many steps the data lasts; 0 for ever.
  virtual int64_t mostSteps() const { return 0; }
  /// The length of the sequences; 0 if there are none, or each batch has its own.
  virtual int64_t sequence() const { return 0; }
  /// What text was split with: what a checkpoint keeps.
  virtual std::vector<SavedTokenizer> tokenizers() const { return {}; }
  /// Adds to a checkpoint's state what those who use its weights must know of the data, and finds
  /// in DataRequest::state.
  virtual void describe(Json &) const {}
  /// The source as pairs of sentences, or nullptr.
  virtual const PairSource *pairs() const { return nullptr; }
  /// A few words for the first line of a training: "1115394 tokens, 1003854 to train on".
  virtual std::string description() const = 0;
  /// Of the contents, to notice that a resumed training was given others; nothing is read for it.
  virtual std::string fingerprint() const = 0;
  /// Whether `before` is of these contents; an earlier version may have written it.
  virtual Result<bool> hasFingerprint(const std::string &before) const {
    return before == fingerprint();
  }

  int64_t validationRows() const { return rows(Split::Validation); }
};

} // namespace weft::runtime
#endif
