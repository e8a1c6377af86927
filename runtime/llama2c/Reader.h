// The llama2.c v0 format: which tensors a file holds, and where. Trusts nothing.
#ifndef WEFT_RUNTIME_LLAMA2C_READER_H
#define WEFT_RUNTIME_LLAMA2C_READER_H

#include "runtime/safetensors/Header.h"

namespace weft::runtime {

/// Seven int32 (dim, hidden_dim, n_layers, n_heads, n_kv_heads, vocab_size, seq_len), then every
/// tensor in a fixed order, float32, stacked over layers. Names are those of its C code:
/// `token_embedding_table`, `wq`, …, and `freq_cis_real`, `freq_cis_imag` for the tables of rotary
/// positions that follow the final norm. A negative vocab_size says that `wcls` comes last; else
/// the table is the classifier. Heads are axes of their own: `wq` is [layer, head, width of a head,
/// dim]. Errors are without the file's name. Format: https://github.com/karpathy/llama2.c
/// (export.py, version 0).
Result<std::vector<StoredTensor>> readLlama2c(std::span<const std::byte> file);

} // namespace weft::runtime
#endif
