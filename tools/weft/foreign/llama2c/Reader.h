// Reading llama2.c v0 files: which tensors a file holds, and where. Trusts nothing.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_LLAMA2C_READER_H
#define WEFT_TOOLS_WEFT_FOREIGN_LLAMA2C_READER_H

#include "tools/weft/foreign/llama2c/Header.h"

#include <span>

namespace weft {

struct Llama2cFile {
  Llama2cHeader header;
  std::vector<runtime::StoredTensor> tensors; ///< they fill the file behind its header
};

/// Of a file of `size` bytes that begins with `start`, which has the header, or all of it. Errors
/// are without the file's name. Format: https://github.com/karpathy/llama2.c (export.py, version
/// 0).
runtime::Result<Llama2cFile> readLlama2c(std::span<const std::byte> start, uint64_t size);

/// The same of a whole file in memory.
inline runtime::Result<Llama2cFile> readLlama2c(std::span<const std::byte> file) {
  return readLlama2c(file, file.size());
}

} // namespace weft
#endif
