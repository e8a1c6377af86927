// The header of the llama2.c v0 format, and where its tensors lie by it.
#ifndef WEFT_TOOLS_WEFT_FOREIGN_LLAMA2C_HEADER_H
#define WEFT_TOOLS_WEFT_FOREIGN_LLAMA2C_HEADER_H

#include "runtime/tensors/safetensors/Header.h"

namespace weft {

/// Seven int32 at the start of a file, in this order. A negative vocab_size says that `wcls` comes
/// last; else the table is the classifier.
struct Llama2cHeader {
  int32_t dim, hidden, layers, heads, keyHeads, vocab, positions;
};

/// A field by the name of the C code.
struct Llama2cField {
  const char *name;
  int32_t Llama2cHeader::*value;
};
inline constexpr Llama2cField llama2cFields[] = {{"dim", &Llama2cHeader::dim},
                                                 {"hidden_dim", &Llama2cHeader::hidden},
                                                 {"n_layers", &Llama2cHeader::layers},
                                                 {"n_heads", &Llama2cHeader::heads},
                                                 {"n_kv_heads", &Llama2cHeader::keyHeads},
                                                 {"vocab_size", &Llama2cHeader::vocab},
                                                 {"seq_len", &Llama2cHeader::positions}};

/// `wcls`, the classifier that is not the table.
inline constexpr char llama2cClassifier[] = "wcls";

/// Every tensor of a file with this header, in its order, float32, stacked over layers. Names are
/// those of the C code: `token_embedding_table`, `wq`, …, and `freq_cis_real`, `freq_cis_imag` for
/// the tables of rotary positions that follow the final norm. Heads are axes of their own: `wq` is
/// [layer, head, width of a head, dim]. An error says which number no file can have.
runtime::Result<std::vector<runtime::StoredTensor>> llama2cTensors(const Llama2cHeader &header);

} // namespace weft
#endif
