// Reads the llama2.c v0 format: seven numbers, then every tensor in a fixed order.
#include "Stories.h"

#include <fstream>
#include <stdexcept>

namespace weft::test {
namespace {

using reference::Array;
using reference::Floats;

/// Row 2 i + c of each head becomes row i + c * (half a head).
Array halved(const Array &array, int64_t heads) {
  int64_t rows = array.shape[0], width = array.shape[1], head = rows / heads;
  const Floats &in = array.floats();
  Floats out(in.size());
  for (int64_t row = 0; row < rows; ++row) {
    int64_t inHead = row % head, to = row - inHead + inHead / 2 + inHead % 2 * (head / 2);
    std::copy_n(in.begin() + row * width, width, out.begin() + to * width);
  }
  return {array.shape, std::move(out)};
}

/// Layer `layer` of a tensor that is stacked over layers.
Array slice(const Array &stacked, int64_t layer) {
  Array array;
  array.shape.assign(stacked.shape.begin() + 1, stacked.shape.end());
  int64_t count = reference::countOf(array.shape);
  auto begin = stacked.floats().begin() + layer * count;
  array.data = Floats(begin, begin + count);
  return array;
}

} // namespace

Tensors storiesGradients(const Tensors &stacked, int64_t heads, int64_t keyHeads,
                         const std::string &prefix) {
  static const std::pair<const char *, const char *> inLayers[] = {
      {"rms_att", "input_layernorm"}, {"rms_ffn", "post_attention_layernorm"},
      {"wq", "self_attn.q_proj"},     {"wk", "self_attn.k_proj"},
      {"wv", "self_attn.v_proj"},     {"wo", "self_attn.o_proj"},
      {"w1", "mlp.gate_proj"},        {"w2", "mlp.down_proj"},
      {"w3", "mlp.up_proj"}};
  Tensors out;
  for (auto [theirs, ours] : inLayers) {
    const Array &all = stacked.at(theirs);
    for (int64_t layer = 0; layer < all.shape[0]; ++layer) {
      Array one = slice(all, layer);
      if (std::string(theirs) == "wq" || std::string(theirs) == "wk")
        one = halved(one, theirs[1] == 'q' ? heads : keyHeads);
      out[prefix + "model.layers." + std::to_string(layer) + "." + ours + ".weight"] =
          std::move(one);
    }
  }
  out[prefix + "model.norm.weight"] = stacked.at("rms_final");
  out[prefix + "model.embed_tokens.weight"] = stacked.at("tok_emb");
  out[prefix + "lm_head.weight"] = stacked.at("tok_emb"); // tied
  return out;
}

Tensors readStories(const std::filesystem::path &file, const std::string &prefix) {
  std::ifstream in(file, std::ios::binary);
  int32_t header[7];
  if (!in.read(reinterpret_cast<char *>(header), sizeof header))
    throw std::runtime_error(file.string() + " cannot be read");
  auto [model, ff, layers, heads, keyHeads, vocab, seq] = header;
  int64_t keys = model / heads * keyHeads;
  Tensors stacked;
  auto read = [&](const char *name, llvm::ArrayRef<int64_t> shape) {
    std::vector<float> values(reference::countOf(shape));
    if (!in.read(reinterpret_cast<char *>(values.data()), values.size() * sizeof(float)))
      throw std::runtime_error(file.string() + " is cut short");
    stacked[name] = {{shape.begin(), shape.end()}, Floats(values.begin(), values.end())};
  };
  read("tok_emb", {vocab, model});
  read("rms_att", {layers, model});
  read("wq", {layers, model, model});
  read("wk", {layers, keys, model});
  read("wv", {layers, keys, model});
  read("wo", {layers, model, model});
  read("rms_ffn", {layers, model});
  read("w1", {layers, ff, model});
  read("w2", {layers, model, ff});
  read("w3", {layers, ff, model});
  read("rms_final", {model});
  return storiesGradients(stacked, heads, keyHeads, prefix);
}

} // namespace weft::test
