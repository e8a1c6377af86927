// The arguments of one run: tensors of a file, and literals of the command line.
#ifndef WEFT_RUNTIME_PROGRAM_RUN_RUNINPUTS_H
#define WEFT_RUNTIME_PROGRAM_RUN_RUNINPUTS_H

#include "runtime/model/EntryRun.h"
#include "runtime/options/Options.h"
#include "runtime/program/run/Literal.h"

namespace weft::runtime {

class RunInputs {
public:
  /// Opens the file of --inputs and reads every --input; both, one or neither may be there.
  static Result<RunInputs> open(const Options &options);

  /// Whether an input of this name is among them.
  bool has(const std::string &input) const { return literal(input) || stored(input); }
  /// Gives whole numbers to an input as if they stood on the command line.
  void add(const std::string &input, std::vector<int64_t> shape,
           const std::vector<int32_t> &values);

  /// Holds names, types and shapes against the inputs of a run: each must be given once, and
  /// nothing else.
  Status bind(EntryRun &run, const Facts &facts) const;
  /// Converts the values into the inputs of a run that is allocated.
  Status store(EntryRun &run) const;

private:
  Status checkNames(const Entry &entry, const Facts &facts) const;
  const StoredTensor *stored(const std::string &name) const {
    return file ? file->find(name) : nullptr;
  }
  const Literal *literal(const std::string &name) const;

  std::optional<SafetensorsFile> file;
  std::vector<Literal> literals;
};

} // namespace weft::runtime
#endif
