// Moves foreign tensors into our order of dimensions.
#include "Foreign.h"

#include "ir/model/Dims.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::test {

namespace {

using reference::Array;
using Sizes = llvm::SmallVector<int64_t>;

struct Loader {
  const WeightsMap *map;
  const Tensors &tensors;
  const std::string &prefix;
  model::Dims dims;
  ForeignParameters result;

  ForeignTensor foreign(model::ParameterOp parameter, ArrayRef<int64_t> passes,
                        const std::vector<std::string> &ours) const {
    if (map)
      return map->foreign(parameter, passes);
    ForeignTensor same{parameter.getSymName().str(), {}};
    for (const std::string &dim : ours)
      same.axes.push_back({dim});
    return same;
  }

  /// Copies one pass to `target`; whether the file has it in the right shape.
  bool copy(model::ParameterOp parameter, ArrayRef<int64_t> passes,
            const std::vector<std::string> &ours, double *target) {
    ForeignTensor tensor = foreign(parameter, passes, ours);
    auto found = tensors.find(prefix + tensor.name);
    if (found == tensors.end()) {
      if (parameter.getKind() == model::ParameterKind::parameter)
        result.problems.push_back(
            fmt::format("{}: the file has no `{}`", parameter.getSymName().str(), tensor.name));
      return false;
    }
    result.used.insert(found->first);
    std::map<std::string, int64_t> sizes;
    for (const std::string &dim : ours)
      sizes[dim] = *dims.size(dim).constant();
    const Array &file = found->second;
    auto strides = tensor.strides(ours, sizes, file.shape);
    if (!strides) {
      result.problems.push_back(fmt::format(
          "{}: `{}` is [{}], its layout says [{}]", parameter.getSymName().str(), tensor.name,
          fmt::join(file.shape, ", "), fmt::join(tensor.shape(sizes), ", ")));
      return false;
    }
    Sizes index(ours.size(), 0);
    reference::Floats values = asFloats(file).floats();
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t at = 0;
      for (size_t d = 0; d < ours.size(); ++d)
        at += index[d] * (*strides)[d];
      target[i] = values[at];
      for (size_t d = ours.size(); d-- > 0 && ++index[d] == sizes.at(ours[d]);)
        index[d] = 0;
    }
    return true;
  }

  void load(model::ParameterOp parameter) {
    auto type = cast<model::NamedTensorType>(parameter.getType());
    std::vector<std::string> ours;
    Array array;
    for (StringAttr dim : type.getDims()) {
      array.shape.push_back(*dims.fixed(dim));
      ours.push_back(dim.str());
    }
    size_t loops = parameter.getLoops();
    ours.erase(ours.begin(), ours.begin() + loops);
    Sizes around(array.shape.begin(), array.shape.begin() + loops), passes(loops, 0);
    reference::Floats values(reference::countOf(array.shape));
    int64_t count = reference::countOf(around), slice = values.size() / count;
    bool complete = true;
    for (int64_t i = 0; i < count; ++i) {
      complete &= copy(parameter, passes, ours, values.data() + i * slice);
      for (size_t d = loops; d-- > 0 && ++passes[d] == around[d];)
        passes[d] = 0;
    }
    array.data = std::move(values);
    if (complete)
      result.arrays[parameter.getSymName()] = std::move(array);
  }
};

} // namespace

ForeignParameters loadForeign(ModuleOp module, const WeightsMap *map, const Tensors &tensors,
                              const std::string &prefix) {
  Loader loader{map, tensors, prefix, model::Dims(module), {}};
  for (auto parameter : module.getOps<model::ParameterOp>())
    if (parameter.getKind() != model::ParameterKind::optimizer)
      loader.load(parameter);
  return std::move(loader.result);
}

} // namespace weft::test
