// Numbered dumps of the passes that changed something (`--each-pass DIR`).
#ifndef WEFT_TOOLS_WEFT_BASE_EACHPASS_H
#define WEFT_TOOLS_WEFT_BASE_EACHPASS_H

#include "runtime/base/files/ReadFiles.h"

#include "mlir/Pass/PassInstrumentation.h"

#include <memory>
#include <string>
#include <system_error>

namespace weft {

/// Writes `DIR/NN-STAGE-PASS.mlir` after every pass that changed the module; the numbers go on from
/// stage to stage.
class EachPass {
public:
  /// The files keep clear of what is read, and of the command's other outputs.
  EachPass(std::string folder, const std::vector<runtime::NamedOutput> &others)
      : folder(std::move(folder)), others(others) {}
  /// Watches the passes of one stage.
  std::unique_ptr<mlir::PassInstrumentation> watch(std::string stage);
  /// Writes the module as it is, e.g. as the source said it.
  void write(mlir::Operation *module, const std::string &name);
  /// Whether a file could not be written; the first time it was said why.
  bool failed() const { return broken; }

private:
  void fail(const std::string &path, std::error_code problem);
  std::string folder;
  const std::vector<runtime::NamedOutput> &others;
  unsigned number = 0;
  bool broken = false;
};

} // namespace weft

#endif // WEFT_TOOLS_WEFT_BASE_EACHPASS_H
