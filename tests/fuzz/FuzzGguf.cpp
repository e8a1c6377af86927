// Any bytes as a GGUF file: it is refused with a reason, or all its tensors lie in it.
#include "tests/fuzz/Require.h"
#include "tools/weft/foreign/gguf/Reader.h"

using namespace weft;
using namespace weft::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto bytes = std::as_bytes(std::span(data, size));
  auto read = readGguf(bytes, size);
  if (!read) {
    require(read.error().message.starts_with("is no GGUF file: "));
    return 0;
  }
  float sum = 0;
  for (const GgufTensor &tensor : read->tensors) {
    const StoredTensor &stored = tensor.stored;
    require(!stored.name.empty() && stored.begin <= stored.end && stored.end <= size);
    int64_t count = 1;
    bool isEmpty = false;
    for (int64_t dimension : stored.shape)
      require(!__builtin_mul_overflow(count, std::max<int64_t>(dimension, 1), &count));
    for (int64_t dimension : stored.shape)
      isEmpty |= dimension == 0;
    count = isEmpty ? 0 : count;
    if (tensor.blocks) {
      std::vector<float> values(static_cast<size_t>(tensor.blocks->elements));
      uint64_t blocks = static_cast<uint64_t>(count / tensor.blocks->elements);
      require(blocks * tensor.blocks->bytes == stored.end - stored.begin);
      for (uint64_t i = 0; i < blocks; ++i)
        tensor.blocks->decode(data + stored.begin + i * tensor.blocks->bytes, values.data());
      sum += values.back();
    } else {
      require(static_cast<uint64_t>(count) * elementBytes(stored.type) ==
              stored.end - stored.begin);
    }
  }
  static_cast<void>(sum);
  auto part = readGguf(bytes.first(size / 2), size);
  require(part || part.error().code == Code::Size); // it is no file that could not be one
  if (read->config.is_object())
    require(!jsonText(read->config).empty());
  return 0;
}
