// Reading GGUF files: which tensors a file holds, and where, and what it says of its model. Trusts
// nothing.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_GGUF_READER_H
#define WEFT_TOOLS_WEFT_FOREIGN_GGUF_READER_H

#include "runtime/base/Json.h"
#include "runtime/tensors/safetensors/Header.h"
#include "tools/weft/foreign/gguf/Blocks.h"

namespace weft {

/// A tensor whose bytes are elements of a type, or blocks.
struct GgufTensor {
  runtime::StoredTensor stored; ///< axes as numpy has them; of blocks, `type` says nothing
  const BlockFormat *blocks = nullptr;
};

struct GgufFile {
  std::vector<GgufTensor> tensors;
  /// What it says of its model, by the names of Hugging Face's `config.json` where those have one
  /// (`llama.attention.head_count` is `num_attention_heads`), else by its own behind the
  /// architecture. Null where it says no architecture, as the later files of one that was split.
  runtime::Json config;
};

/// Whether a file that begins like this is one.
bool isGguf(std::span<const std::byte> start);

/// Of a file of `size` bytes that begins with `start`. Errors are without the file's name; where
/// `start` ends too early, and the file does not, the code is Size.
runtime::Result<GgufFile> readGguf(std::span<const std::byte> start, uint64_t size);

} // namespace weft
#endif
