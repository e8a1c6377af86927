// Tokenizers of every format that is recognised.
#include "tests/damage/Formats.h"

#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/tokenizers/Tokenizer.h"

#include <cstring>

using namespace weft::runtime;

template <class T> static std::string raw(T value) {
  std::string out(sizeof value, '\0');
  memcpy(out.data(), &value, sizeof value);
  return out;
}

static const std::vector<std::string> words = {"<unk>", "<s>", "</s>", "▁", "a",
                                               "b",     "ab",  "▁ab",  "c", "é"};

/// A field of a protobuf with a length.
static std::string field(int number, const std::string &contents) {
  return raw(static_cast<uint8_t>(number << 3 | 2)) + raw(static_cast<uint8_t>(contents.size())) +
         contents;
}

static std::string sentencePieceModel() {
  std::string all;
  for (size_t i = 0; i < words.size(); ++i) {
    char kind = i == 0 ? 2 : i < 3 ? 3 : 1;
    all += field(1, field(1, words[i]) + "\x15" + raw(-static_cast<float>(i)) + "\x18" +
                        std::string(1, kind));
  }
  return all + field(2, "\x18\x02") + field(3, field(1, "identity") + "\x18\x01");
}

/// With a piece for each byte, as Llama's vocabulary has them; `space` is what words begin with.
static std::vector<std::string> withBytes(const char *space) {
  std::vector<std::string> all(words.begin(), words.begin() + 3);
  for (int byte = 0; byte < 256; ++byte)
    all.push_back(text("<0x%02X>", byte));
  for (const char *word : {"", "ab"})
    all.push_back(std::string(space) + word);
  all.insert(all.end(), {"a", "b", "ab", "c"});
  return all;
}

static std::string llama2c() {
  std::string all = raw(int32_t(16));
  float score = 0;
  for (const std::string &word : withBytes(" "))
    all += raw(score -= 1) + raw(static_cast<int32_t>(word.size())) + word;
  return all;
}

static std::string counted(const std::string &text) {
  return raw(uint64_t(text.size())) + text;
}

static std::string gguf() {
  std::string tokens, scores, kinds;
  const std::vector<std::string> pieces = withBytes("▁");
  for (size_t i = 0; i < pieces.size(); ++i) {
    tokens += counted(pieces[i]);
    scores += raw(-static_cast<float>(i));
    int32_t kind = i == 0 ? 2 : i < 3 ? 3 : i < 259 ? 6 : 1;
    kinds += raw(kind);
  }
  auto list = [&](uint32_t type, const std::string &items) {
    return raw(uint32_t(9)) + raw(type) + raw(uint64_t(pieces.size())) + items;
  };
  auto key = [](const char *name, uint32_t type) { return counted(name) + raw(type); };
  return "GGUF" + raw(uint32_t(3)) + raw(uint64_t(0)) + raw(uint64_t(7)) + key("general.name", 8) +
         counted("a name") + key("tokenizer.ggml.model", 8) + counted("llama") +
         counted("tokenizer.ggml.tokens") + list(8, tokens) + counted("tokenizer.ggml.scores") +
         list(6, scores) + counted("tokenizer.ggml.token_type") + list(5, kinds) +
         key("tokenizer.ggml.bos_token_id", 4) + raw(uint32_t(1)) +
         key("tokenizer.ggml.eos_token_id", 4) + raw(uint32_t(2));
}

/// One of the kind `gpt2`.
static std::string ggufOfBytePairs() {
  auto list = [](uint32_t type, uint64_t count, const std::string &items) {
    return raw(uint32_t(9)) + raw(type) + raw(count) + items;
  };
  auto key = [](const char *name, uint32_t type) { return counted(name) + raw(type); };
  std::string tokens, kinds;
  for (const char *token : {"a", "b", "Ġ", "ab", "Ġab", "1", "<|end|>", "<add>"})
    tokens += counted(token);
  for (int32_t kind : {1, 1, 1, 1, 1, 1, 3, 4})
    kinds += raw(kind);
  return "GGUF" + raw(uint32_t(3)) + raw(uint64_t(0)) + raw(uint64_t(7)) +
         key("tokenizer.ggml.model", 8) + counted("gpt2") + key("tokenizer.ggml.pre", 8) +
         counted("qwen2") + counted("tokenizer.ggml.tokens") + list(8, 8, tokens) +
         counted("tokenizer.ggml.token_type") + list(5, 8, kinds) +
         counted("tokenizer.ggml.merges") + list(8, 2, counted("a b") + counted("Ġ ab")) +
         key("tokenizer.ggml.eos_token_id", 4) + raw(uint32_t(6)) +
         key("tokenizer.ggml.add_bos_token", 7) + std::string(1, '\1');
}

static std::string use(const std::string &path) {
  Result<TokenizerPtr> read = readTokenizer(path);
  if (!read)
    return read.error().message;
  for (const char *text : {"ab abc é</s>", "", "\xff\xc3 a", "[MASK] ab <0x0A>\n\n123"})
    if (auto ids = (*read)->encode(text)) {
      for (int32_t id : *ids)
        if (id < 0 || id >= (*read)->size())
          abort();
      decodeText(**read, *ids);
    } else if (ids.error().message.empty()) {
      abort();
    }
  for (int32_t id : {0, 5, 1 << 30, -1})
    (*read)->spelling(id);
  std::string kept = jsonText((*read)->json());
  return kept.empty() ? std::string("keeps nothing") : "";
}

static Format tokenizer(const char *name, const char *file, const std::string &contents,
                        Files beside = {}) {
  Files good = std::move(beside);
  std::string damagedFile = good.empty() ? file : "";
  good[file] = contents;
  return {
      name, damagedFile, std::move(good),
      [file = std::string(file)](const std::string &folder) { return use(folder + "/" + file); }};
}

std::vector<Format> tokenizerFormats() {
  const char json[] = "tokenizer.json";
  return {
      tokenizer(
          "weft-bpe", json,
          R"({"weft_tokenizer": 1, "kind": "bpe", "merges": [[64, 65], [256, 66], [220, 257]]})"),
      tokenizer("weft-characters", json,
                R"({"weft_tokenizer": 1, "kind": "characters", "characters": " abcé\n"})"),
      tokenizer(
          "weft-words", json,
          R"({"weft_tokenizer": 1, "kind": "words", "words": ["<unk>", "ab", "abc", "<eos>"], "marks": {"unknown": "<unk>", "end": "<eos>"},
                "lower": true, "spaced": true, "closes": true})"),
      tokenizer(
          "weft-sentencepiece", json,
          R"({"weft_tokenizer": 1, "kind": "sentencepiece", "algorithm": "bpe", "pieces": [["<unk>", 0, 2], ["<s>", 0, 3], ["</s>", 0, 3],
                ["▁", -1, 1], ["a", -2, 1], ["b", -3, 1], ["ab", -1.5, 1]], "space": "▁", "unknown": " ⁇ ", "character_map": "", "space_in_front": true, "start": 1, "end": 2})"),
      tokenizer(
          "huggingface-bpe", json,
          R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "Ã": 5}, "merges": ["a b", ["Ġ", "ab"]]},
                "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Lowercase"}]},
                "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}, "decoder": {"type": "ByteLevel"},
                "added_tokens": [{"id": 7, "content": "</s>", "special": true}, {"id": 6, "content": "<m>", "special": false, "lstrip": true, "rstrip": true}]})"),
      tokenizer(
          "huggingface-unigram", json,
          R"({"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁", -1.5], ["a", -2], ["b", -2.5], ["▁ab", -1]]},
                "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true}, "decoder": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": true}})"),
      tokenizer(
          "huggingface-wordpiece", json,
          R"({"model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
                "vocab": {"[UNK]": 0, "ab": 1, "##c": 2, "[MASK]": 3}}, "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": null, "lowercase": true},
                "pre_tokenizer": {"type": "BertPreTokenizer"}, "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": true},
                "added_tokens": [{"id": 3, "content": "[MASK]", "special": true}]})"),
      tokenizer("sentencepiece-model", "tokenizer.model", sentencePieceModel()),
      tokenizer("llama2c-tokenizer", "tokenizer.bin", llama2c()),
      tokenizer("gguf", "model.gguf", gguf()),
      tokenizer("gguf-byte-pairs", "model.gguf", ggufOfBytePairs()),
      tokenizer("gpt2-vocabulary", "vocab.json",
                R"({"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "c": 5})",
                {{"merges.txt", "#version: 0.2\na b\nĠ ab\n"}}),
      tokenizer("merges", "merges.txt", "#version: 0.2\na b\nab c\nĠ ab\n"),
      tokenizer("wordpiece-vocabulary", "vocab.txt",
                "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nab\n##c\n,\n##e\ncafe\n中\n"),
  };
}
