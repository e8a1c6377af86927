// Evaluates entries without inputs.
#include "tools/weft/Computed.h"

#include "ir/reference/Interpreter.h"

namespace weft {

std::optional<std::vector<float>> compute(const ForeignTable &table, mlir::ModuleOp module) {
  auto results = reference::Interpreter(module).run(table.symbol, {});
  if (failed(results))
    return std::nullopt;
  const reference::Floats &values = results->front().floats();
  return std::vector<float>(values.begin(), values.end());
}

} // namespace weft
