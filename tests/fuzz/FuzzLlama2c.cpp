// Any bytes as a llama2.c file: it is refused with a reason, or its tensors fill it without gap or
// overlap.
#include "tests/fuzz/Require.h"
#include "tools/weft/foreign/llama2c/Reader.h"

using namespace weft;
using namespace weft::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto bytes = std::as_bytes(std::span(data, size));
  auto read = readLlama2c(bytes);
  if (!read) {
    require(!read.error().message.empty());
    return 0;
  }
  require(!read->tensors.empty());
  uint64_t next = sizeof read->header;
  float sum = 0;
  for (const StoredTensor &tensor : read->tensors) {
    require(tensor.begin == next && tensor.begin <= tensor.end && tensor.end <= size);
    next = tensor.end;
    int64_t count = 1;
    for (int64_t dimension : tensor.shape) {
      require(dimension > 0);
      count *= dimension;
    }
    require(static_cast<uint64_t>(count) * sizeof(float) == tensor.end - tensor.begin);
    std::vector<float> values(static_cast<size_t>(count));
    require(convert(tensor.type, bytes.data() + tensor.begin, count, Element::Float,
                    values.data()) == -1);
    sum += values.back();
  }
  require(next == size);
  static_cast<void>(sum);
  return 0;
}
