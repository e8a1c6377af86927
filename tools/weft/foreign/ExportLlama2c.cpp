// Writes llama2.c v0 files: the clause says what the numbers of the header are, and which of the
// model's the tensors.
#include "tools/weft/foreign/Foreign.h"

#include "frontend/source/Spelling.h"
#include "tools/weft/foreign/llama2c/Writer.h"

#include <fmt/format.h>

#include <limits>
#include <set>

namespace weft {
namespace {

class Exporter {
public:
  Exporter(const Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module)
      : weights(weights), plan(plan), module(module) {}

  bool run(const std::string &path) {
    Llama2cHeader header = this->header();
    if (!fine)
      return false;
    auto tensors = llama2cTensors(header);
    if (!tensors) {
      wrong("the header would say {}", tensors.error().message);
      return false;
    }
    for (const runtime::StoredTensor &tensor : *tensors)
      take(tensor);
    for (const ForeignTensor &tensor : plan.tensors())
      onlyOurs(tensor.name);
    for (const ForeignTable &table : plan.computed())
      onlyOurs(table.name);
    if (!fine)
      return false;
    runtime::Status status = writeLlama2c(path, header, [&](const runtime::StoredTensor &tensor) {
      return std::move(values.at(tensor.name));
    });
    if (!status)
      wrong("{}", status.error().message);
    return fine;
  }

private:
  template <class... Values> void wrong(fmt::format_string<Values...> text, Values &&...given) {
    fine = false;
    fmt::print(stderr, "weft export: {}\n", fmt::format(text, std::forward<Values>(given)...));
  }

  Llama2cHeader header() {
    Llama2cHeader header{};
    std::set<std::string> known;
    for (const Llama2cField &field : llama2cFields) {
      known.insert(field.name);
      auto found = llvm::find_if(plan.sizes(),
                                 [&](const ForeignSize &size) { return size.name == field.name; });
      if (found == plan.sizes().end())
        wrong("the header of a llama2.c file has `{0}`: say which dimension that is, `size \"{0}\" "
              "= …`",
              field.name);
      else if (found->value > std::numeric_limits<int32_t>::max())
        wrong("`{}` is {} ({}), more than a header can say", field.name, found->value, found->dims);
      else
        header.*field.value = static_cast<int32_t>(found->value);
    }
    for (const ForeignSize &size : plan.sizes())
      if (!known.contains(size.name))
        wrong("the header of a llama2.c file has no `{}`", size.name);
    if (find(llama2cClassifier))
      header.vocab = -header.vocab;
    return header;
  }

  const ForeignTensor *find(const std::string &name) const {
    auto found = llvm::find_if(plan.tensors(),
                               [&](const ForeignTensor &tensor) { return tensor.name == name; });
    return found == plan.tensors().end() ? nullptr : &*found;
  }

  /// Finds what the file wants, in its shape.
  void take(const runtime::StoredTensor &wanted) {
    names.insert(wanted.name);
    if (const ForeignTensor *tensor = find(wanted.name)) {
      if (tensor->shape() != wanted.shape && tensor->finerLayout(wanted.shape).empty())
        return wrong("`{}` is {} in a llama2.c file with this header, its layout says {}",
                     wanted.name, runtime::shapeText(wanted.shape), tensor->layout());
      if (auto found = valuesOf(weights, *tensor))
        values[wanted.name] = std::move(*found);
      else
        fine = false;
      return;
    }
    for (const ForeignTable &table : plan.computed()) {
      if (table.name != wanted.name)
        continue;
      if (table.shape != wanted.shape)
        return wrong("`{}` is {} in a llama2.c file with this header, `{}` gives {}", wanted.name,
                     runtime::shapeText(wanted.shape), table.entry,
                     runtime::shapeText(table.shape));
      if (auto found = compute(table, module))
        values[wanted.name] = std::move(*found);
      else
        fine = false;
      return;
    }
    wrong("a llama2.c file has `{0}`: say what that is, `\"{0}\" = …`", wanted.name);
  }

  void onlyOurs(const std::string &name) {
    if (!names.contains(name))
      wrong("a llama2.c file has no `{}`", name);
  }

  const Weights &weights;
  const ForeignPlan &plan;
  mlir::ModuleOp module;
  std::set<std::string> names; ///< that the file has
  std::map<std::string, std::vector<float>> values;
  bool fine = true;
};

} // namespace

bool exportLlama2c(const Weights &weights, const ForeignPlan &plan, mlir::ModuleOp module,
                   const std::string &path) {
  return Exporter(weights, plan, module).run(path);
}

} // namespace weft
