// Works out where the tensors of a llama2.c v0 file lie from the sizes in its header.
#include "tools/weft/foreign/llama2c/Header.h"

#include "runtime/base/Text.h"

#include <cstdlib>

using namespace weft;
using namespace weft::runtime;

static std::string wrongSizes(const Llama2cHeader &header) {
  for (const Llama2cField &field : llama2cFields) {
    int32_t value = header.*field.value;
    bool isVocab = field.value == &Llama2cHeader::vocab;
    if (isVocab ? value == 0 || value == INT32_MIN : value < 1)
      return text("%s = %d", field.name, value);
  }
  if (header.dim % header.heads != 0 || (header.dim / header.heads) % 2 != 0)
    return text("dim = %d of %d heads, each of an even width", header.dim, header.heads);
  if (header.heads % header.keyHeads != 0)
    return text("%d heads share %d key heads", header.heads, header.keyHeads);
  return {};
}

Result<std::vector<StoredTensor>> weft::llama2cTensors(const Llama2cHeader &header) {
  if (std::string problem = wrongSizes(header); !problem.empty())
    return Error{Code::File, std::move(problem)};
  int64_t dim = header.dim, layers = header.layers, heads = header.heads, keys = header.keyHeads;
  int64_t width = dim / heads, vocab = std::abs(header.vocab), hidden = header.hidden;
  std::vector<StoredTensor> tensors;
  bool tooLarge = false;
  auto add = [&](const char *name, std::vector<int64_t> shape) {
    int64_t bytes = sizeof(float);
    for (int64_t size : shape)
      tooLarge |= __builtin_mul_overflow(bytes, size, &bytes);
    uint64_t begin = tensors.empty() ? sizeof header : tensors.back().end, end = 0;
    tooLarge |= __builtin_add_overflow(begin, static_cast<uint64_t>(bytes), &end);
    tensors.push_back({name, ElementType::F32, std::move(shape), begin, end});
  };
  add("token_embedding_table", {vocab, dim});
  add("rms_att_weight", {layers, dim});
  add("wq", {layers, heads, width, dim});
  add("wk", {layers, keys, width, dim});
  add("wv", {layers, keys, width, dim});
  add("wo", {layers, dim, heads, width});
  add("rms_ffn_weight", {layers, dim});
  add("w1", {layers, hidden, dim});
  add("w2", {layers, dim, hidden});
  add("w3", {layers, hidden, dim});
  add("rms_final_weight", {dim});
  add("freq_cis_real", {header.positions, width / 2});
  add("freq_cis_imag", {header.positions, width / 2});
  if (header.vocab < 0)
    add(llama2cClassifier, {vocab, dim});
  if (tooLarge)
    return Error{Code::File, "sizes that take more than any file"};
  return tensors;
}
