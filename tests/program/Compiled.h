// A module of the model dialect, compiled, linked and opened in the process of the test.
#pragma once

#include "codegen/Target.h"
#include "ir/reference/Interpreter.h"
#include "runtime/model/Model.h"

#include "mlir/IR/BuiltinOps.h"

#include <filesystem>
#include <memory>

namespace weft::test {

struct CompiledOptions {
  bool share = true; ///< of memory, by values that are not needed at one time
  int threads = 0;   ///< 0: one for each core
  /// What is compiled for; null: what WEFT_TEST_TARGET names, else the usual target.
  const Target *target = nullptr;
};

/// Takes the module through the stages behind the model stage, and its code into this process. What
/// goes wrong is an std::runtime_error.
class Compiled {
public:
  explicit Compiled(mlir::ModuleOp module, CompiledOptions options = {});
  ~Compiled();

  /// Sets every parameter that is given; the others keep their initial values.
  void setParameters(const reference::NamedArrays &parameters);
  bool has(const std::string &entry) const { return model->facts.entry(entry) >= 0; }
  /// Runs an entry, by the name that the world knows it by. Caches are given back too.
  reference::NamedArrays run(const std::string &entry, const reference::NamedArrays &inputs,
                             const llvm::StringMap<int64_t> &sizes = {});
  /// Parameters and states as they are now.
  reference::NamedArrays parameters() const;

private:
  std::filesystem::path folder;
  void *library = nullptr;
  std::unique_ptr<runtime::Model> model;
};

} // namespace weft::test
