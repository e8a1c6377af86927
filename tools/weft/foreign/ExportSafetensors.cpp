// Writes parameters as foreign tensors, into a safetensors file.
#include "tools/weft/foreign/Foreign.h"
#include "tools/weft/foreign/Narrow.h"

#include "runtime/base/files/NewFile.h"
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

/// A file that tensors are written to one behind the other, as they were announced: none of them
/// stays in memory.
class Output {
public:
  explicit Output(runtime::ElementType type) : type(type) {}

  void announce(const std::string &name, const std::vector<int64_t> &shape) {
    bool isNarrow = type != runtime::ElementType::F32;
    tensors.push_back({name, runtime::Element::Float, shape, nullptr,
                       isNarrow ? std::optional(type) : std::nullopt});
  }
  runtime::Status begin(const std::string &path) {
    runtime::Result<runtime::NewFile> created = runtime::NewFile::create(path);
    if (!created)
      return created.error();
    file.emplace(std::move(*created));
    return file->write(runtime::safetensorsHeader(tensors));
  }
  /// Error: a number is too large for the type.
  runtime::Status write(const std::vector<float> &values) {
    const runtime::TensorToWrite &tensor = tensors[written++];
    if (type == runtime::ElementType::F32)
      return file->write(values.data(), values.size() * sizeof(float));
    std::vector<uint16_t> narrow = narrowed(values, type);
    if (int64_t at = firstNotFinite(narrow, type); at >= 0)
      return runtime::Error{runtime::Code::Value,
                            fmt::format("`{}` holds {} at {}, too large for {}", tensor.name,
                                        values[at], runtime::positionText(tensor.shape, at),
                                        runtime::elementTypeName(type))};
    return file->write(narrow.data(), narrow.size() * sizeof(uint16_t));
  }
  runtime::Status commit() { return file->commit(); }

private:
  runtime::ElementType type;
  std::vector<runtime::TensorToWrite> tensors;
  std::optional<runtime::NewFile> file;
  size_t written = 0;
};

bool isFine(const runtime::Status &status) {
  if (!status)
    fmt::print(stderr, "weft export: {}\n", status.error().message);
  return static_cast<bool>(status);
}

} // namespace

bool exportWeights(const Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module,
                   const std::string &prefix, runtime::ElementType type, const std::string &path) {
  Output output(type);
  for (const ForeignTensor &tensor : plan.tensors())
    output.announce(prefix + tensor.name, tensor.shape());
  for (const ForeignTable &table : plan.computed())
    output.announce(prefix + table.name, table.shape);
  if (!isFine(output.begin(path)))
    return false;
  for (const ForeignTensor &tensor : plan.tensors())
    if (auto values = valuesOf(weights, tensor); !values || !isFine(output.write(*values)))
      return false;
  for (const ForeignTable &table : plan.computed())
    if (auto values = compute(table, module); !values || !isFine(output.write(*values)))
      return false;
  return isFine(weights.parameters->isUnchanged()) && isFine(output.commit());
}

} // namespace weft
