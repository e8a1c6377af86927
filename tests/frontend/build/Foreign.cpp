// Moves foreign tensors into our order of dimensions.
#include "Foreign.h"

#include "ir/model/Dims.h"

#include <fmt/format.h>

using namespace mlir;

namespace weft::test {

namespace {

using reference::Array;
using Sizes = llvm::SmallVector<int64_t>;

/// Where each of our elements lies in the file: strides of our dimensions there, in our order.
Sizes stridesIn(const std::vector<std::string> &fileOrder, const std::vector<std::string> &ours,
                const std::map<std::string, int64_t> &sizes) {
  std::map<std::string, int64_t> stride;
  int64_t next = 1;
  for (size_t i = fileOrder.size(); i-- > 0;) {
    stride[fileOrder[i]] = next;
    next *= sizes.at(fileOrder[i]);
  }
  Sizes result;
  for (const std::string &dim : ours)
    result.push_back(stride.at(dim));
  return result;
}

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
    Sizes grouped, single;
    std::vector<std::string> fileOrder;
    for (const auto &axis : tensor.axes) {
      grouped.push_back(1);
      for (const std::string &dim : axis) {
        grouped.back() *= sizes.at(dim);
        single.push_back(sizes.at(dim));
        fileOrder.push_back(dim);
      }
      if (axis.empty())
        single.push_back(1);
    }
    const Array &file = found->second;
    if (file.shape != grouped && file.shape != single) {
      result.problems.push_back(fmt::format("{}: `{}` is [{}], its layout says [{}]",
                                            parameter.getSymName().str(), tensor.name,
                                            fmt::join(file.shape, ", "), fmt::join(grouped, ", ")));
      return false;
    }
    Sizes strides = stridesIn(fileOrder, ours, sizes), index(ours.size(), 0);
    reference::Floats values = asFloats(file).floats();
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t at = 0;
      for (size_t d = 0; d < ours.size(); ++d)
        at += index[d] * strides[d];
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
