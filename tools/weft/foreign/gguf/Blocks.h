// Weights that a GGUF file keeps as small whole numbers in blocks, each with scales of its own.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_GGUF_BLOCKS_H
#define WEFT_TOOLS_WEFT_FOREIGN_GGUF_BLOCKS_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace weft {

/// How a type of ggml has `elements` numbers in `bytes` bytes (ggml-common.h, `block_q4_0` and
/// others).
struct BlockFormat {
  const char *name; ///< as files are called after it: Q4_K
  uint32_t number;  ///< of the type, in files
  int64_t elements;
  uint64_t bytes;
  void (*decode)(const uint8_t *block, float *values);
};

/// The format of this number; null where Weft reads none.
const BlockFormat *blockFormat(uint32_t number);

/// The names of all, for errors: "Q4_0, Q4_1, …".
std::string blockFormatNames();

} // namespace weft
#endif
