// Stacked parameters and their names per layer.
#include "runtime/model/Slices.h"

#include "runtime/tensors/Shape.h"

using namespace weft::runtime;

std::vector<int64_t> weft::runtime::stackedShape(const Facts &facts, const Parameter &parameter) {
  std::vector<int64_t> shape;
  for (int dim : parameter.dims)
    shape.push_back(*facts.dims[dim].size);
  return shape;
}

std::vector<int64_t> weft::runtime::sliceShape(const Facts &facts, const Parameter &parameter) {
  std::vector<int64_t> shape = stackedShape(facts, parameter);
  shape.erase(shape.begin(), shape.begin() + parameter.loops);
  return shape;
}

int64_t weft::runtime::elementCount(const Facts &facts, const Parameter &parameter) {
  return countOf(stackedShape(facts, parameter));
}

/// The path with the number of each pass after the part that names its repeat.
static std::string nameInFile(const Facts &facts, const Parameter &parameter,
                              const std::vector<int64_t> &passes) {
  std::string out, rest = parameter.name + ".";
  size_t loop = 0;
  while (!rest.empty()) {
    std::string part = rest.substr(0, rest.find('.'));
    rest.erase(0, part.size() + 1);
    out += (out.empty() ? "" : ".") + part;
    if (loop < passes.size() && part == facts.dims[parameter.dims[loop]].name)
      out += text(".%lld", wide(passes[loop++]));
  }
  for (; loop < passes.size(); ++loop) // a path that does not name its repeat
    out += text(".%lld", wide(passes[loop]));
  return out;
}

std::vector<Slice> weft::runtime::slicesOf(const Facts &facts, const Parameter &parameter) {
  std::vector<int64_t> shape = stackedShape(facts, parameter);
  std::vector<int64_t> loops(shape.begin(), shape.begin() + parameter.loops);
  int64_t each = countOf(sliceShape(facts, parameter)), passes = countOf(loops);
  std::vector<Slice> slices;
  for (int64_t i = 0; i < passes; ++i) {
    std::vector<int64_t> position(loops.size());
    int64_t rest = i;
    for (size_t loop = loops.size(); loop-- > 0; rest /= loops[loop])
      position[loop] = rest % loops[loop];
    slices.push_back({nameInFile(facts, parameter, position), i * each, each});
  }
  return slices;
}
