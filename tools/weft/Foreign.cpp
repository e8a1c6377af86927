// Moves the elements of foreign tensors to where ours have them.
#include "tools/weft/Foreign.h"

#include "ir/model/Dims.h"
#include "runtime/parameters/Slices.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace weft {
namespace {

class Loader {
public:
  Loader(Weights &weights, mlir::ModuleOp module, const WeightsMap &map,
         const runtime::SafetensorsFile &file)
      : weights(weights), module(module), map(map), file(file), dims(module) {}

  bool run() {
    for (auto [number, parameter] : llvm::enumerate(weights.facts->parameters)) {
      auto op = module.lookupSymbol<model::ParameterOp>(parameter.name);
      if (!op || parameter.kind == runtime::ParameterKind::Optimizer)
        continue;
      auto *values = static_cast<float *>(weights.parameters->data(number));
      std::vector<runtime::Slice> slices = runtime::slicesOf(*weights.facts, parameter);
      llvm::SmallVector<int64_t> sizes, passes(op.getLoops(), 0);
      for (int64_t size : runtime::stackedShape(*weights.facts, parameter))
        sizes.push_back(size);
      bool isFloat = parameter.element == runtime::Element::Float;
      for (const runtime::Slice &slice : slices) {
        if (isFloat) // other states keep their first value
          read(op, passes, values + slice.offset);
        for (size_t d = passes.size(); d-- > 0 && ++passes[d] == sizes[d];)
          passes[d] = 0;
      }
    }
    for (const runtime::StoredTensor &tensor : file.tensors())
      if (!used.contains(tensor.name) && !map.ignores(tensor.name))
        wrong("no parameter is `{}`: name it in the clause, or `ignore` it", tensor.name);
    weights.parameters->changed();
    return fine;
  }

private:
  template <class... Values> void wrong(fmt::format_string<Values...> text, Values &&...values) {
    fmt::print(stderr, "weft: {}: {}\n", file.path(),
               fmt::format(text, std::forward<Values>(values)...));
    fine = false;
  }

  /// One pass of a parameter.
  void read(model::ParameterOp op, llvm::ArrayRef<int64_t> passes, float *target) {
    ForeignTensor tensor = map.foreign(op, passes);
    const runtime::StoredTensor *stored = file.find(tensor.name);
    if (!stored) {
      if (op.getKind() == model::ParameterKind::parameter)
        wrong("there is no `{}` for `{}`", tensor.name, op.getSymName().str());
      return;
    }
    used.insert(tensor.name);
    std::vector<std::string> ours;
    std::map<std::string, int64_t> sizes;
    auto type = llvm::cast<model::NamedTensorType>(op.getType());
    for (mlir::StringAttr dim : type.getDims().drop_front(op.getLoops())) {
      ours.push_back(dim.str());
      sizes[dim.str()] = *dims.fixed(dim);
    }
    std::optional<std::vector<int64_t>> strides = tensor.strides(ours, sizes, stored->shape);
    if (!strides)
      return wrong("`{}` is {}, the layout of `{}` says {}", tensor.name,
                   runtime::shapeText(stored->shape), op.getSymName().str(),
                   runtime::shapeText(tensor.shape(sizes)));
    if (!runtime::converts(stored->type, runtime::Element::Float))
      return wrong("`{}` holds {}, not floats", tensor.name,
                   runtime::elementTypeName(stored->type));
    int64_t count = 1;
    for (int64_t size : stored->shape)
      count *= size;
    std::vector<float> theirs(count);
    runtime::convert(stored->type, file.data(*stored), count, runtime::Element::Float,
                     theirs.data());
    std::vector<int64_t> index(ours.size(), 0);
    for (int64_t i = 0; i < count; ++i) {
      int64_t at = 0;
      for (size_t d = 0; d < ours.size(); ++d)
        at += index[d] * (*strides)[d];
      if (!std::isfinite(theirs[at]))
        return wrong("`{}` holds {}", tensor.name, theirs[at]);
      target[i] = theirs[at];
      for (size_t d = ours.size(); d-- > 0 && ++index[d] == sizes[ours[d]];)
        index[d] = 0;
    }
  }

  Weights &weights;
  mlir::ModuleOp module;
  const WeightsMap &map;
  const runtime::SafetensorsFile &file;
  model::Dims dims;
  std::set<std::string> used;
  bool fine = true;
};

} // namespace

bool loadForeign(Weights &weights, mlir::ModuleOp module, const WeightsMap &map,
                 const runtime::SafetensorsFile &file) {
  return Loader(weights, module, map, file).run();
}

} // namespace weft
