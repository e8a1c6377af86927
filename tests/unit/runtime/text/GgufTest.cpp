// Vocabularies of bytes that are merged, out of GGUF files (those of SentencePiece:
// SentencePieceTest.cpp).
#include "runtime/text/Gguf.h"
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/pipeline/Pipeline.h"
#include "runtime/text/pipeline/PreTokenizers.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

using namespace weft::runtime;

using Ids = std::vector<int32_t>;

namespace {
/// The keys of a file, as bytes.
class GgufFile {
public:
  void add(const std::string &key, const std::string &value) {
    begin(key, 8);
    body += counted(value);
  }
  void add(const std::string &key, const std::vector<std::string> &values) {
    begin(key, 9);
    body += number(uint32_t(8)) + number(uint64_t(values.size()));
    for (const std::string &value : values)
      body += counted(value);
  }
  void add(const std::string &key, const Ids &values) {
    begin(key, 9);
    body += number(uint32_t(5)) + number(uint64_t(values.size()));
    for (int32_t value : values)
      body += number(value);
  }
  void add(const std::string &key, uint32_t value) {
    begin(key, 4);
    body += number(value);
  }
  void add(const std::string &key, bool value) {
    begin(key, 7);
    body += static_cast<char>(value);
  }
  GgufFile after(const GgufFile &first) const {
    GgufFile all = first;
    all.keys += keys;
    all.body += body;
    return all;
  }
  std::string bytes() const {
    return "GGUF" + number(uint32_t(3)) + number(uint64_t(0)) + number(keys) + body;
  }

private:
  template <class T> static std::string number(T value) {
    std::string raw(sizeof value, '\0');
    memcpy(raw.data(), &value, sizeof value);
    return raw;
  }
  static std::string counted(const std::string &text) {
    return number(uint64_t(text.size())) + text;
  }
  void begin(const std::string &key, uint32_t type) {
    ++keys;
    body += counted(key) + number(type);
  }
  uint64_t keys = 0;
  std::string body;
};

/// A vocabulary of the kind `gpt2`: some characters, their merges, a mark and an added token.
GgufFile small(const std::string &pre) {
  GgufFile file;
  file.add("tokenizer.ggml.model", std::string("gpt2"));
  if (!pre.empty())
    file.add("tokenizer.ggml.pre", pre);
  file.add("tokenizer.ggml.tokens",
           std::vector<std::string>{"a", "b", "Ġ", "1", "2", "3", "4", "12", "123", "ab", "Ġab",
                                    "'", "S", "'S", "aba", "<|end|>", "<add>", "Ċ", "ba"});
  file.add("tokenizer.ggml.token_type",
           Ids{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 4, 1, 1});
  file.add("tokenizer.ggml.merges",
           std::vector<std::string>{"1 2", "12 3", "a b", "Ġ ab", "' S", "b a"});
  file.add("tokenizer.ggml.bos_token_id", uint32_t(15));
  file.add("tokenizer.ggml.eos_token_id", uint32_t(15));
  return file;
}

TokenizerPtr made(const GgufFile &file) {
  bool isCut = false;
  Result<TokenizerPtr> tokenizer = tokenizerFromGguf(file.bytes(), isCut);
  EXPECT_FALSE(isCut);
  EXPECT_TRUE(tokenizer) << tokenizer.error().message;
  return std::move(*tokenizer);
}

std::string errorOf(const GgufFile &file) {
  bool isCut = false;
  Result<TokenizerPtr> tokenizer = tokenizerFromGguf(file.bytes(), isCut);
  return tokenizer ? "" : tokenizer.error().message;
}
} // namespace

TEST(Gguf, CutsTextsAsTheFileSays) {
  // GPT-2: a run of digits is a word; `'S` is none.
  EXPECT_EQ(*made(small("gpt-2"))->encode("ab ab1234'S"), (Ids{9, 10, 8, 6, 11, 12}));
  EXPECT_EQ(*made(small("starcoder"))->encode("ab1234"), (Ids{9, 3, 4, 5, 6})) << "each digit";
  EXPECT_EQ(*made(small("qwen2"))->encode("ab1234'S"), (Ids{9, 3, 4, 5, 6, 13}));
  EXPECT_EQ(*made(small("llama-bpe"))->encode("ab1234'S"), (Ids{9, 8, 6, 13})) << "three digits";
  EXPECT_EQ(*made(small("qwen2"))->encode("aba"), (Ids{9, 0})) << "by merges";
  EXPECT_EQ(*made(small("llama-bpe"))->encode("aba"), (Ids{14})) << "a word that is a token";
}

TEST(Gguf, MarksAndAddedTokens) {
  TokenizerPtr tokenizer = made(small("qwen2"));
  EXPECT_EQ(tokenizer->size(), 19);
  Ids ids = *tokenizer->encode("ab<|end|>ab<add>\n");
  EXPECT_EQ(ids, (Ids{9, 15, 9, 16, 17}));
  EXPECT_EQ(decodeText(*tokenizer, ids), "abab<add>\n") << "a mark is no text, an added token is";
  EXPECT_EQ(tokenizer->startOfText(), std::nullopt) << "unless the file says so";
  EXPECT_EQ(tokenizer->endOfText(), 15);
  EXPECT_FALSE(tokenizer->frames());
  EXPECT_EQ(made(small("llama-bpe"))->startOfText(), 15) << "so llama.cpp has it by this name";
  for (bool starts : {false, true}) {
    GgufFile file = small(starts ? "gpt-2" : "llama-bpe");
    file.add("tokenizer.ggml.add_bos_token", starts);
    EXPECT_EQ(made(file)->startOfText(), starts ? std::optional(15) : std::nullopt);
  }
}

TEST(Gguf, IsKeptWithACheckpoint) {
  for (const char *pre : {"gpt-2", "smollm", "qwen2", "llama3"}) {
    TokenizerPtr tokenizer = made(small(pre));
    TemporaryFolder folder;
    writeAll(folder / "t.json", jsonText(tokenizer->json()));
    Result<TokenizerPtr> again = readTokenizer(folder / "t.json");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ((*again)->startOfText(), tokenizer->startOfText());
    EXPECT_EQ((*again)->endOfText(), 15);
    EXPECT_EQ(*(*again)->encode("ab 1234'S<|end|>"), *tokenizer->encode("ab 1234'S<|end|>"));
  }
}

TEST(Gguf, ReadsTheBeginningOfAFile) {
  std::string bytes = small("qwen2").bytes();
  for (size_t size = 4; size < bytes.size(); ++size) {
    bool isCut = false;
    EXPECT_FALSE(tokenizerFromGguf(bytes.substr(0, size), isCut));
    EXPECT_TRUE(isCut) << size;
  }
  TemporaryFolder folder;
  writeAll(folder / "t.gguf", bytes + std::string(1 << 25, '\7')); // weights, which nobody reads
  Result<TokenizerPtr> read = readTokenizer(folder / "t.gguf");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ((*read)->size(), 19);
  GgufFile late; // a vocabulary that begins behind what is read first
  late.add("general.notes", std::string((1 << 24) - 40, 'x'));
  writeAll(folder / "late.gguf", small("qwen2").after(late).bytes());
  read = readTokenizer(folder / "late.gguf");
  ASSERT_TRUE(read) << read.error().message;
  writeAll(folder / "cut.gguf", bytes.substr(0, bytes.size() - 1));
  read = readTokenizer(folder / "cut.gguf");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message.find("cut.gguf: is not a whole tokenizer: "), std::string::npos)
      << read.error().message;
}

TEST(Gguf, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(errorOf(small("tekken")),
            "its way to cut texts is not known: `tekken` (tokenizer.ggml.pre); Weft knows GPT-2's, "
            "Llama 3's, Qwen 2's and StarCoder's. Give the model's tokenizer.json");
  EXPECT_EQ(errorOf(small("")).substr(0, 34), "it does not say how texts are cut ");
  GgufFile file;
  file.add("tokenizer.ggml.model", std::string("rwkv"));
  EXPECT_EQ(errorOf(file), "the vocabulary's kind is `rwkv`; of GGUF files Weft reads `llama` and "
                           "`gpt2`");
  auto with = [](std::vector<std::string> tokens, Ids kinds, std::vector<std::string> merges,
                 uint32_t end) {
    GgufFile file;
    file.add("tokenizer.ggml.model", std::string("gpt2"));
    file.add("tokenizer.ggml.pre", std::string("gpt-2"));
    file.add("tokenizer.ggml.tokens", tokens);
    file.add("tokenizer.ggml.token_type", kinds);
    file.add("tokenizer.ggml.merges", merges);
    file.add("tokenizer.ggml.eos_token_id", end);
    return errorOf(file);
  };
  EXPECT_EQ(with({"a", "b"}, {1, 1}, {}, 1), "");
  EXPECT_EQ(with({"a", "b"}, {1}, {}, 1), "2 tokens have 1 types");
  EXPECT_EQ(with({"a", "a"}, {1, 1}, {}, 1), "token 1 is token 0, too");
  EXPECT_EQ(with({"a", "\xff"}, {1, 1}, {}, 1), "token 1 is not UTF-8, or of a type that is none");
  EXPECT_EQ(with({"a", "b"}, {1, 9}, {}, 1), "token 1 is not UTF-8, or of a type that is none");
  EXPECT_EQ(with({"a", "b"}, {1, 1}, {"a \xff"}, 1), "merge 0 is not UTF-8");
  EXPECT_EQ(with({"a", "b"}, {1, 1}, {"a b"}, 1),
            "model: merges[0]: `ab` is not in the vocabulary");
  EXPECT_EQ(with({"a", "b"}, {1, 1}, {}, 2), "the mark 2 is none of the 2 tokens");
}

namespace {
class GgufRecord : public weft::test::AgainstRecord<> {
protected:
  GgufRecord() : AgainstRecord("tokenizers") {}
  /// GPT-2's vocabulary, as such a file.
  GgufFile gpt2(const std::string &pre) const {
    auto ids = nlohmann::json::parse(readAll(record / "gpt2.encoder.json"));
    std::vector<std::string> tokens(ids.size()), merges;
    for (const auto &[token, id] : ids.items())
      tokens[id.get<size_t>()] = token;
    std::istringstream lines(readAll(record / "gpt2.vocab.bpe"));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && !line.starts_with("#version"))
        merges.push_back(line);
    Ids kinds(tokens.size(), 1);
    kinds.back() = 3;
    GgufFile file;
    file.add("tokenizer.ggml.model", std::string("gpt2"));
    file.add("tokenizer.ggml.pre", pre);
    file.add("tokenizer.ggml.tokens", tokens);
    file.add("tokenizer.ggml.token_type", kinds);
    file.add("tokenizer.ggml.merges", merges);
    file.add("tokenizer.ggml.eos_token_id", static_cast<uint32_t>(tokens.size() - 1));
    return file;
  }
};
} // namespace

TEST_F(GgufRecord, Gpt2sVocabularyGoldenEncodings) {
  TokenizerPtr tokenizer = made(gpt2("gpt-2"));
  EXPECT_EQ(tokenizer->endOfText(), 50256);
  auto golden = nlohmann::json::parse(readAll(record / "gpt2.golden.json"));
  int cases = 0;
  for (const auto &item : golden["cases"]) {
    std::string text = item["text"];
    Ids ids = *tokenizer->encode(text, Marks::Plain);
    EXPECT_EQ(ids, item["ids"].get<Ids>()) << text;
    EXPECT_EQ(decodeText(*tokenizer, ids), text);
    ++cases;
  }
  EXPECT_EQ(cases, 131);
}
