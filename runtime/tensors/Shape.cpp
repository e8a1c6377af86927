// Shapes and positions as text.
#include "runtime/tensors/Shape.h"

#include "runtime/base/Text.h"

using namespace weft::runtime;

int64_t weft::runtime::countOf(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string weft::runtime::shapeText(const std::vector<int64_t> &shape) {
  std::string out = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    out += text(i ? ", %lld" : "%lld", wide(shape[i]));
  return out + "]";
}

std::string weft::runtime::positionText(const std::vector<int64_t> &shape, int64_t number) {
  std::vector<int64_t> position;
  int64_t inner = countOf(shape);
  for (int64_t size : shape) {
    inner /= size;
    position.push_back(number / inner);
    number %= inner;
  }
  return shapeText(position);
}
