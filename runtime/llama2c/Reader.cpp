// Works out where the tensors of a llama2.c v0 file lie from the sizes in its header.
#include "runtime/llama2c/Reader.h"

#include "runtime/error/Text.h"

#include <cstring>

using namespace weft::runtime;

namespace {
struct Sizes {
  int32_t dim, hidden, layers, heads, keyHeads, vocab, positions;
};
} // namespace

static const char *whatElse(std::span<const std::byte> file) {
  auto starts = [&](const char *magic, size_t length) {
    return file.size() >= length && memcmp(file.data(), magic, length) == 0;
  };
  if (starts("24ka", 4)) // 0x616b3432, little-endian
    return "it is of a later version of llama2.c; only version 0 is read (export.py --version 0)";
  if (starts("PK\3\4", 4) || starts("\x80\2", 2))
    return "it is a file of PyTorch, not of llama2.c; save the tensors as safetensors";
  if (starts("GGUF", 4))
    return "it is a GGUF file, not one of llama2.c; save the tensors as safetensors";
  return nullptr;
}

static Error bad(std::string message) {
  return {Code::File, "is no llama2.c file: " + std::move(message)};
}

static std::optional<Error> wrongSizes(const Sizes &sizes) {
  for (auto [name, value] : {std::pair<const char *, int32_t>{"dim", sizes.dim},
                             {"hidden_dim", sizes.hidden},
                             {"n_layers", sizes.layers},
                             {"n_heads", sizes.heads},
                             {"n_kv_heads", sizes.keyHeads},
                             {"seq_len", sizes.positions}})
    if (value < 1)
      return bad(text("its header says %s = %d", name, value));
  if (sizes.vocab == 0 || sizes.vocab == INT32_MIN)
    return bad(text("its header says vocab_size = %d", sizes.vocab));
  if (sizes.dim % sizes.heads != 0 || (sizes.dim / sizes.heads) % 2 != 0)
    return bad(text("its header says dim = %d of %d heads, each of an even width", sizes.dim,
                    sizes.heads));
  if (sizes.heads % sizes.keyHeads != 0)
    return bad(text("its header says %d heads share %d key heads", sizes.heads, sizes.keyHeads));
  return std::nullopt;
}

Result<std::vector<StoredTensor>> weft::runtime::readLlama2c(std::span<const std::byte> file) {
  if (const char *other = whatElse(file))
    return Error{Code::File, other};
  Sizes sizes;
  if (file.size() < sizeof sizes)
    return bad(text("it has %zu bytes, its header alone has %zu", file.size(), sizeof sizes));
  memcpy(&sizes, file.data(), sizeof sizes);
  if (auto problem = wrongSizes(sizes))
    return *problem;
  int64_t dim = sizes.dim, layers = sizes.layers, heads = sizes.heads, keys = sizes.keyHeads;
  int64_t width = dim / heads, vocab = std::abs(sizes.vocab), hidden = sizes.hidden;
  std::vector<StoredTensor> tensors;
  bool tooLarge = false;
  auto add = [&](const char *name, std::vector<int64_t> shape) {
    int64_t bytes = sizeof(float);
    for (int64_t size : shape)
      tooLarge |= __builtin_mul_overflow(bytes, size, &bytes);
    uint64_t begin = tensors.empty() ? sizeof sizes : tensors.back().end, end = 0;
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
  add("freq_cis_real", {sizes.positions, width / 2});
  add("freq_cis_imag", {sizes.positions, width / 2});
  if (sizes.vocab < 0)
    add("wcls", {vocab, dim});
  if (tooLarge || tensors.back().end != file.size())
    return bad(text("it has %zu bytes, by its header it would have %s (dim %d, hidden_dim %d, "
                    "n_layers %d, n_heads %d, n_kv_heads %d, vocab_size %d, seq_len %d)",
                    file.size(),
                    tooLarge
                        ? "more than any file"
                        : text("%llu", static_cast<unsigned long long>(tensors.back().end)).c_str(),
                    sizes.dim, sizes.hidden, sizes.layers, sizes.heads, sizes.keyHeads, sizes.vocab,
                    sizes.positions));
  return tensors;
}
