// Writes parameters as foreign tensors, into a safetensors file.
#include "tools/weft/foreign/Foreign.h"
#include "tools/weft/foreign/Narrow.h"

#include "runtime/tensors/safetensors/Writer.h"

#include <fmt/format.h>

namespace weft {

std::optional<std::vector<float>> valuesOf(const Weights &weights, const ForeignTensor &tensor) {
  std::vector<float> values(runtime::countOf(tensor.shape()));
  for (const ForeignPart &part : tensor.parts) {
    int number = weights.facts->parameter(part.parameter);
    if (weights.facts->parameters[number].element != runtime::Element::Float) {
      fmt::print(stderr, "weft export: `{}` is no float\n", part.parameter);
      return std::nullopt;
    }
    auto *source = static_cast<const float *>(weights.parameters->data(number));
    part.forEach([&](int64_t own, int64_t foreign) { values[foreign] = source[own]; });
  }
  return values;
}

namespace {

/// Tensors of a file, and the numbers that they are written from.
class Output {
public:
  Output(const std::string &prefix, runtime::ElementType type) : prefix(prefix), type(type) {}

  /// Says so if a number is too large for the type.
  bool add(const std::string &name, std::vector<int64_t> shape, std::vector<float> values) {
    runtime::TensorToWrite &written = tensors.emplace_back(
        runtime::TensorToWrite{prefix + name, runtime::Element::Float, std::move(shape), nullptr});
    if (type == runtime::ElementType::F32) {
      written.data = whole.emplace_back(std::move(values)).data();
      return true;
    }
    written.narrow = type;
    written.data = narrow.emplace_back(narrowed(values, type)).data();
    int64_t at = firstNotFinite(narrow.back(), type);
    if (at >= 0)
      fmt::print(stderr, "weft export: `{}` holds {} at {}, too large for {}\n", written.name,
                 values[at], runtime::positionText(written.shape, at),
                 runtime::elementTypeName(type));
    return at < 0;
  }

  bool write(const std::string &path) const {
    runtime::Status status = runtime::writeSafetensors(path, tensors);
    if (!status)
      fmt::print(stderr, "weft export: {}\n", status.error().message);
    return static_cast<bool>(status);
  }

private:
  const std::string &prefix;
  runtime::ElementType type;
  std::vector<std::vector<float>> whole;
  std::vector<std::vector<uint16_t>> narrow;
  std::vector<runtime::TensorToWrite> tensors;
};

} // namespace

bool exportWeights(const Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module,
                   const std::string &prefix, runtime::ElementType type, const std::string &path) {
  Output output(prefix, type);
  for (const ForeignTensor &tensor : plan.tensors()) {
    std::optional<std::vector<float>> values = valuesOf(weights, tensor);
    if (!values || !output.add(tensor.name, tensor.shape(), std::move(*values)))
      return false;
  }
  for (const ForeignTable &table : plan.computed()) {
    std::optional<std::vector<float>> values = compute(table, module);
    if (!values || !output.add(table.name, table.shape, std::move(*values)))
      return false;
  }
  return output.write(path);
}

} // namespace weft
