// Where a trainer's batches come from: a text, or recorded tensors.
#ifndef WEFT_RUNTIME_DATA_DATASOURCE_H
#define WEFT_RUNTIME_DATA_DATASOURCE_H

#include "runtime/model/EntryRun.h"
#include "runtime/tokenizers/Tokenizer.h"

#include <memory>

namespace weft::runtime {

/// Which batch: the rows [first, first + rows) of a step's batch of `batch` rows; steps count
/// from 1.
struct BatchPlace {
  int64_t step, batch, first, rows;
};

class DataSource {
public:
  virtual ~DataSource() = default;
  /// Says the sizes of a run on `rows` rows, before EntryRun::allocate().
  virtual Status setSizes(EntryRun &run, int64_t rows) const = 0;
  /// Fills the inputs with rows of a training batch: a function of seed and place alone.
  virtual Status fillTraining(EntryRun &run, BatchPlace place) const = 0;
  /// How many rows there are to validate on; 0 for none.
  virtual int64_t validationRows() const = 0;
  /// Fills the inputs with the validation rows [first, first + rows).
  virtual Status fillValidation(EntryRun &run, int64_t first, int64_t rows) const = 0;
  /// The rows of a batch where the data says so; 0 where --batch does.
  virtual int64_t fixedBatch() const { return 0; }
  /// How many steps the data lasts; 0 for ever.
  virtual int64_t mostSteps() const { return 0; }
  /// The length of the sequences; 0 if there are none.
  virtual int64_t sequence() const { return 0; }
  /// What text was split with, or nullptr.
  virtual const Tokenizer *tokenizer() const { return nullptr; }
  /// A few words for the first line of a training: "1115394 tokens, 1003854 to train on".
  virtual std::string description() const = 0;
  /// A hash of the contents, to notice that a resumed training was given others.
  virtual uint64_t fingerprint() const = 0;
};

struct DataRequest {
  std::string data;          // KIND:PATH
  std::string tokenizer;     // as makeTokenizer; for text
  std::string tokenizerFile; // the tokenizer of a checkpoint; overrides
  int64_t sequence = 0;      // 0: as long as the model allows
  uint64_t seed = 0;
  bool allForValidation = false; // train on nothing
  bool trainTokenizer = true;    // whether the text may teach the tokenizer
};

/// Opens `text:FILE` or `tensors:FILE` for a training of the model.
Result<std::unique_ptr<DataSource>> openData(const Model &model, const Training &training,
                                             const DataRequest &request);

} // namespace weft::runtime
#endif
