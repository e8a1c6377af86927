// Any bytes as a safetensors file: a header is refused, or every tensor of it can be read.
#include "runtime/tensors/safetensors/Header.h"
#include "tests/fuzz/Require.h"

#include <cstring>

using namespace weft::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto bytes = std::as_bytes(std::span(data, size));
  auto header = readHeader(bytes);
  if (!header) {
    require(!header.error().message.empty());
    return 0;
  }
  uint64_t next = 0;
  for (const StoredTensor &tensor : header->tensors) {
    require(tensor.begin <= tensor.end && tensor.end <= size);
    require(next == 0 || tensor.begin == next); // none shares bytes with another
    next = tensor.end;
    int64_t count = 1;
    for (int64_t dimension : tensor.shape) {
      require(dimension >= 0);
      count *= dimension;
    }
    Element element = converts(tensor.type, Element::Float) ? Element::Float
                      : converts(tensor.type, Element::Int) ? Element::Int
                                                            : Element::Bool;
    if (!converts(tensor.type, element))
      continue;
    std::vector<char> values(static_cast<size_t>(count * bytesOf(element)));
    int64_t bad = convert(tensor.type, bytes.data() + tensor.begin, count, element, values.data());
    require(bad >= -1 && bad < count);
  }
  return 0;
}
