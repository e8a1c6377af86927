// `weft show`: the program at any stage.
#include "codegen/host/Emit.h"
#include "passes/Pipeline.h"
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/Compilation.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/show/Listing.h"

#include "runtime/base/files/NewFile.h"

#include <fmt/format.h>

namespace weft {

static int showPasses() {
  for (const Stage &stage : stages()) {
    fmt::print("{}: {}\n", stage.name.str(), stage.holds.str());
    for (llvm::StringRef pass : stage.passes)
      fmt::print("    {}\n", pass.str());
    fmt::print("  promises, which are checked behind it:\n");
    for (const Promise &promise : stage.promises)
      fmt::print("    {:12} {}\n", promise.name.str(), promise.text.str());
  }
  return exitOk;
}

static int give(const Arguments &arguments, const std::string &text) {
  if (!arguments.has("output")) {
    fmt::print("{}", text);
    return exitOk;
  }
  runtime::Status written = runtime::writeFile(arguments.get("output"), text);
  if (!written) {
    fmt::print(stderr, "weft show: {}\n", written.error().message);
    return exitUser;
  }
  return exitOk;
}

int runShow(const Arguments &arguments) {
  if (arguments.has("passes"))
    return showPasses();
  if (arguments.positional.empty()) {
    fmt::print(stderr, "weft show: which file? usage: weft show FILE.weft --at STAGE\n");
    return exitUsage;
  }
  std::string at = arguments.get("at", "model");
  bool code = at == "llvm" || at == "asm";
  bool known = code || at == "source";
  for (const Stage &stage : stages())
    known |= stage.name == at;
  if (!known) {
    fmt::print(stderr,
               "weft show: there is no stage `{}`; stages are source, model, fused, kernel, plan, "
               "llvm, asm\n",
               at);
    return exitUsage;
  }
  std::optional<std::vector<cpu::Isa>> isas = chosenIsas(arguments, "x86-64-v3");
  if (!isas)
    return exitUsage;
  Compilation compilation(arguments);
  compilation.only = arguments.get("entry");
  if (!compilation.model() ||
      (at != "source" && !compilation.lower(code ? "plan" : llvm::StringRef(at))))
    return compilation.exitCode();
  if (at != "source" && !compilation.only.empty())
    compilation.keepWanted();
  if (!code)
    return give(arguments, arguments.has("locations")
                               ? listingWithLocations(compilation.module())
                               : listing(compilation.module(), arguments.has("bare")));
  auto emitted =
      emitCode(compilation.module(), *isas, at == "asm" ? CodeForm::assembly : CodeForm::ir);
  if (failed(emitted))
    return exitUser;
  std::string text;
  for (const EmittedCode &each : *emitted)
    text += fmt::format("; {}\n{}\n", each.name, std::string(each.bytes.begin(), each.bytes.end()));
  return give(arguments, text);
}

} // namespace weft
