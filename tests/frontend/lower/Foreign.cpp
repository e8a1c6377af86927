// Moves foreign tensors to where a plan says.
#include "Foreign.h"

#include "ir/model/Dims.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::test {

using reference::Array;
using reference::Floats;

ForeignParameters loadForeign(ModuleOp module, const ForeignPlan &plan, const Tensors &tensors,
                              const std::string &prefix) {
  ForeignParameters result;
  model::Dims dims(module);
  std::set<std::string> incomplete;
  for (const ForeignTensor &tensor : plan.tensors()) {
    auto found = tensors.find(prefix + tensor.name);
    // what is in a row in its file (llama2.c) has the shape that its reader gave it, which is finer
    bool fits = found != tensors.end() && (llvm::equal(tensor.shape(), found->second.shape) ||
                                           !tensor.finerLayout(found->second.shape).empty());
    if (found != tensors.end() && !fits)
      result.problems.push_back(fmt::format("`{}` is [{}], its layout says {}", tensor.name,
                                            fmt::join(found->second.shape, ", "), tensor.layout()));
    Floats values = fits ? asFloats(found->second).floats() : Floats();
    if (fits)
      result.used.insert(found->first);
    for (const ForeignPart &part : tensor.parts) {
      auto op = module.lookupSymbol<model::ParameterOp>(part.parameter);
      if (found == tensors.end() && op.getKind() == model::ParameterKind::parameter)
        result.problems.push_back(
            fmt::format("{}: the file has no `{}`", part.parameter, tensor.name));
      if (!fits) {
        incomplete.insert(part.parameter);
        continue;
      }
      Array &array = result.arrays[part.parameter];
      if (array.shape.empty()) {
        for (model::DimAttr dim : cast<model::NamedTensorType>(op.getType()).getDims())
          array.shape.push_back(*dims.fixed(dim));
        array.data = Floats(reference::countOf(array.shape));
      }
      Floats &elements = std::get<Floats>(array.data);
      part.forEach([&](int64_t own, int64_t foreign) { elements[own] = values[foreign]; });
    }
  }
  for (const std::string &name : incomplete)
    result.arrays.erase(name);
  return result;
}

} // namespace weft::test
