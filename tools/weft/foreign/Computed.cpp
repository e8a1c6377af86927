// Evaluates entries without inputs.
#include "tools/weft/foreign/Computed.h"

#include "ir/reference/Interpreter.h"

#include <cmath>

namespace weft {

std::optional<std::vector<float>> compute(const ForeignTable &table, mlir::ModuleOp module) {
  auto results = reference::Interpreter(module).run(table.symbol, {});
  if (failed(results))
    return std::nullopt;
  const reference::Floats &values = results->front().floats();
  return std::vector<float>(values.begin(), values.end());
}

float computedTolerance(const ForeignTable &table, runtime::ElementType stored) {
  if (stored == runtime::ElementType::F16 || stored == runtime::ElementType::BF16)
    return 0.01f;
  int64_t longest = 1;
  for (int64_t size : table.shape)
    longest = std::max(longest, size);
  return 1e-4f + std::ldexp(float(longest), -23);
}

} // namespace weft
