// `weft import`: a Weft checkpoint from one that others wrote.
#include "tools/weft/Commands.h"
#include "tools/weft/Expected.h"
#include "tools/weft/Foreign.h"
#include "tools/weft/ImportFolder.h"

#include "ir/model/Dims.h"
#include "runtime/carried/KeptTokenizer.h"
#include "runtime/files/NewFile.h"
#include "runtime/parameters/Slices.h"

#include <fmt/format.h>

#include <map>

namespace weft {
namespace {

/// Tokenizers by the names of their files.
using Tokenizers = std::map<std::string, runtime::TokenizerPtr>;

runtime::Status write(ImportFolder &folder, const Weights &weights, const Tokenizers &tokenizers) {
  if (runtime::Status status = folder.create(); !status)
    return status;
  if (runtime::Status status = weights.parameters->save(
          folder.written() + "/" + ImportFolder::weights, runtime::isWeight);
      !status)
    return status;
  for (const auto &[file, tokenizer] : tokenizers)
    if (runtime::Status status = runtime::writeFile(folder.written() + "/" + file,
                                                    runtime::jsonText(tokenizer->json()) + "\n");
        !status)
      return status;
  return {};
}

/// Whether the model has room for the ids of the tokenizer: some input is an index so large.
bool fits(const runtime::Tokenizer &tokenizer, mlir::ModuleOp module) {
  model::Dims sizes(module);
  std::string name;
  int64_t largest = 0;
  for (auto function : module.getOps<mlir::func::FuncOp>())
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      if (auto index = function.getArgAttrOfType<mlir::StringAttr>(i, "weft.index"))
        if (int64_t size = sizes.size(index.getValue()).constant().value_or(0); size > largest) {
          largest = size;
          name = index.getValue();
        }
  if (largest >= tokenizer.size())
    return true;
  fmt::print(stderr, "weft import: the tokenizer has {} ids, {}\n", tokenizer.size(),
             largest ? fmt::format("the model's {} is {}", name, largest)
                     : "and no input of the model is an index");
  return false;
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
    return exitUser;
  std::optional<ForeignPlan> plan = planOf(compilation, "import");
  if (!plan)
    return exitUser;
  std::vector<std::string> paths = arguments.all("from");
  paths.insert(paths.end(), arguments.positional.begin() + 1, arguments.positional.end());
  runtime::Result<TensorFiles> files = TensorFiles::open(paths);
  if (!files)
    return failed(files.error());
  Tokenizers tokenizers;
  for (auto [file, option] : {std::pair(runtime::tokenizerFile, "tokenizer"),
                              {runtime::sourceTokenizerFile, "source-tokenizer"}}) {
    if (!arguments.has(option))
      continue;
    auto read = runtime::tokenizerWithoutText(arguments.get(option));
    if (!read)
      return failed(read.error());
    tokenizers[file] = std::move(*read);
  }
  Weights weights(compilation.module(), 0);
  if (!weights.parameters)
    return exitInternal;
  std::optional<int64_t> ignored =
      importWeights(weights, *plan, compilation.module(), *files, arguments.get("prefix"));
  if (!ignored)
    return exitUser;
  for (const auto &[file, tokenizer] : tokenizers)
    if (!fits(*tokenizer, compilation.module()))
      return exitUser;
  ImportFolder folder(arguments.get("output"));
  if (runtime::Status status = write(folder, weights, tokenizers); !status)
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
  fmt::print("{}: {} numbers from {} tensors{}\n", folder.place(), count, plan->tensors().size(),
             *ignored ? fmt::format(", {} ignored", *ignored) : "");
  return exitOk;
}

} // namespace weft
