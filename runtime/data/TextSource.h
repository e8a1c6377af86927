// A text as training data: windows of tokens, each with the tokens one later.
#ifndef WEFT_RUNTIME_DATA_TEXTSOURCE_H
#define WEFT_RUNTIME_DATA_TEXTSOURCE_H

#include "runtime/base/Philox.h"
#include "runtime/data/DataSource.h"
#include "runtime/text/KeptTokenizer.h"

namespace weft::runtime {

/// The first nine tenths are trained on, the rest is for validation. An epoch cuts the training
/// part into windows that touch (the next token of a window's last is the first of the following
/// one), beginning at an offset drawn for that epoch, and takes them in a shuffled order; row r of
/// step s is window (s - 1) * batch + r, over all epochs.
class TextSource final : public DataSource {
public:
  /// Which inputs of the gradient entry take the tokens and those that follow, and the dimensions
  /// of a batch.
  struct Binding {
    std::string tokens, next;
    int batchDim, sequenceDim;
  };
  struct Contents {
    std::vector<int32_t> tokens;
    TokenizerPtr tokenizer;
    Binding binding;
    int64_t sequence = 0;
    uint64_t seed = 0;
    std::string fingerprint = "";  // of the text
    bool allForValidation = false; // train on nothing
  };
  /// Errors: too few tokens for one window.
  static Result<std::unique_ptr<DataSource>> create(Contents contents);

  Status setSizes(EntryRun &run, int64_t rows) const override;
  Status fillTraining(EntryRun &run, BatchPlace place) const override;
  /// Windows that touch, from the beginning of the split; nothing is left for Test.
  int64_t rows(Split split) const override;
  int64_t rowsOfEpoch() const override;
  Status fill(EntryRun &run, Split split, int64_t first, int64_t rows) const override;
  int64_t sequence() const override { return length; }
  std::vector<SavedTokenizer> tokenizers() const override {
    return {{tokenizerFile, contents.tokenizer.get()}};
  }
  std::string description() const override;
  std::string fingerprint() const override { return contents.fingerprint; }

  /// Where the training window of this number begins.
  int64_t windowStart(uint64_t number) const;
  int64_t trainingTokens() const { return trained; }

private:
  explicit TextSource(Contents contents);
  void fillRow(EntryRun &run, int64_t row, int64_t start) const;
  Contents contents;
  int64_t length, trained; // tokens of a window; tokens of the training part
};

} // namespace weft::runtime
#endif
