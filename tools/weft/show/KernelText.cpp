// Lines and contents of kernels.
#include "tools/weft/show/KernelText.h"

#include "tools/weft/base/Compilation.h"

#include <fmt/format.h>

#include <set>

namespace weft {

/// The user's lines behind an op, all of one file.
static void addLines(mlir::Location at, std::set<unsigned> &lines) {
  mlir::FileLineColLoc found = sourceOf(at);
  if (found && !found.getFilename().getValue().starts_with("library/"))
    lines.insert(found.getLine());
}

std::string linesOf(kernel::FusedOp op) {
  std::set<unsigned> lines;
  op.getBody().walk([&](mlir::Operation *inner) { addLines(inner->getLoc(), lines); });
  std::string text;
  for (unsigned line : lines)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", line);
  return text;
}

std::string contentsOf(kernel::FusedOp op) {
  std::vector<std::pair<std::string, unsigned>> counts;
  for (mlir::Operation &inner : op.getBody().front()) {
    if (inner.getNumOperands() == 0 || llvm::isa<kernel::YieldOp>(inner))
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
