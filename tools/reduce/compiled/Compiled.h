// Runs of compiled entries in this process, between guards.
#ifndef WEFT_TOOLS_REDUCE_COMPILED_COMPILED_H
#define WEFT_TOOLS_REDUCE_COMPILED_COMPILED_H

#include "runtime/model/EntryRun.h"
#include "tools/reduce/compiled/NativeCode.h"
#include "tools/reduce/expected/Expected.h"

namespace weft::reduce {

/// What a compiled run gave, or why it did not.
struct Given {
  std::optional<std::string> refusal;
  std::vector<reference::Array> outputs;
  reference::NamedArrays parameters;
};

class Compiled {
public:
  /// `problem` says what is wrong with the program, if something is.
  Compiled(const NativeCode &code, const std::string &set, int threads, std::string &problem);

  /// Runs the entry of this name. Inputs and outputs end where memory ends, work space and outputs
  /// are poisoned before. `again`: after a run with other parameters, of which nothing may be left.
  Given run(const std::string &entry, const Run &run, bool again = false);
  runtime::Model &model() { return *opened; }
  void setParameters(const reference::NamedArrays &parameters);

private:
  std::unique_ptr<runtime::Model> opened;
};

} // namespace weft::reduce

#endif // WEFT_TOOLS_REDUCE_COMPILED_COMPILED_H
