// `weft draw`: an entry's graph as a picture.
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/show/Graph.h"

#include "runtime/base/files/NewFile.h"

#include "ir/model/Entries.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

namespace weft {

int runDraw(const Arguments &arguments) {
  if (!arguments.has("output")) {
    fmt::print(stderr, "weft draw: where to? add `-o GRAPH.svg`\n");
    return exitUsage;
  }
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  if (!compilation.model() || !compilation.lower("fused"))
    return compilation.exitCode();
  mlir::func::FuncOp function;
  for (auto each : compilation.module().getOps<mlir::func::FuncOp>())
    if (!function || compilation.functionOf(compilation.only) == each)
      function = each;
  if (!function) {
    fmt::print(stderr, "weft draw: {} has no entry\n", compilation.file);
    return exitUser;
  }
  std::string source = llvm::sys::path::filename(compilation.file).str();
  std::string config = arguments.get("config");
  std::string title = fmt::format("{}{}: {}", source, config.empty() ? "" : ", " + config,
                                  model::publicName(function).str());
  runtime::Status written =
      runtime::writeFile(arguments.get("output"), drawGraph(graphOf(function), title));
  if (written)
    return exitOk;
  fmt::print(stderr, "weft draw: {}\n", written.error().message);
  return exitUser;
}

} // namespace weft
