// `weft show`: the program at any stage.
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
  const Target *code = targetWithText(at);
  std::string names = "source";
  for (const Stage &stage : stages())
    names += ", " + stage.name.str();
  for (const Target *target : targets())
    for (llvm::StringRef text : target->texts())
      names += ", " + text.str();
  if (!code && at != "source" && !stageNamed(at)) {
    fmt::print(stderr, "weft show: there is no stage `{}`; stages are {}\n", at, names);
    return exitUsage;
  }
  Compilation compilation(arguments);
  if (!compilation.target)
    return exitUsage;
  if (code && arguments.has("target") && code != compilation.target) {
    fmt::print(stderr,
               "weft show: `{}` is what code for the target `{}` is shown as, not for `{}`\n", at,
               code->name().str(), compilation.target->name().str());
    return exitUsage;
  }
  if (code)
    compilation.target = code;
  std::optional<std::vector<std::string>> sets = chosenSets(arguments, *compilation.target);
  if (!sets)
    return exitUsage;
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
  auto emitted = code->emit(compilation.module(), at, *sets, CodeEffort::full);
  if (failed(emitted))
    return exitUser;
  std::string text;
  for (const EmittedCode &each : *emitted) {
    if (emitted->size() > 1)
      text += fmt::format("; {}\n", each.name);
    text += fmt::format("{}\n", std::string(each.bytes.begin(), each.bytes.end()));
  }
  return give(arguments, text);
}

} // namespace weft
