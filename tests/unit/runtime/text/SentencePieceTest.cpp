// SentencePiece vocabularies of every file format, against the encodings that others recorded.
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/sentencepiece/CharacterMap.h"
#include "runtime/text/sentencepiece/Vocabulary.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace weft::runtime;

using Ids = std::vector<int32_t>;

/// A small vocabulary: <unk>, <s>, </s>, then the pieces given with scores 0, -1, -2, …
static SentencePieceVocabulary vocabularyOf(std::vector<std::string> pieces) {
  SentencePieceVocabulary vocabulary;
  vocabulary.pieces = {{"<unk>", 0, PieceKind::Unknown},
                       {"<s>", 0, PieceKind::Control},
                       {"</s>", 0, PieceKind::Control}};
  vocabulary.start = 1;
  vocabulary.end = 2;
  for (const std::string &piece : pieces)
    vocabulary.pieces.push_back({piece, -static_cast<double>(vocabulary.pieces.size() - 3)});
  return vocabulary;
}

static TokenizerPtr made(SentencePieceVocabulary vocabulary) {
  auto tokenizer = sentencePieceTokenizer(std::move(vocabulary));
  EXPECT_TRUE(tokenizer) << tokenizer.error().message;
  return std::move(*tokenizer);
}

static std::string errorOf(SentencePieceVocabulary vocabulary) {
  auto tokenizer = sentencePieceTokenizer(std::move(vocabulary));
  return tokenizer ? "" : tokenizer.error().message;
}

static TokenizerPtr reread(const Tokenizer &tokenizer) {
  TemporaryFolder folder;
  writeAll(folder / "t.json", jsonText(tokenizer.json()));
  auto read = readTokenizer(folder / "t.json");
  EXPECT_TRUE(read) << read.error().message;
  EXPECT_EQ(jsonText((*read)->json()), jsonText(tokenizer.json()));
  return std::move(*read);
}

TEST(SentencePiece, TakesTheMostProbablePieces) {
  auto tokenizer = made(vocabularyOf({"▁ab", "▁a", "b", "bc", "c", "▁"}));
  // ▁ab + c is 0 - 4, ▁a + bc is -1 - 3, and the first found of equals stays
  EXPECT_EQ(*tokenizer->encode("abc"), (Ids{4, 6}));
  EXPECT_EQ(*tokenizer->encode("  ab   ab "), (Ids{3, 3}));
  EXPECT_EQ(*tokenizer->encode("xyab"), (Ids{8, 0, 5})) << "several unknown ones are one";
}

/// However well others would spell its text (SentencePiece 0.2.3; before, where two of its
/// characters' pieces scored better than it did, it was taken apart).
TEST(SentencePiece, UserDefinedPiecesStayWhole) {
  auto vocabulary = vocabularyOf({"▁ab", "▁a", "b", "bc", "c", "▁", "bcbc"});
  for (Piece &piece : vocabulary.pieces)
    piece.score -= 5;
  vocabulary.pieces[6].kind = vocabulary.pieces[9].kind = PieceKind::UserDefined;
  EXPECT_EQ(*made(vocabulary)->encode("abc"), (Ids{4, 6}));
  EXPECT_EQ(*made(vocabulary)->encode("abcbcb"), (Ids{4, 9, 5})) << "the longer one";
}

/// As llama.cpp has it: out of the text as it is, the longest first, and a space in front again
/// behind each.
TEST(SentencePiece, UserDefinedPiecesAreCutOut) {
  auto vocabulary = vocabularyOf({"▁", "a", "b", "c", "ab", "bca", "▁b", "</b>", "▁▁", " b"});
  vocabulary.algorithm = SentencePieceVocabulary::Algorithm::Bpe;
  vocabulary.removeExtraSpaces = false;
  vocabulary.cutsUserDefined = true;
  for (int id : {7, 8, 10, 11, 12})
    vocabulary.pieces[id].kind = PieceKind::UserDefined;
  auto tokenizer = made(vocabulary);
  EXPECT_EQ(*tokenizer->encode("abca"), (Ids{3, 4, 8})) << "bca comes before ab";
  EXPECT_EQ(*tokenizer->encode("cabc"), (Ids{3, 6, 7, 3, 6}));
  EXPECT_EQ(*tokenizer->encode("a</b></s>b"), (Ids{3, 4, 10, 2, 9}));
  EXPECT_EQ(*tokenizer->encode("a</b>b", Marks::Plain), (Ids{3, 4, 10, 9}));
  EXPECT_EQ(*tokenizer->encode("a b"), (Ids{3, 4, 12})) << "cut before spaces are marked";
  EXPECT_EQ(*tokenizer->encode("  "), (Ids{11, 3})) << "merged to one that is user-defined";
  EXPECT_EQ(decodeText(*tokenizer, Ids{4, 11, 12}), "a▁▁ b") << "as they are spelled";
  EXPECT_EQ(decodeText(*tokenizer, Ids{12, 9}), "b b");
  EXPECT_EQ(*reread(*tokenizer)->encode("cabc"), (Ids{3, 6, 7, 3, 6}));
}

/// Also where spaces of a text stay spaces, as SentencePiece 0.2.3 has it: then none is left out.
TEST(SentencePiece, MarkedSpacesDecodeToSpaces) {
  auto vocabulary = vocabularyOf({"a", " ", "▁", "▁a", " a"});
  vocabulary.space = " ";
  for (const TokenizerPtr &tokenizer : {made(vocabulary), reread(*made(vocabulary))}) {
    EXPECT_EQ(*tokenizer->encode("a▁a"), (Ids{4, 3, 5, 3}));
    EXPECT_EQ(decodeText(*tokenizer, Ids{3, 5, 6, 7}), "a  a a");
    EXPECT_EQ(decodeText(*tokenizer, Ids{6, 3}), "aa");
    EXPECT_EQ(decodeText(*tokenizer, Ids{7, 3}), " aa");
  }
}

/// As llama.cpp has it: a space in front is left out, though a byte is all that spells it.
TEST(SentencePiece, BytesInFrontAreTextToo) {
  auto vocabulary = vocabularyOf({"▁", "a", "<0x20>", "<0x0A>"});
  vocabulary.pieces[5].kind = vocabulary.pieces[6].kind = PieceKind::Byte;
  vocabulary.removeExtraSpaces = false;
  EXPECT_EQ(decodeText(*made(vocabulary), Ids{1, 5, 4, 5}), " a ") << "SentencePiece's own";
  vocabulary.cutsUserDefined = true;
  EXPECT_EQ(decodeText(*made(vocabulary), Ids{1, 5, 4, 5}), "a ");
  EXPECT_EQ(decodeText(*made(vocabulary), Ids{6, 5, 4}), "\n a");
}

/// Known by its fields, in any order, and though no byte of it is 0: scores of 0 may be left out.
TEST(SentencePiece, ModelsAreRecognised) {
  std::string unknown = "\x0a\x09\x0a\x05<unk>\x18\x02",
              a = "\x0a\x05\x0a\x01"
                  "a\x18\x01",
              merges = "\x12\x02\x18\x02";
  TemporaryFolder folder;
  for (const std::string &model : {unknown + a + merges, merges + unknown + a}) {
    writeAll(folder / "m.model", model);
    auto read = readTokenizer(folder / "m.model");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*(*read)->encode("aa"), (Ids{0, 1, 1}));
  }
}

TEST(SentencePiece, MergesByScore) {
  auto vocabulary = vocabularyOf({"ab", "bc", "▁ab", "a", "b", "c", "▁", "abc"});
  vocabulary.algorithm = SentencePieceVocabulary::Algorithm::Bpe;
  auto tokenizer = made(vocabulary);
  EXPECT_EQ(*tokenizer->encode("abc"), (Ids{5, 8}));
  EXPECT_EQ(*tokenizer->encode("bc abc"), (Ids{9, 4, 5, 8}));
  vocabulary.pieces[5].kind = PieceKind::Unused; // ▁ab is taken apart again
  EXPECT_EQ(*made(vocabulary)->encode("abc"), (Ids{9, 3, 8}));
  vocabulary.pieces[4].kind = PieceKind::UserDefined;
  EXPECT_EQ(*made(vocabulary)->encode("abc"), (Ids{9, 6, 4})) << "bc stays whole and alone";
}

TEST(SentencePiece, MarksAndPlaces) {
  auto tokenizer = made(vocabularyOf({"▁a", "▁b", "a", "b", "▁", "<", "s", ">", "/"}));
  EXPECT_EQ(*tokenizer->encode("a b</s>b"), (Ids{3, 4, 2, 4}));
  EXPECT_EQ(*tokenizer->encode("a<s>", Marks::Plain), (Ids{3, 8, 9, 10}));
  EXPECT_EQ(decodeText(*tokenizer, Ids{1, 3, 4, 2}), "a b");
  EXPECT_EQ(decodeText(*tokenizer, Ids{7, 3, 7, 1, 3}), "a a");
  EXPECT_EQ(decodeText(*tokenizer, Ids{3, 0, 99, -1}), "a ⁇ ");
  EXPECT_EQ(*encodeFromStart(*tokenizer, "a"), (Ids{1, 3}));
  EXPECT_EQ(*encodeFromStart(*tokenizer, "<s>a"), (Ids{1, 3}));
  EXPECT_EQ(*reread(*tokenizer)->encode("a b</s>b"), (Ids{3, 4, 2, 4}));
}

TEST(SentencePiece, SaysWhatIsWrong) {
  EXPECT_EQ(errorOf(vocabularyOf({"a", "b", "a"})), "piece 5: `a` is piece 3, too");
  EXPECT_EQ(errorOf(vocabularyOf({"a", ""})), "piece 4: is empty");
  auto vocabulary = vocabularyOf({"a"});
  vocabulary.pieces[3].score = INFINITY;
  EXPECT_EQ(errorOf(vocabulary), "piece 3: `a` has no finite score");
  vocabulary = vocabularyOf({"<0x0g>"});
  vocabulary.pieces[3].kind = PieceKind::Byte;
  EXPECT_EQ(errorOf(vocabulary), "piece 3: `<0x0g>` is no byte: they are spelled <0x00> to <0xFF>");
  vocabulary = vocabularyOf({"<0x0A>"});
  vocabulary.pieces[3].kind = PieceKind::Byte;
  vocabulary.byteFallback = true;
  EXPECT_EQ(errorOf(vocabulary),
            "it spells unknown characters by bytes, but has pieces for 1 of the 256");
  vocabulary = vocabularyOf({});
  vocabulary.pieces[1].kind = PieceKind::Unknown;
  EXPECT_EQ(errorOf(vocabulary), "2 of its 3 pieces stand for what is unknown, expected one");
  vocabulary = vocabularyOf({"a"});
  vocabulary.end = 4;
  EXPECT_EQ(errorOf(vocabulary), "the mark 4 is none of its 4 pieces");
  vocabulary = vocabularyOf({"a"});
  vocabulary.characterMap = "\x08";
  EXPECT_EQ(errorOf(vocabulary), "the precompiled character map is broken off");
}

namespace {
/// What a file of these bytes is refused with.
std::string refusal(const std::string &bytes) {
  TemporaryFolder folder;
  writeAll(folder / "t.model", bytes);
  auto read = readTokenizer(folder / "t.model");
  return read ? "" : read.error().message.substr((folder / "t.model").size());
}

class TokenizerFilesRecord : public weft::test::AgainstRecord<> {
protected:
  TokenizerFilesRecord() : AgainstRecord("") {}
  TokenizerPtr read(const char *name) const {
    auto tokenizer = readTokenizer(record / name);
    EXPECT_TRUE(tokenizer) << tokenizer.error().message;
    return tokenizer ? std::move(*tokenizer) : nullptr;
  }
  nlohmann::json json(const char *name) const {
    return nlohmann::json::parse(readAll(record / name));
  }
  std::string bytes(const char *name) const { return readAll(record / name); }
};
} // namespace

TEST_F(TokenizerFilesRecord, UnigramModelGoldenEncodings) {
  auto tokenizer = read("tokenizers/spm_test_model.model");
  ASSERT_TRUE(tokenizer);
  auto golden = json("tokenizers/spm_test_model.golden.json");
  EXPECT_EQ(tokenizer->size(), golden["vocab_size"]);
  auto again = reread(*tokenizer);
  int cases = 0;
  for (const auto &item : golden["cases"]) {
    std::string text = item["text"];
    EXPECT_EQ(*tokenizer->encode(text, Marks::Plain), item["ids"].get<Ids>()) << text;
    EXPECT_EQ(*again->encode(text, Marks::Plain), item["ids"].get<Ids>()) << text;
    ++cases;
  }
  EXPECT_EQ(cases, 305);
  std::printf("%d cases\n", cases);
}

TEST_F(TokenizerFilesRecord, GgufVocabularyGoldenEncodings) {
  auto tokenizer = read("tokenizers/ggml-vocab-llama-spm.gguf");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(tokenizer->startOfText(), 1);
  EXPECT_EQ(tokenizer->endOfText(), 2);
  std::string inputs = bytes("tokenizers/ggml-vocab-llama-spm.gguf.inp");
  std::istringstream outputs(bytes("tokenizers/ggml-vocab-llama-spm.gguf.out"));
  const std::string between = "\n__ggml_vocab_test__\n";
  int cases = 0;
  std::string line;
  for (size_t begin = 0; begin < inputs.size() && std::getline(outputs, line); ++cases) {
    size_t end = std::min(inputs.find(between, begin), inputs.size());
    std::string text = inputs.substr(begin, end - begin);
    std::istringstream numbers(line);
    Ids expected{std::istream_iterator<int32_t>(numbers), {}};
    Ids ids = *tokenizer->encode(text, Marks::Plain);
    EXPECT_EQ(ids, expected) << text;
    EXPECT_EQ(decodeText(*tokenizer, ids), text);
    begin = end + between.size();
  }
  EXPECT_EQ(cases, 46);
  std::printf("%d cases\n", cases);
}

TEST_F(TokenizerFilesRecord, GgufSaysWhetherTextsBeginWithTheirMark) {
  std::string gguf = bytes("tokenizers/ggml-vocab-llama-spm.gguf");
  const std::string key = "tokenizer.ggml.add_bos_token";
  size_t value = gguf.find(key) + key.size() + 4; // behind the type
  ASSERT_EQ(gguf.at(value), 1);
  gguf[value] = 0;
  TemporaryFolder folder;
  writeAll(folder / "t.gguf", gguf);
  auto tokenizer = readTokenizer(folder / "t.gguf");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ((*tokenizer)->startOfText(), std::nullopt);
  EXPECT_EQ((*tokenizer)->endOfText(), 2);
}

TEST_F(TokenizerFilesRecord, Llama2cGoldenEncodings) {
  auto tokenizer = read("stories/tokenizer.bin");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(tokenizer->size(), 32000);
  auto again = reread(*tokenizer);
  int cases = 0;
  auto golden = json("stories/ref/tokenizer_tests.json");
  for (const auto &item : golden["cases"]) {
    std::string text = item["text"];
    EXPECT_EQ(*encodeFromStart(*tokenizer, text), item["ids"].get<Ids>()) << text;
    EXPECT_EQ(*encodeFromStart(*again, text), item["ids"].get<Ids>()) << text;
    EXPECT_EQ(decodeText(*tokenizer, item["ids"].get<Ids>()), text);
    ++cases;
  }
  for (const char *model : {"stories15M", "stories260K"}) {
    auto small = read(model[7] == '1' ? "stories/tokenizer.bin" : "stories/tok512.bin");
    auto reference = json((std::string("stories/ref/") + model + ".tokens.json").c_str());
    for (const auto &[name, prompt] : reference["prompts"].items()) {
      EXPECT_EQ(*encodeFromStart(*small, prompt.get<std::string>()),
                reference["prompt_ids"][name].get<Ids>())
          << prompt;
      ++cases;
    }
    std::string told =
        bytes((std::string("stories/ref/") + model + ".t0.n256.noprompt.txt").c_str());
    std::string text = decodeText(*small, reference["greedy_ids_noprompt"].get<Ids>());
    EXPECT_TRUE(told.starts_with(text)) << text;
    ++cases;
  }
  std::string records = bytes("stories/tok512.bin");
  TemporaryFolder folder;
  writeAll(folder / "266.bin", std::string("\x0a\x01\0\0", 4) + records.substr(4));
  auto longest = readTokenizer(folder / "266.bin"); // whose first byte is that of a model
  EXPECT_TRUE(longest) << longest.error().message;
  EXPECT_EQ(cases, 11);
  std::printf("%d cases\n", cases);
}

TEST_F(TokenizerFilesRecord, BrokenFilesAreRefused) {
  std::string model = bytes("tokenizers/spm_test_model.model"),
              gguf = bytes("tokenizers/ggml-vocab-llama-spm.gguf"),
              records = bytes("stories/tok512.bin");
  for (const std::string *whole : {&model, &gguf, &records})
    for (size_t length : {whole->size() - 1, whole->size() / 2, size_t(100)})
      EXPECT_NE(refusal(whole->substr(0, length)), "") << length;
  EXPECT_EQ(
      refusal(gguf.substr(0, gguf.size() / 2)),
      ": is not a whole tokenizer: the value of `tokenizer.ggml.tokens` at byte 629 is not whole");
  EXPECT_EQ(refusal(records.substr(0, records.size() - 1)),
            ": is not a whole tokenizer: token 511 is broken off");
  EXPECT_EQ(refusal("Once upon a time"), ":1: is not a merge of two tokens that exist before it");
  EXPECT_EQ(refusal("Once"), ": is not a whole tokenizer: it is of no known format");
}
