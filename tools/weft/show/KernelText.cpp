// Lines and contents of kernels.
#include "tools/weft/show/KernelText.h"

#include "ir/model/SourceLines.h"

#include <fmt/format.h>

namespace weft {

std::string linesOf(kernel::FusedOp op) {
  std::string text;
  for (unsigned line : model::linesOf(op.getBody()))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", line);
  return text;
}

std::string contentsOf(kernel::FusedOp op) {
  std::vector<std::pair<std::string, unsigned>> counts;
  for (mlir::Operation &inner : op.getBody().front()) {
    if (inner.hasTrait<model::Free>() || llvm::isa<kernel::YieldOp>(inner))
      continue;
    std::string name = inner.getName().stripDialect().str();
    auto at = llvm::find_if(counts, [&](auto &each) { return each.first == name; });
    if (at == counts.end())
      counts.emplace_back(name, 1);
    else
      ++at->second;
  }
  std::string text;
  for (auto &[name, count] : counts)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name,
                        count > 1 ? fmt::format(" x{}", count) : "");
  return text;
}

} // namespace weft
