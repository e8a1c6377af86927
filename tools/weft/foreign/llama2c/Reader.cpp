// Reads the header of a llama2.c v0 file, and says what is none.
#include "tools/weft/foreign/llama2c/Reader.h"

#include "runtime/base/Text.h"

#include <cstring>

using namespace weft;
using namespace weft::runtime;

static const char *whatElse(std::span<const std::byte> file) {
  auto starts = [&](const char *magic, size_t length) {
    return file.size() >= length && memcmp(file.data(), magic, length) == 0;
  };
  if (starts("24ka", 4)) // 0x616b3432, little-endian
    return "it is of a later version of llama2.c; only version 0 is read (export.py --version 0)";
  if (starts("PK\3\4", 4) || starts("\x80\2", 2))
    return "it is a file of PyTorch, not of llama2.c; save the tensors as safetensors";
  return nullptr;
}

static Error bad(std::string message) {
  return {Code::File, "is no llama2.c file: " + std::move(message)};
}

Result<Llama2cFile> weft::readLlama2c(std::span<const std::byte> start, uint64_t size) {
  if (const char *other = whatElse(start))
    return Error{Code::File, other};
  Llama2cFile found;
  auto bytes = static_cast<unsigned long long>(size);
  if (start.size() < sizeof found.header)
    return bad(text("it has %llu bytes, its header alone has %zu", bytes, sizeof found.header));
  memcpy(&found.header, start.data(), sizeof found.header);
  auto tensors = llama2cTensors(found.header);
  if (!tensors)
    return bad("its header says " + tensors.error().message);
  if (uint64_t expected = tensors->back().end; expected != size) {
    std::string sizes;
    for (const Llama2cField &field : llama2cFields)
      sizes += text("%s%s %d", sizes.empty() ? "" : ", ", field.name, found.header.*field.value);
    return bad(text("it has %llu bytes, by its header it would have %llu (%s)", bytes,
                    static_cast<unsigned long long>(expected), sizes.c_str()));
  }
  found.tensors = std::move(*tensors);
  return found;
}
