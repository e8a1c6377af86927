// `weft import`: a Weft checkpoint from one that others wrote.
#include "tools/weft/Commands.h"
#include "tools/weft/Expected.h"
#include "tools/weft/Foreign.h"

#include "ir/model/Dims.h"
#include "runtime/carried/KeptTokenizer.h"
#include "runtime/files/Folder.h"
#include "runtime/files/NewFile.h"
#include "runtime/parameters/Slices.h"

#include <fmt/format.h>

#include <cstdio>
#include <map>

namespace weft {
namespace {

const char weightsFile[] = "parameters.safetensors";

/// Tokenizers by the names of their files.
using Tokenizers = std::map<std::string, runtime::TokenizerPtr>;

/// A folder that gets its name when it is whole, and is gone if it never was.
class NewFolder {
public:
  explicit NewFolder(std::string path) : path(std::move(path)) {
    while (this->path.size() > 1 && this->path.ends_with("/"))
      this->path.pop_back();
    temporary = this->path + ".unfinished";
  }
  ~NewFolder() { runtime::removeFolder(temporary); }
  NewFolder(const NewFolder &) = delete;

  /// Fails where something other than an earlier import would be lost.
  runtime::Status create() const {
    if (runtime::fileExists(path)) {
      bool isImport = runtime::isFolder(path);
      for (const std::string &name : runtime::namesIn(path))
        isImport &= name == weightsFile || name == runtime::tokenizerFile ||
                    name == runtime::sourceTokenizerFile;
      if (!isImport)
        return runtime::Error{runtime::Code::File,
                              path + ": is there already, and is no import; choose another place"};
    }
    runtime::removeFolder(temporary);
    return runtime::makeFolder(temporary);
  }

  runtime::Status commit() const {
    runtime::removeFolder(path);
    if (std::rename(temporary.c_str(), path.c_str()) != 0)
      return runtime::Error{runtime::Code::File, path + ": cannot write it"};
    return runtime::syncFolder(runtime::folderOf(path));
  }

  std::string path, temporary;
};

runtime::Status write(const NewFolder &folder, const Weights &weights,
                      const Tokenizers &tokenizers) {
  if (runtime::Status status = folder.create(); !status)
    return status;
  if (runtime::Status status =
          weights.parameters->save(folder.temporary + "/" + weightsFile, runtime::isWeight);
      !status)
    return status;
  for (const auto &[file, tokenizer] : tokenizers)
    if (runtime::Status status = runtime::writeFile(folder.temporary + "/" + file,
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
  NewFolder folder(arguments.get("output"));
  if (runtime::Status status = write(folder, weights, tokenizers); !status)
    return failed(status.error());
  if (arguments.has("expect"))
    if (int result = compareExpected(arguments, folder.temporary); result != exitOk)
      return result;
  if (runtime::Status status = folder.commit(); !status)
    return failed(status.error());
  int64_t count = 0;
  for (const runtime::Parameter &parameter : weights.facts->parameters)
    if (parameter.kind != runtime::ParameterKind::Optimizer)
      count += runtime::elementCount(*weights.facts, parameter);
  fmt::print("{}: {} numbers from {} tensors{}\n", folder.path, count, plan->tensors().size(),
             *ignored ? fmt::format(", {} ignored", *ignored) : "");
  return exitOk;
}

} // namespace weft
