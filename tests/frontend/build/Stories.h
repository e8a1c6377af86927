// Decoders in the llama2.c v0 format, under the names and in the layouts of Hugging Face.
#pragma once

#include "Recorded.h"

#include <filesystem>
#include <string>

namespace weft::test {

/// The tensors of a `.bin` file: `prefix` + "model.layers.0.self_attn.q_proj.weight", … Rows of q
/// and k, whose rotary pairs lie beside each other there, are reordered to lie half a head apart.
Tensors readStories(const std::filesystem::path &file, const std::string &prefix);

/// The same of gradients that are stored stacked, under the names of the C code (`wq`, `rms_att`).
Tensors storiesGradients(const Tensors &stacked, int64_t heads, int64_t keyHeads,
                         const std::string &prefix);

} // namespace weft::test
