// Tokenizers: round trips, characters that are missing, and others' golden files for byte pair
// encoding.
#include "runtime/base/Utf8.h"
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/tokenizers/Bpe.h"
#include "runtime/text/tokenizers/Pieces.h"
#include "runtime/text/unicode/Classes.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace weft::runtime;

static std::vector<std::string> pieces(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    size_t length = firstPiece(text);
    out.emplace_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

static TokenizerPtr reread(const Tokenizer &tokenizer) {
  TemporaryFolder folder;
  writeAll(folder / "t.json", jsonText(tokenizer.json()));
  auto read = readTokenizer(folder / "t.json");
  EXPECT_TRUE(read) << read.error().message;
  return std::move(*read);
}

TEST(Utf8, AcceptsExactlyValidSequences) {
  EXPECT_TRUE(isUtf8("aé€😀"));
  for (const char *bad :
       {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x80", "\xe2\x82", "\xff"})
    EXPECT_FALSE(isUtf8(bad)) << bad;
  EXPECT_TRUE(isUtf8Beginning("\xe2\x82"));
  EXPECT_TRUE(isUtf8Beginning("\xf0\x9f"));
  EXPECT_FALSE(isUtf8Beginning("\xe2\x41"));
  EXPECT_FALSE(isUtf8Beginning("a"));
  for (uint32_t point : {0x41u, 0xe9u, 0x20acu, 0x1f600u})
    EXPECT_EQ(nextCodePoint(toUtf8(point)).value, point);
}

TEST(Pieces, AsGpt2sPattern) {
  using P = std::vector<std::string>;
  EXPECT_EQ(pieces("Hello world"), (P{"Hello", " world"}));
  EXPECT_EQ(pieces("it's we'll 'twas"), (P{"it", "'s", " we", "'ll", " '", "twas"}));
  EXPECT_EQ(pieces("a  b   \n c "), (P{"a", " ", " b", "   \n", " c", " "}));
  EXPECT_EQ(pieces("x\n\ny"), (P{"x", "\n", "\n", "y"}));
  EXPECT_EQ(pieces("abc123 45!?"), (P{"abc", "123", " 45", "!?"}));
  EXPECT_EQ(pieces("naïve Ω２ \xff"), (P{"naïve", " Ω", "２", " \xff"}));
  EXPECT_EQ(pieces("  "), (P{"  "}));
}

TEST(Characters, RoundTripAndWhatIsMissing) {
  auto made = characterTokenizer("hello wörld");
  ASSERT_TRUE(made);
  EXPECT_EQ((*made)->size(), 9);
  auto ids = (*made)->encode("löw");
  ASSERT_TRUE(ids);
  EXPECT_EQ(decodeText(**made, *ids), "löw");
  auto missing = (*made)->encode("hex");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "the character `x` (U+0078) at byte 2 is not in the vocabulary of 9 characters; leave "
            "it out, or train with --tokenizer bpe:N or byte, which take any text");
  EXPECT_EQ((*made)->encode("he\t").error().message,
            "the character U+0009 at byte 2 is not in the vocabulary of 9 characters; leave "
            "it out, or train with --tokenizer bpe:N or byte, which take any text");
  EXPECT_EQ((*reread(**made)->encode("löw")), *ids);
}

TEST(Bytes, RoundTrip) {
  auto tokenizer = byteTokenizer();
  std::string all;
  for (int i = 0; i < 256; ++i)
    all += static_cast<char>(i);
  EXPECT_EQ(decodeText(*tokenizer, *tokenizer->encode(all)), all);
  EXPECT_EQ(tokenizer->decode(256), "");
}

TEST(Bpe, LearnsTheMostFrequentPairFirst) {
  auto made = trainBpe("low low low lower lower newest newest newest newest widest", 262);
  ASSERT_TRUE(made);
  auto &bpe = static_cast<Bpe &>(**made);
  ASSERT_EQ(bpe.mergeList().size(), 5u);
  EXPECT_EQ(bpe.decode(256), "we"); // six times
  EXPECT_EQ(bpe.decode(257), "st"); // as often as es, and greater
  EXPECT_EQ(bpe.decode(258), "lo");
  EXPECT_EQ(bpe.decode(259), "west");
  EXPECT_EQ(bpe.size(), 262);
}

TEST(Bpe, RoundTripOfAnything) {
  auto made = trainBpe("the cat sat on the mat the cat", 270);
  std::string nonsense =
      "the cät\xff\n\n  <|endoftext|>mat \xf0\x9f\x98\x80" + std::string(5000, 'a');
  auto ids = (*made)->encode(nonsense);
  ASSERT_TRUE(ids);
  EXPECT_EQ(decodeText(**made, *ids), nonsense);
  EXPECT_NE(std::find(ids->begin(), ids->end(), (*made)->size() - 1),
            ids->end()); // the end-of-text mark
  EXPECT_EQ(*reread(**made)->encode(nonsense), *ids);
}

TEST(Bpe, RefusesBrokenFiles) {
  TemporaryFolder folder;
  for (const char *bad :
       {"", "{}", R"({"weft_tokenizer": 1, "kind": "bpe", "merges": [[0, 256]]})",
        R"({"weft_tokenizer": 1, "kind": "bpe", "merges": [[0, -1]]})",
        R"({"weft_tokenizer": 1, "kind": "bpe"})", R"({"weft_tokenizer": 1, "kind": "words"})",
        R"({"weft_tokenizer": 1, "kind": "characters", "characters": ""})"}) {
    writeAll(folder / "t.json", bad);
    EXPECT_FALSE(readTokenizer(folder / "t.json")) << bad;
  }
  std::string doubling = R"({"weft_tokenizer": 1, "kind": "bpe", "merges": [[0, 0])";
  for (int id = 256; id < 300; ++id)
    doubling += ", [" + std::to_string(id) + ", " + std::to_string(id) + "]";
  writeAll(folder / "t.json", doubling + "]}");
  EXPECT_NE(readTokenizer(folder / "t.json").error().message.find("merge 27: so far the tokens"),
            std::string::npos);
  writeAll(folder / "merges", "#version: 0.2\nh e\nhe llo\n");
  auto merges = bpeFromMerges(folder / "merges");
  ASSERT_FALSE(merges);
  EXPECT_NE(merges.error().message.find(":3: is not a merge of two tokens"), std::string::npos);
}

namespace {
class TokenizerRecord : public weft::test::AgainstRecord<> {
protected:
  TokenizerRecord() : AgainstRecord("tokenizers") {}
  std::string file(const char *name) const { return record / name; }
};
} // namespace

TEST_F(TokenizerRecord, Gpt2GoldenEncodings) {
  auto tokenizer = bpeFromMerges(file("gpt2.vocab.bpe"));
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  EXPECT_EQ((*tokenizer)->size(), 50257);
  auto golden = nlohmann::json::parse(readAll(file("gpt2.golden.json")));
  int cases = 0;
  for (const auto &item : golden.is_array() ? golden : golden["cases"]) {
    std::string text = item["text"];
    EXPECT_EQ(*(*tokenizer)->encode(text, Marks::Plain), item["ids"].get<std::vector<int32_t>>())
        << text;
    ++cases;
  }
  EXPECT_GT(cases, 100);
  std::printf("%d cases\n", cases);
}

TEST_F(TokenizerRecord, Gpt2VocabularyHasTheSameIds) {
  auto tokenizer = bpeFromMerges(file("gpt2.vocab.bpe"));
  ASSERT_TRUE(tokenizer);
  std::vector<std::string> spelled(256);
  auto vocabulary = nlohmann::json::parse(readAll(file("gpt2.encoder.json")));
  std::map<uint32_t, char> bytes;
  for (int32_t id = 0; id < 256; ++id)
    bytes[id < 188 ? bytesById()[id] : 0x100 + id - 188] = static_cast<char>(bytesById()[id]);
  for (const auto &[word, id] : vocabulary.items()) {
    std::string expected;
    for (size_t i = 0; i < word.size();) {
      CodePoint point = nextCodePoint(std::string_view(word).substr(i));
      expected += bytes.at(point.value);
      i += point.length;
    }
    ASSERT_EQ((*tokenizer)->decode(id), expected) << word;
  }
}

TEST_F(TokenizerRecord, TrainingGivesTheReferenceMerges) {
  std::string corpus = readAll(file("corpus.en"));
  auto made = trainBpe(corpus, 500);
  ASSERT_TRUE(made);
  auto &bpe = static_cast<Bpe &>(**made);
  TemporaryFolder temporary; // the reference spells bytes as GPT-2 does
  auto reference = bpeFromMerges(file("train-bpe-reference-merges.txt"));
  ASSERT_TRUE(reference) << reference.error().message;
  EXPECT_EQ(bpe.mergeList(), static_cast<Bpe &>(**reference).mergeList());
  std::printf("%zu merges\n", bpe.mergeList().size());
}
