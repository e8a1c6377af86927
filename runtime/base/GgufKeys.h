// What stands before the tensors of a GGUF file: typed values by name. Trusts nothing.
#ifndef WEFT_RUNTIME_BASE_GGUFKEYS_H
#define WEFT_RUNTIME_BASE_GGUFKEYS_H

#include "runtime/base/ByteReader.h"
#include "runtime/base/Error.h"

#include <functional>

namespace weft::runtime {

/// The format's types of values.
enum class GgufType : uint32_t {
  Uint8,
  Int8,
  Uint16,
  Int16,
  Uint32,
  Int32,
  Float32,
  Bool,
  String,
  Array, ///< the type of its elements, their number in 64 bits, and they
  Uint64,
  Int64,
  Float64
};

/// A number of bytes in 64 bits, and they.
std::string_view ggufString(ByteReader &in);

/// A name out of a file, to be shown: what no terminal should be sent is not, nor a long rest.
std::string shownGgufName(std::string_view name);

/// Reads a file of `in` up to its tensors, whose number it gives. `use` reads the value of a key
/// from `in`, or leaves it there and gives false: then it is passed over. No key comes twice.
/// Errors are without the file's name; `in` says whether it ended early. Format:
/// https://github.com/ggml-org/ggml (docs/gguf.md), versions 2 and 3.
Result<uint64_t> readGgufKeys(ByteReader &in,
                              const std::function<bool(std::string_view key, GgufType)> &use);

} // namespace weft::runtime
#endif
