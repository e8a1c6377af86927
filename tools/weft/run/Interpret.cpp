// Running an entry in the float64 interpreter: tensors from and to safetensors files.
#include "tools/weft/run/Interpret.h"

#include "ir/reference/Interpreter.h"
#include "tools/arrays/ArrayMemory.h"
#include "tools/kernel/storage/StoredRounding.h"
#include "tools/weft/base/Weights.h"

#include "ir/model/Entries.h"
#include "ir/model/weights/WeightsAs.h"
#include "runtime/model/Slices.h"
#include "runtime/program/run/Literal.h"
#include "runtime/program/run/RunOutputs.h"
#include "runtime/tensors/TensorText.h"

#include <fmt/format.h>

#include <list>

namespace weft {
namespace {
using reference::Array;

/// A tensor of a file, as the interpreter holds it.
runtime::Result<Array> arrayOf(const runtime::SafetensorsFile &file,
                               const runtime::StoredTensor &tensor) {
  using runtime::Element;
  std::vector<int64_t> shape(tensor.shape.begin(), tensor.shape.end());
  int64_t count = reference::countOf(shape);
  if (tensor.type == runtime::ElementType::F64) { // programs round it, the interpreter need not
    reference::Floats values(count);
    auto bytes = std::as_writable_bytes(std::span(values));
    if (runtime::Status status = file.readBytes(tensor, 0, bytes); !status)
      return status.error();
    return Array{{shape.begin(), shape.end()}, std::move(values)};
  }
  Element element = tensor.type == runtime::ElementType::Bool        ? Element::Bool
                    : runtime::converts(tensor.type, Element::Float) ? Element::Float
                                                                     : Element::Int;
  std::vector<std::byte> memory(count * runtime::bytesOf(element));
  runtime::Result<int64_t> bad = file.read(tensor, element, memory.data());
  if (!bad)
    return bad.error();
  if (*bad >= 0)
    return runtime::Error{runtime::Code::Value,
                          fmt::format("{}: tensor `{}` holds a value that {} cannot hold, at "
                                      "element {}",
                                      file.path(), tensor.name,
                                      element == Element::Int ? "int32" : "bool", *bad)};
  return loadArray(shape, element, memory.data());
}

/// Owns the float32 and int32 copies that a file is written from.
class Output {
public:
  void add(const std::string &name, const Array &array) {
    runtime::TensorToWrite tensor{
        name, runtime::Element::Float, {array.shape.begin(), array.shape.end()}, nullptr};
    if (auto *values = std::get_if<reference::Floats>(&array.data)) {
      floats.emplace_back(values->begin(), values->end());
      tensor.data = floats.back().data();
    } else if (auto *values = std::get_if<reference::Wholes>(&array.data)) {
      wholes.emplace_back(values->begin(), values->end());
      tensor.element = runtime::Element::Int;
      tensor.data = wholes.back().data();
    } else {
      tensor.element = runtime::Element::Bool;
      tensor.data = std::get<reference::Switches>(array.data).data();
    }
    tensors.push_back(tensor);
  }
  /// `option` is the one that names the file. Gives what the tool exits with.
  int write(const Arguments &arguments, const std::string &option) {
    llvm::sort(tensors, [](const auto &a, const auto &b) { return a.name < b.name; });
    runtime::Status status = runtime::writeRunOutputs(option, arguments.get(option), tensors);
    if (status)
      return exitOk;
    fmt::print(stderr, "weft run: {}\n", status.error().message);
    return runtime::exitCode(status.error().code);
  }

  std::vector<runtime::TensorToWrite> tensors;

private:
  std::list<std::vector<float>> floats;
  std::list<std::vector<int32_t>> wholes;
};

/// As people read it.
std::string shown(const std::string &name, const Array &array, model::NamedTensorType type) {
  Output output;
  output.add(name, array);
  const runtime::TensorToWrite &given = output.tensors.front();
  runtime::NamedTensor tensor{name, {}, given.shape, given.element, given.data};
  for (model::DimAttr dim : type.getDims())
    tensor.dims.push_back(dim.str());
  return runtime::tensorText(tensor);
}

/// Adds the tensors of --inputs and --input; prints what is wrong with them.
bool addInputs(const Arguments &arguments, mlir::func::FuncOp function,
               reference::NamedArrays &into) {
  auto fail = [](const runtime::Error &error) {
    fmt::print(stderr, "weft run: {}\n", error.message);
    return false;
  };
  if (std::string path = arguments.get("inputs"); !path.empty()) {
    runtime::Result<runtime::SafetensorsFile> file = runtime::SafetensorsFile::open(path);
    if (!file)
      return fail(file.error());
    for (const runtime::StoredTensor &tensor : file->tensors()) {
      runtime::Result<Array> array = arrayOf(*file, tensor);
      if (!array)
        return fail(array.error());
      into[tensor.name] = std::move(*array);
    }
  }
  auto literals = runtime::readLiterals(arguments.all("input"));
  if (!literals)
    return fail(literals.error());
  for (const runtime::Literal &literal : *literals) {
    Array array;
    array.shape.assign(literal.shape.begin(), literal.shape.end());
    array.data = literal.values;
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      if (reference::inputName(function, i) != literal.name)
        continue;
      auto type = model::typeOf(function.getArgument(i));
      runtime::Argument argument;
      argument.element = type.isFloat()  ? runtime::Element::Float
                         : type.isBool() ? runtime::Element::Bool
                                         : runtime::Element::Int;
      if (auto status = runtime::fits(literal, argument); !status)
        return fail(status.error());
      if (type.isBool())
        array.data = reference::Switches(literal.values.begin(), literal.values.end());
      else if (!type.isFloat())
        array.data = reference::Wholes(literal.values.begin(), literal.values.end());
    }
    into[literal.name] = std::move(array);
  }
  return true;
}

/// The parameters that the run needs, as arrays stacked along their loops.
void addParameters(const Weights &weights, reference::NamedArrays &into) {
  for (auto [number, parameter] : llvm::enumerate(weights.facts->parameters)) {
    into[parameter.name] = loadArray(runtime::stackedShape(*weights.facts, parameter),
                                     parameter.element, weights.parameters->data(number));
  }
}
} // namespace

int interpretEntry(Compilation &compilation) {
  const Arguments &arguments = compilation.arguments;
  std::optional<uint64_t> seed = wholeNumber(arguments, "seed");
  std::optional<uint64_t> first = wholeNumber(arguments, "initialize");
  if (!seed || !first)
    return exitUsage;
  // Gradients are derived at the model stage; without them the module is interpreted as the source
  // says it.
  bool derives = llvm::StringRef(arguments.get("entry")).ends_with(".gradient");
  if (!compilation.model())
    return compilation.exitCode();
  // What is rounded is what kernels store.
  bool rounds = model::precisionOf(compilation.module()) != model::Precision::float32 ||
                model::weightsAsOf(compilation.module());
  bool lowers = rounds || compilation.gradients || derives;
  if (lowers && !compilation.lower(rounds ? "kernel" : "model"))
    return compilation.exitCode();
  Weights weights(compilation.module());
  if (weights.parameters) // of what is not read
    weights.initialize(*first, arguments.has("weights") ? runtime::isOptimizer : runtime::isAny);
  bool hasParameters = weights.facts && !weights.facts->parameters.empty();
  if (hasParameters && arguments.has("weights") == arguments.has("initialize")) {
    fmt::print(stderr, "weft run: parameters are read (--weights PATH) or new (--initialize SEED): "
                       "one of the two\n");
    return exitUsage;
  }
  if (!weights.parameters ||
      (arguments.has("weights") && !weights.load(arguments.get("weights"), arguments.get("entry"))))
    return exitUser;
  reference::NamedRun run;
  run.random.seed = *seed;
  if (rounds)
    run.observer = [](mlir::OpResult value, llvm::ArrayRef<reference::Tensor>, Array &array) {
      trial::roundAsStored(value, array);
    };
  addParameters(weights, run.parameters);
  std::string entry = arguments.get("entry");
  bool extended = compilation.gradients && !llvm::StringRef(entry).ends_with(".gradient");
  mlir::func::FuncOp function = compilation.functionOf(extended ? entry + ".gradient" : entry);
  if (!function) {
    fmt::print(
        stderr,
        "weft run: `{}` is derived; the interpreter runs what is written (and gradients of it)\n",
        entry);
    return exitUser;
  }
  if (!addInputs(arguments, function, run.inputs) || !compilation.overwritesNoInput())
    return compilation.exitCode();
  auto results = reference::runInterpreted(compilation.module(), function.getSymName(), run);
  if (failed(results))
    return exitUser;
  Output outputs, apart;
  // Without a file of their own, gradients that the entry itself gives are results like others.
  Output &gradients = arguments.has("gradients") ? apart : outputs;
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    auto of = function.getResultAttrOfType<mlir::StringAttr>(i, model::attr::gradientOf);
    std::string name = of ? of.getValue().str() : reference::outputName(function, i);
    const Array &array = results->inOrder[i];
    bool isResult = !of || !arguments.has("gradients");
    if (isResult && (arguments.has("print") || !arguments.has("outputs")))
      fmt::print("{}", shown(name, array,
                             llvm::cast<model::NamedTensorType>(function.getResultTypes()[i])));
    if (!of) {
      outputs.add(name, array);
      continue;
    }
    bool slices = false;
    for (auto [number, parameter] : llvm::enumerate(weights.facts->parameters))
      if (parameter.name == of.getValue() && parameter.loops > 0) {
        slices = true;
        for (const runtime::Slice &slice : runtime::slicesOf(*weights.facts, parameter)) {
          Array piece;
          for (int64_t size : runtime::sliceShape(*weights.facts, parameter))
            piece.shape.push_back(size);
          auto begin = array.floats().begin() + slice.offset;
          piece.data = reference::Floats(begin, begin + slice.count);
          gradients.add(slice.name, piece);
        }
      }
    if (!slices)
      gradients.add(name, array);
  }
  int result = arguments.has("outputs") ? outputs.write(arguments, "outputs") : exitOk;
  if (result == exitOk && arguments.has("gradients"))
    result = gradients.write(arguments, "gradients");
  return result;
}

} // namespace weft
