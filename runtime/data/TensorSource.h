// Recorded batches as training data: tensors whose leading dimension is the step.
#ifndef WEFT_RUNTIME_DATA_TENSORSOURCE_H
#define WEFT_RUNTIME_DATA_TENSORSOURCE_H

#include "runtime/data/DataSource.h"

namespace weft::runtime {

/// For each input of the gradient entry the file has a tensor of that name, or of `in.` and that
/// name; others are ignored.
class TensorSource final : public DataSource {
public:
  static Result<std::unique_ptr<DataSource>> open(const Facts &facts, const Entry &entry,
                                                  const std::string &path);

  Status setSizes(EntryRun &run, int64_t rows) const override;
  Status fillTraining(EntryRun &run, BatchPlace place) const override;
  int64_t rows(Split) const override { return 0; }
  Status fill(EntryRun &, Split, int64_t, int64_t) const override { return success(); }
  int64_t fixedBatch() const override { return batch; }
  int64_t mostSteps() const override { return steps; }
  std::string description() const override;
  std::string fingerprint() const override { return hash; }
  Result<bool> hasFingerprint(const std::string &before) const override;

private:
  explicit TensorSource(SafetensorsFile file) : file(std::move(file)) {}
  /// The tensors of the entry: their names, types, shapes and bytes, in the order of its inputs.
  Result<std::string> hashed() const;
  Result<uint64_t> hashedAsBefore() const;
  SafetensorsFile file;
  std::vector<const StoredTensor *> tensors; // by input of the entry
  int64_t steps = 0, batch = 0;
  std::string hash;
};

} // namespace weft::runtime
#endif
