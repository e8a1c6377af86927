// Builds the program for the occasion, runs it, and compares.
#include "tools/weft/foreign/Expected.h"

#include "ir/model/Entries.h"
#include "ir/reference/Interpreter.h"
#include "runtime/model/Facts.h"
#include "runtime/tensors/safetensors/Reader.h"
#include "runtime/tensors/safetensors/Writer.h"
#include "tools/weft/build/Build.h"
#include "tools/weft/build/Scratch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>

namespace weft {
namespace {

using runtime::Element;
using runtime::Result;
using runtime::SafetensorsFile;
using runtime::StoredTensor;

int wrong(const std::string &message) {
  fmt::print(stderr, "weft import: {}\n", message);
  return exitUser;
}

/// Tensors of a file under the names in `names`, converted.
struct Copied {
  std::vector<std::vector<char>> bytes;
  std::vector<runtime::TensorToWrite> tensors;
};

/// The arguments of `wanted` from `file`; nothing if one is missing or of another kind.
std::optional<Copied> copied(const SafetensorsFile &file,
                             const std::vector<runtime::Argument> &wanted) {
  Copied all;
  for (const runtime::Argument &argument : wanted) {
    const StoredTensor *tensor = file.find(argument.name);
    if (!tensor || !runtime::converts(tensor->type, argument.element))
      return std::nullopt;
    int64_t count = runtime::countOf(tensor->shape);
    all.bytes.emplace_back(count * runtime::bytesOf(argument.element));
    if (auto read = file.read(*tensor, argument.element, all.bytes.back().data()); !read)
      return std::nullopt;
    all.tensors.push_back(
        {argument.name, argument.element, tensor->shape, all.bytes.back().data()});
  }
  return all;
}

Element elementOf(mlir::Type type) {
  auto tensor = llvm::cast<model::NamedTensorType>(type);
  return tensor.isFloat() ? Element::Float : tensor.isBool() ? Element::Bool : Element::Int;
}

/// What the source's own entries take and give.
std::vector<runtime::Entry> entriesOf(mlir::ModuleOp module) {
  std::vector<runtime::Entry> entries;
  for (auto function : module.getOps<mlir::func::FuncOp>()) {
    if (model::kindOf(function) != model::EntryKind::plain)
      continue;
    runtime::Entry entry;
    entry.name = model::publicName(function).str();
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      entry.inputs.emplace_back();
      entry.inputs.back().name = reference::inputName(function, i);
      entry.inputs.back().element = elementOf(function.getArgumentTypes()[i]);
    }
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      entry.outputs.emplace_back();
      entry.outputs.back().name = reference::outputName(function, i);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// The entry that is asked for, or the only one with inputs and a result in the file.
std::optional<runtime::Entry> chooseEntry(mlir::ModuleOp module, const SafetensorsFile &file,
                                          const std::string &name) {
  std::vector<runtime::Entry> fitting;
  std::vector<std::string> known;
  for (const runtime::Entry &entry : entriesOf(module)) {
    known.push_back(entry.name);
    if (!name.empty() && entry.name != name)
      continue;
    auto has = [&](const runtime::Argument &argument) { return file.find(argument.name); };
    if (llvm::all_of(entry.inputs, has) && llvm::any_of(entry.outputs, has))
      fitting.push_back(entry);
  }
  if (fitting.size() > 1) // one without inputs fits every file
    llvm::erase_if(fitting, [](const runtime::Entry &entry) { return entry.inputs.empty(); });
  if (fitting.size() == 1)
    return fitting.front();
  if (!name.empty() && !llvm::is_contained(known, name)) {
    wrong(fmt::format("there is no entry `{}`; there is {}", name, fmt::join(known, ", ")));
    return std::nullopt;
  }
  wrong(fitting.empty()
            ? fmt::format("{}: has the inputs and a result of no entry ({}), by their names",
                          file.path(),
                          name.empty() ? fmt::format("{}", fmt::join(known, ", ")) : name)
            : fmt::format("{}: fits several entries; name one: `--entry {}`", file.path(),
                          fitting.front().name));
  return std::nullopt;
}

/// The first number that is too far from what was recorded, as parts of its largest finite one. An
/// infinity has no distance: it must be the same.
int compare(const StoredTensor &recorded, const SafetensorsFile &file, const SafetensorsFile &made,
            double tolerance) {
  const StoredTensor &found = *made.find(recorded.name);
  int64_t count = runtime::countOf(found.shape);
  if (runtime::countOf(recorded.shape) != count ||
      !runtime::converts(recorded.type, Element::Float) ||
      !runtime::converts(found.type, Element::Float))
    return wrong(
        fmt::format("{}: `{}` is {} of {}, the program gives {} of {}", file.path(), recorded.name,
                    runtime::shapeText(recorded.shape), runtime::elementTypeName(recorded.type),
                    runtime::shapeText(found.shape), runtime::elementTypeName(found.type)));
  std::vector<float> expected(count), given(count);
  for (auto [from, tensor, into] :
       {std::tuple(&file, &recorded, &expected), std::tuple(&made, &found, &given)})
    if (auto read = from->read(*tensor, Element::Float, into->data()); !read)
      return wrong(read.error().message);
  double largest = 0, most = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (std::isnan(expected[i]))
      return wrong(fmt::format("{}: `{}` holds nan at {}: nothing can be compared with it",
                               file.path(), recorded.name,
                               runtime::positionText(recorded.shape, i)));
    if (std::isfinite(expected[i]))
      largest = std::max(largest, std::fabs(double(expected[i])));
  }
  int64_t first = -1;
  for (int64_t i = 0; i < count; ++i) {
    double far = given[i] == expected[i] ? 0 : std::fabs(double(given[i]) - expected[i]);
    bool isNear = std::isfinite(far) && far <= tolerance * largest;
    if (!isNear && first < 0)
      first = i;
    most = std::isnan(far) || std::isnan(most) ? NAN : std::max(most, far);
  }
  if (first < 0) {
    fmt::print("{}: as expected, {:.1e} of {:.3g} apart\n", recorded.name, most, largest);
    return exitOk;
  }
  return wrong(fmt::format(
      "`{}` is not as expected: first at {}, {:.6g} instead of {:.6g}; at most {:.2g} of {:.3g} "
      "apart. Names and shapes fit: look at the order of the dimensions in the clause's layouts, "
      "and at options of the model",
      recorded.name, runtime::positionText(found.shape, first), given[first], expected[first], most,
      largest));
}

} // namespace

int compareExpected(const Arguments &arguments, const std::string &checkpoint) {
  char *end = nullptr;
  std::string given = arguments.get("tolerance", "1e-3");
  double tolerance = std::strtod(given.c_str(), &end);
  if (end == given.c_str() || *end || !std::isfinite(tolerance) || tolerance < 0) {
    fmt::print(stderr, "weft import: --tolerance takes a number from 0, not `{}`\n", given);
    return exitUsage;
  }
  Result<SafetensorsFile> file = SafetensorsFile::open(arguments.get("expect"));
  if (!file)
    return wrong(file.error().message);
  Compilation compilation(arguments);
  if (!compilation.model())
    return compilation.exitCode();
  auto entry = chooseEntry(compilation.module(), *file, arguments.get("entry"));
  if (!entry)
    return exitUser;
  std::optional<Copied> inputs = copied(*file, entry->inputs);
  if (!inputs)
    return wrong(
        fmt::format("{}: holds inputs of `{}` of another kind", file->path(), entry->name));

  ScratchFolder folder;
  if (folder.path.empty())
    return exitUser;
  std::string fed = folder.path + "/inputs", results = folder.path + "/results";
  if (auto status = runtime::writeSafetensors(fed, inputs->tensors); !status)
    return wrong(status.error().message);
  Compilation building(arguments);
  building.only = entry->name;
  if (int result = buildTo(building, folder.path + "/program", RunsOn::thisMachine);
      result != exitOk)
    return result;
  if (int result =
          runProgram(folder.path + "/program", {"run", "--entry", entry->name, "--weights",
                                                checkpoint, "--inputs", fed, "--outputs", results});
      result != exitOk)
    return result;
  Result<SafetensorsFile> made = SafetensorsFile::open(results);
  if (!made)
    return wrong(made.error().message);
  for (const runtime::Argument &output : entry->outputs)
    if (const StoredTensor *recorded = file->find(output.name))
      if (int result = compare(*recorded, *file, *made, tolerance); result != exitOk)
        return result;
  return exitOk;
}

} // namespace weft
