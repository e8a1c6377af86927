// Gradients against central differences, both in float64 by the interpreter.
#include "tests/passes/model/Compiled.h"

#include "ir/model/Dims.h"
#include "ir/model/Entries.h"

#include <cmath>

using namespace mlir;
using namespace weft;
using namespace weft::reference;

namespace {

/// A function of a module with values for everything it reads.
struct Point {
  ModuleOp module;
  func::FuncOp function;
  std::vector<Array> inputs;
  std::map<std::string, Array> parameters;

  /// `sizes` are those of dimensions that come with the data.
  Point(ModuleOp module, StringRef name, std::map<std::string, int64_t> sizes, uint64_t seed)
      : module(module), function(module.lookupSymbol<func::FuncOp>(name)), sizes(std::move(sizes)),
        numbers(seed) {
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      inputs.push_back(fill(cast<model::NamedTensorType>(function.getArgumentTypes()[i]),
                            function.getArgAttrDict(i)));
    for (auto parameter : module.getOps<model::ParameterOp>())
      parameters[parameter.getSymName().str()] =
          fill(cast<model::NamedTensorType>(parameter.getType()),
               parameter->getDiscardableAttrDictionary());
  }

  std::vector<Array> run(StringRef name) {
    Interpreter interpreter(module);
    for (auto &[parameter, value] : parameters)
      EXPECT_TRUE(succeeded(interpreter.setParameter(parameter, value)));
    auto results = interpreter.run(name, inputs);
    EXPECT_TRUE(succeeded(results)) << name.str();
    return succeeded(results) ? *results : std::vector<Array>();
  }

private:
  /// Random elements: floats within `test.range` (or -1 to 1), indices inside their dimension.
  Array fill(model::NamedTensorType type, DictionaryAttr attributes) {
    model::Dims dims(module);
    auto sizeOf = [&](const Size &size) {
      return *size.evaluate(
          [&](const std::string &name) -> std::optional<int64_t> { return sizes.at(name); });
    };
    Array array;
    for (model::DimAttr dim : type.getDims())
      array.shape.push_back(sizeOf(dims.size(dim)));
    int64_t count = countOf(array.shape);
    if (type.isBool()) {
      Switches data(count);
      for (auto &each : data)
        each = numbers.below(2);
      array.data = data;
    } else if (type.isFloat()) {
      double low = -1, high = 1;
      if (auto range = attributes ? attributes.getAs<ArrayAttr>("test.range") : nullptr) {
        low = cast<FloatAttr>(range[0]).getValueAsDouble();
        high = cast<FloatAttr>(range[1]).getValueAsDouble();
      }
      Floats data(count);
      for (double &each : data)
        each = numbers.between(low, high);
      array.data = data;
    } else {
      model::DimAttr index = type.indexed();
      Wholes data(count);
      for (int64_t &each : data)
        each = numbers.below(index ? sizeOf(dims.size(index)) : 4);
      array.data = data;
    }
    return array;
  }

  std::map<std::string, int64_t> sizes;
  Numbers numbers;
};

double scalarOf(func::FuncOp function, const std::vector<Array> &results) {
  for (auto [type, result] : llvm::zip(function.getResultTypes(), results))
    if (auto tensor = cast<model::NamedTensorType>(type);
        tensor.isFloat() && tensor.getDims().empty())
      return result.floats()[0];
  ADD_FAILURE() << "no scalar result";
  return 0;
}

/// Compares each gradient of `name`.gradient with central differences at up to `probes` elements of
/// each tensor; the difference is relative to the largest element. Returns how many elements were
/// compared.
int compare(Point &point, StringRef name, int probes) {
  func::FuncOp gradient = point.module.lookupSymbol<func::FuncOp>((name + ".gradient").str());
  if (!gradient) {
    ADD_FAILURE() << "no gradient of " << name.str();
    return 0;
  }
  std::vector<Array> results = point.run(gradient.getName());
  int compared = 0;
  for (unsigned i = 0; i < gradient.getNumResults(); ++i) {
    auto of = gradient.getResultAttrOfType<StringAttr>(i, model::attr::gradientOf);
    if (!of)
      continue;
    Array *value = nullptr;
    if (auto found = point.parameters.find(of.str()); found != point.parameters.end())
      value = &found->second;
    for (unsigned a = 0; a < gradient.getNumArguments(); ++a)
      if (gradient.getArgAttr(a, model::attr::name) == of)
        value = &point.inputs[a];
    if (!value || value->shape != results[i].shape) {
      ADD_FAILURE() << name.str() << ": the gradient of " << of.str() << " has another shape";
      continue;
    }
    auto &elements = std::get<Floats>(value->data);
    const Floats &derived = results[i].floats();
    double scale = 1e-3; // below this, what is left of a difference of two runs is rounding
    for (double each : derived)
      scale = std::max(scale, std::fabs(each));
    size_t step = std::max<size_t>(1, elements.size() / probes);
    for (size_t at = 0; at < elements.size(); at += step) {
      double before = elements[at], h = 1e-5 * std::max(1.0, std::fabs(before));
      elements[at] = before + h;
      double up = scalarOf(point.function, point.run(name));
      elements[at] = before - h;
      double down = scalarOf(point.function, point.run(name));
      elements[at] = before;
      double difference = (up - down) / (2 * h);
      EXPECT_LE(std::fabs(difference - derived[at]), 1e-6 * scale)
          << name.str() << ", d " << of.str() << "[" << at << "]: " << derived[at]
          << ", but differences say " << difference;
      ++compared;
    }
  }
  return compared;
}

constexpr const char *differentiate = "weft-differentiate{inputs=true entries=";

/// Every function of a file of small ones, differentiated as it stands.
TEST(Gradient, EveryOp) {
  std::string names;
  auto plain = compiled("model/inputs/gradients.mlir", "cse");
  ASSERT_TRUE(plain);
  for (auto function : plain->getOps<func::FuncOp>())
    names += (names.empty() ? "" : ",") + function.getName().str();
  auto module =
      compiled("model/inputs/gradients.mlir", differentiate + names + "},canonicalize,cse");
  ASSERT_TRUE(module);
  int functions = 0;
  for (auto function : llvm::to_vector(module->getOps<func::FuncOp>())) {
    if (function.getName().ends_with(".gradient"))
      continue;
    Point point(*module, function.getName(), {}, ++functions);
    EXPECT_GT(compare(point, function.getName(), 1000), 0) << function.getName().str();
  }
  EXPECT_GE(functions, 50);
}

struct Model {
  const char *name, *file, *entry;
  std::map<std::string, int64_t> sizes;
};

void PrintTo(const Model &model, std::ostream *out) {
  *out << model.name;
}

/// Whole models: as the builder made them, and with their idioms formed.
class ModelGradient : public testing::TestWithParam<Model> {};

TEST_P(ModelGradient, AgainstDifferences) {
  const Model &model = GetParam();
  for (const std::string &before :
       {std::string("canonicalize,cse,"), llvm::join(recognizers(), ",") + ","}) {
    auto module = compiled(model.file, before + differentiate + model.entry + "},canonicalize,cse");
    ASSERT_TRUE(module);
    Point point(*module, model.entry, model.sizes, 7);
    EXPECT_GT(compare(point, model.entry, 4), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ModelGradient,
    testing::Values(Model{"gpt", "inputs/gpt-loss.mlir", "loss", {{"batch", 2}, {"seq", 5}}},
                    Model{"llama", "inputs/llama-loss.mlir", "loss", {{"batch", 2}, {"seq", 5}}},
                    Model{"translation",
                          "inputs/translation.mlir",
                          "loss",
                          {{"batch", 2}, {"src", 4}, {"tgt", 3}}}),
    [](auto &info) { return std::string(info.param.name); });

} // namespace
