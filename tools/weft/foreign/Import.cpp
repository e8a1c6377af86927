// `weft import`: a Weft checkpoint from one of another project.
#include "tools/weft/base/Commands.h"
#include "tools/weft/base/WrittenWeights.h"
#include "tools/weft/foreign/Expected.h"
#include "tools/weft/foreign/Foreign.h"
#include "tools/weft/foreign/ImportFolder.h"
#include "tools/weft/tokenizers/KeptTokenizers.h"

#include "runtime/base/files/NewFile.h"
#include "runtime/base/files/ReadFiles.h"
#include "runtime/model/Slices.h"
#include "runtime/training/checkpoint/MadeWith.h"

#include <fmt/format.h>

namespace weft {
namespace {

/// What lies in the folder beside the weights.
runtime::Status writeBeside(const ImportFolder &folder, const runtime::Facts &facts,
                            const Tokenizers &tokenizers) {
  runtime::Json options = runtime::readsOf(facts, runtime::anyUse);
  if (runtime::Status status = runtime::writeFile(folder.written() + "/" + runtime::optionsFile,
                                                  runtime::jsonText(options, 1) + "\n");
      !status)
    return status;
  for (const auto &[file, tokenizer] : tokenizers)
    if (runtime::Status status = runtime::writeFile(folder.written() + "/" + file,
                                                    runtime::jsonText(tokenizer->json()) + "\n");
        !status)
      return status;
  return {};
}

int failed(const runtime::Error &error) {
  fmt::print(stderr, "weft import: {}\n", error.message);
  return exitUser;
}

} // namespace

int runImport(const Arguments &arguments) {
  if (!arguments.has("from") || !arguments.has("output")) {
    fmt::print(stderr, "weft import: {}\n",
               arguments.has("from") ? "where to? add `-o DIR`" : "of what? add `--from FILE`");
    return exitUsage;
  }
  Compilation compilation(arguments);
  if (!compilation.model())
    return compilation.exitCode();
  std::optional<ForeignPlan> plan = planOf(compilation, "import");
  if (!plan)
    return exitUser;
  std::vector<std::string> paths = arguments.all("from");
  paths.insert(paths.end(), arguments.positional.begin() + 1, arguments.positional.end());
  runtime::Result<TensorFiles> files = TensorFiles::open(paths);
  if (!files)
    return failed(files.error());
  Weights weights(compilation.module());
  if (!weights.parameters)
    return exitInternal;
  runtime::Result<Tokenizers> tokenizers =
      tokenizersFor(vocabulariesOf(compilation.module()), arguments, nullptr);
  if (!tokenizers)
    return failed(tokenizers.error());
  runtime::ReadFiles::note(arguments.get("expect")); // it is read when the import is written
  ImportFolder folder(arguments.get("output"));
  std::optional<WrittenWeights> file;
  auto makeFile = [&]() -> runtime::Status {
    if (runtime::Status status = folder.create(); !status)
      return status;
    auto made = WrittenWeights::create(weights, folder.written() + "/" + ImportFolder::weights);
    if (!made)
      return made.error();
    file.emplace(std::move(*made));
    weights.initialize(0, runtime::isState); // those that files lack keep their first values
    return {};
  };
  std::optional<BesideWeights> beside =
      importWeights(weights, *plan, compilation.module(), *files, arguments.get("prefix"), [&] {
        runtime::Status status = makeFile();
        if (!status)
          failed(status.error());
        return static_cast<bool>(status);
      });
  if (!beside)
    return exitUser;
  if (runtime::Status status = file->commit(); !status)
    return failed(status.error());
  if (runtime::Status status = writeBeside(folder, *weights.facts, *tokenizers); !status)
    return failed(status.error());
  if (arguments.has("expect"))
    if (int result = compareExpected(arguments, folder.written()); result != exitOk)
      return result;
  if (runtime::Status status = folder.commit(); !status)
    return failed(status.error());
  int64_t count = 0;
  for (const runtime::Parameter &parameter : weights.facts->parameters)
    if (parameter.kind != runtime::ParameterKind::Optimizer)
      count += runtime::elementCount(*weights.facts, parameter);
  fmt::print("{}: {} numbers from {} tensors{}{}\n", folder.place(), count, plan->tensors().size(),
             beside->copies ? fmt::format(", {} equal to others", beside->copies) : "",
             beside->ignored ? fmt::format(", {} ignored", beside->ignored) : "");
  return exitOk;
}

} // namespace weft
