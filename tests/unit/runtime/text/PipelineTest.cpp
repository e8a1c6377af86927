// tokenizer.json and the files that say less: what they encode to, and what is refused.
#include "runtime/text/pipeline/Pipeline.h"
#include "runtime/text/OpenTokenizer.h"
#include "runtime/text/tokenizers/Pieces.h"
#include "runtime/text/unicode/Classes.h"
#include "runtime/text/unicode/Normalization.h"
#include "tests/record/RecordedData.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace weft::runtime;

using Ids = std::vector<int32_t>;

static TokenizerPtr pipeline(const std::string &document) {
  auto made = pipelineFromJson(parseJson(document));
  EXPECT_TRUE(made) << made.error().message;
  return std::move(*made);
}

static std::string errorOf(const std::string &document) {
  auto made = pipelineFromJson(parseJson(document));
  return made ? "" : made.error().message;
}

static std::string vocabularyError(const std::string &lines) {
  auto made = pipelineFromWordPieces(lines);
  return made ? "" : made.error().message;
}

TEST(Unicode, CanonicalForms) {
  EXPECT_EQ(decomposed("\u1e9b\u0323"), "\u017f\u0323\u0307") << "marks are ordered";
  EXPECT_EQ(composed("\u1e9b\u0323"), "\u1e9b\u0323");
  EXPECT_EQ(composed("e\u0301a\u0308\u0323"), "\u00e9\u1ea1\u0308");
  EXPECT_EQ(composed("\u1100\u1161\u11a8\u11a8"), "\uac01\u11a8") << "Hangul is computed";
  EXPECT_EQ(decomposed("\uac01"), "\u1100\u1161\u11a8");
  EXPECT_EQ(composed("\u212b\u2126"), "\u00c5\u03a9") << "singletons stay apart";
  EXPECT_EQ(composed("\u0958"), "\u0915\u093c") << "and so does what is excluded";
  EXPECT_EQ(decomposed("a\xff"), "a\ufffd");
  EXPECT_TRUE(isPunctuation(U'«') && !isPunctuation(U'€') && isNonspacingMark(0x301) &&
              isOther(0xad));
}

TEST(Pieces, AsGpt4sPattern) {
  auto pieces = [](std::string_view text) {
    std::vector<std::string> out;
    for (; !text.empty(); text.remove_prefix(out.back().size()))
      out.emplace_back(text.substr(0, firstPieceOfGpt4(text)));
    return out;
  };
  using P = std::vector<std::string>;
  EXPECT_EQ(pieces("Hello, I'LL  go"), (P{"Hello", ",", " I", "'LL", " ", " go"}));
  EXPECT_EQ(pieces("1234567 (x)"), (P{"123", "456", "7", " (", "x", ")"}));
  EXPECT_EQ(pieces("a!!\n\n  b\n \n c  "), (P{"a", "!!\n\n", " ", " b", "\n \n", " c", "  "}));
}

TEST(Pieces, OfQwen2HaveOneDigit) {
  EXPECT_EQ(firstPieceOfQwen2("123"), 1u);
  EXPECT_EQ(firstPieceOfQwen2("\u0663\u0664"), 2u) << "of any script";
  for (std::string_view text : {"'LL go", " x1", "!!\n\n1", "\n \n c", "  "})
    EXPECT_EQ(firstPieceOfQwen2(text), firstPieceOfGpt4(text)) << text;
}

TEST(WordPiece, FromAVocabularyOfLines) {
  auto made = pipelineFromWordPieces(
      "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nun\n##aff\n##able\n,\n##e\ncafe\n中\n");
  ASSERT_TRUE(made) << made.error().message;
  const Tokenizer &bert = **made;
  EXPECT_EQ(*bert.encode("UNaffable, Café中 affable"), (Ids{5, 6, 7, 8, 10, 11, 1}));
  EXPECT_EQ(*bert.encode("un[MASK]e[SEP]"), (Ids{5, 4, 1, 3}));
  EXPECT_EQ(*bert.encode("[MASK]", Marks::Plain), (Ids{1, 1, 1}));
  EXPECT_EQ(bert.startOfText(), 2);
  EXPECT_EQ(bert.endOfText(), 3);
  EXPECT_EQ(decodeText(bert, Ids{2, 5, 6, 7, 8, 10, 3}), "unaffable, cafe");
  EXPECT_EQ(jsonText((*pipelineFromJson(bert.json()))->json()), jsonText(bert.json()));
  auto carried = tokenizerFromText(jsonText(bert.json())); // as a program carries it
  ASSERT_TRUE(carried) << carried.error().message;
  EXPECT_EQ(*(*carried)->encode("un[MASK]e[SEP]"), (Ids{5, 4, 1, 3}));
  auto cased = pipelineFromWordPieces("[UNK]\nCafe\ncafe\nCafé\n");
  EXPECT_EQ(*(*cased)->encode("Cafe Café cafe CAFE"), (Ids{1, 3, 2, 0})) << "capitals are kept";
  EXPECT_EQ(*(*cased)->encode(std::string(101, 'x')), (Ids{0}));
}

TEST(WordPiece, VocabulariesThatAreNone) {
  EXPECT_EQ(vocabularyError("[UNK]\na\n\nb\n"), "line 3 is empty, and every line is a token");
  EXPECT_EQ(vocabularyError("[UNK]\na\nb\na\n"), "line 4: `a` is line 2, too");
  EXPECT_EQ(vocabularyError("[UNK]\n\xff\n"), "line 2 is not UTF-8");
  EXPECT_EQ(vocabularyError("a\nb\n"),
            "model: `[UNK]`, which stands for unknown words, is not in the vocabulary");
}

TEST(Pipeline, BytesByCharactersAndMarks) {
  auto made = pipeline(
      R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "Ġ": 2, "ab": 3, "Ġab": 4, "Ã": 5},
    "merges": ["a b", ["Ġ", "ab"]]}, "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false},
    "decoder": {"type": "ByteLevel"},
    "added_tokens": [{"id": 7, "content": "</s>", "special": true},
                     {"id": 6, "content": "<m>", "special": false, "lstrip": true, "rstrip": true}]})");
  EXPECT_EQ(*made->encode("ab ab b\xc3"), (Ids{3, 4, 2, 1, 5}));
  EXPECT_EQ(*made->encode("ab <m> ab</s>"), (Ids{3, 6, 3, 7}));
  EXPECT_EQ(made->size(), 8);
  EXPECT_EQ(made->endOfText(), 7);
  EXPECT_EQ(decodeText(*made, Ids{3, 6, 4, 7, 5}), "ab<m> ab\xc3");
}

TEST(Pipeline, RefusesByNameAndPlace) {
  const std::string model = R"("model": {"type": "WordPiece", "vocab": {"[UNK]": 0}})";
  EXPECT_EQ(errorOf("{" + model + "}"), "");
  EXPECT_EQ(
      errorOf(
          "{" + model +
          R"(, "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "Nmt"}]}})"),
      "normalizer.normalizers[1]: `Nmt` is not among the types that Weft reads");
  EXPECT_EQ(errorOf("{" + model + R"(, "pre_tokenizer": {"type": "CharDelimiterSplit"}})"),
            "pre_tokenizer: `CharDelimiterSplit` is not among the types that Weft reads");
  EXPECT_EQ(
      errorOf(
          "{" + model +
          R"(, "pre_tokenizer": {"type": "Split", "pattern": {"Regex": "x+"}, "behavior": "Isolated"}})"),
      "pre_tokenizer: splits at a pattern that Weft does not know: it knows GPT-2's, Qwen "
      "2's, and that of GPT-4 and Llama 3");
  EXPECT_EQ(errorOf("{" + model + R"(, "decoder": {"type": "CTC"}})"),
            "decoder: `CTC` is not among the types that Weft reads");
  EXPECT_EQ(errorOf("{" + model + R"(, "added_tokens": [{"id": 0, "content": "x"}]})"),
            "tokenizer.added_tokens[0]: id 0 is `[UNK]` in the model, `x` here");
  EXPECT_EQ(errorOf(R"({"model": {"type": "WordLevel"}})"),
            "model: `WordLevel` is not among the types that Weft reads");
  EXPECT_EQ(errorOf(R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 0}, "merges": []}})"),
            "model: vocab: `a` and `b` both have id 0");
  EXPECT_EQ(errorOf(R"({"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}})"),
            "model: vocab: `a` has no id from 0 to 4194303");
  EXPECT_EQ(errorOf(R"({"model": {"type": "BPE", "vocab": {"a": 0, "b": 1}, "merges": ["a b"]}})"),
            "model: merges[0]: `ab` is not in the vocabulary");
  EXPECT_EQ(errorOf(R"({"model": {"type": "Unigram", "unk_id": 1, "vocab": [["a", 0.5]]}})"),
            "model: `unk_id` is none of its tokens");
}

/// Marks around one text are what the post-processor says; what only has a usual name is not put.
TEST(Pipeline, PostProcessorsFrameWholeTexts) {
  auto ids = [](const std::string &postProcessor, std::string_view text) {
    auto made =
        pipeline(R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1, "<s>": 2,
      "</s>": 3}}, "added_tokens": [{"id": 2, "content": "<s>", "special": true},
      {"id": 3, "content": "</s>", "special": true}],
      "pre_tokenizer": {"type": "WhitespaceSplit"})" +
                 (postProcessor.empty() ? "" : ", \"post_processor\": " + postProcessor) + "}");
    EXPECT_EQ(made->endOfText(), 3); // by its name, if nothing else
    return *encodeWhole(*made, text);
  };
  const std::string pairs = R"(, "sep": ["</s>", 3], "cls": ["<s>", 2]})";
  const std::string marks =
      R"("special_tokens": {"<s>": {"id": "<s>", "ids": [2], "tokens": ["<s>"]},
      "</s>": {"id": "</s>", "ids": [3], "tokens": ["</s>"]}}})";
  auto templated = [&](const std::string &single) {
    return R"({"type": "TemplateProcessing", "single": [)" + single + "], " + marks;
  };
  const std::string start = R"({"SpecialToken": {"id": "<s>", "type_id": 0}})",
                    body = R"({"Sequence": {"id": "A", "type_id": 0}})",
                    end = R"({"SpecialToken": {"id": "</s>", "type_id": 0}})";
  EXPECT_EQ(ids("", "a a"), (Ids{1, 1}));
  EXPECT_EQ(ids(R"({"type": "ByteLevel"})", "a"), (Ids{1}));
  EXPECT_EQ(ids(R"({"type": "BertProcessing")" + pairs, "a a"), (Ids{2, 1, 1, 3}));
  EXPECT_EQ(ids(R"({"type": "RobertaProcessing")" + pairs, "a"), (Ids{2, 1, 3}));
  EXPECT_EQ(ids(templated(start + "," + body + "," + end), "a"), (Ids{2, 1, 3}));
  EXPECT_EQ(ids(templated(start + "," + body), "a"), (Ids{2, 1}));
  EXPECT_EQ(ids(templated(body + "," + end), "a"), (Ids{1, 3}));
  EXPECT_EQ(ids(R"({"type": "Sequence", "processors": [{"type": "ByteLevel"},)" +
                    templated(start + "," + body + "," + end) + "]}",
                "a"),
            (Ids{2, 1, 3}));
  const std::string bert = R"({"type": "BertProcessing")" + pairs;
  EXPECT_EQ(ids(bert, ""), (Ids{2, 3}));
  EXPECT_EQ(ids(bert, "<s> a </s>"), (Ids{2, 1, 3})) << "what the text spells is not doubled";
}

/// One stage inside the other, so often.
static std::string nestedStages(const char *stage, const char *list, size_t depth,
                                const std::string &innermost) {
  std::string open, close;
  for (size_t i = 0; i < depth; ++i) {
    open += std::string(R"({"type": "Sequence", ")") + list + "\": [";
    close += "]}";
  }
  return R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0, "a": 1}}, ")" +
         std::string(stage) + "\": " + open + innermost + close + "}";
}

/// Each stage makes the text twice as long: together they would make terabytes of a letter.
TEST(Pipeline, StagesDoNotGrowWithoutBound) {
  std::string doubling = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"})", all;
  for (int i = 0; i < 40; ++i)
    all += (i ? "," : "") + doubling;
  const std::string model = R"({"model": {"type": "WordPiece", "vocab": {"[UNK]": 0}}, )";
  EXPECT_EQ(errorOf(model + R"("normalizer": {"type": "Sequence", "normalizers": [)" + all + "]}}"),
            "normalizer: makes texts more than 1000 times as long");
  EXPECT_EQ(errorOf(model + R"("decoder": {"type": "Sequence", "decoders": [)" + all + "]}}"),
            "decoder: makes texts more than 1000 times as long");
  EXPECT_EQ(errorOf(model + R"("normalizer": )" + doubling + "}"), "");
}

TEST(Pipeline, StagesAreNestedOnlySoDeep) {
  TemporaryFolder folder;
  auto read = [&](const std::string &document) {
    writeAll(folder / "tokenizer.json", document);
    auto made = readTokenizer(folder / "tokenizer.json");
    return made ? Ids(*(*made)->encode("A")) : Ids{};
  };
  EXPECT_EQ(read(nestedStages("normalizer", "normalizers", 98, R"({"type": "Lowercase"})")),
            (Ids{1}));
  for (size_t depth : {100, 100'000})
    for (auto [stage, list] : {std::pair("normalizer", "normalizers"),
                               {"pre_tokenizer", "pretokenizers"},
                               {"decoder", "decoders"},
                               {"post_processor", "processors"},
                               {"other", "members"}}) {
      writeAll(folder / "tokenizer.json", nestedStages(stage, list, depth, "{}"));
      auto made = readTokenizer(folder / "tokenizer.json");
      ASSERT_FALSE(made) << stage;
      EXPECT_NE(made.error().message.find("is nested more than 200 deep at line 1"),
                std::string::npos)
          << made.error().message;
    }
}

namespace {
class PipelineRecord : public weft::test::AgainstRecord<> {
protected:
  PipelineRecord() : AgainstRecord("tokenizers") {}
};
} // namespace

TEST_F(PipelineRecord, Gpt2sVocabularyAndMerges) {
  auto read = readTokenizer(record / "gpt2.encoder.json"); // finds gpt2.vocab.bpe
  ASSERT_TRUE(read) << read.error().message;
  const Tokenizer &gpt2 = **read;
  EXPECT_EQ(gpt2.size(), 50257);
  EXPECT_EQ(gpt2.endOfText(), 50256);
  int cases = 0;
  auto golden = nlohmann::json::parse(readAll(record / "gpt2.golden.json"));
  for (const auto &item : golden["cases"]) {
    std::string text = item["text"];
    Ids ids = *gpt2.encode(text, Marks::Plain);
    EXPECT_EQ(ids, item["ids"].get<Ids>()) << text;
    EXPECT_EQ(decodeText(gpt2, ids), text);
    ++cases;
  }
  EXPECT_EQ(cases, 131);
  std::printf("%d cases\n", cases);
}

TEST_F(PipelineRecord, VocabularyThatBeginsWithTheMark) {
  TemporaryFolder folder; // under the names that models have
  writeAll(folder / "vocab.json", readAll(record / "train-bpe-reference-vocab.json"));
  EXPECT_FALSE(readTokenizer(folder / "vocab.json")) << "there are no merges yet";
  writeAll(folder / "merges.txt", readAll(record / "train-bpe-reference-merges.txt"));
  auto numbered = readTokenizer(folder / "vocab.json"),
       counted = readTokenizer(folder / "merges.txt");
  ASSERT_TRUE(numbered && counted);
  std::string corpus = readAll(record / "corpus.en");
  Ids ids = *(*numbered)->encode(corpus), shifted = *(*counted)->encode(corpus);
  for (int32_t &id : shifted)
    ++id;
  EXPECT_EQ(ids, shifted);
  EXPECT_EQ((*numbered)->endOfText(), 0);
  auto found = readTokenizer(folder.path()); // a folder's vocab.json
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ((*found)->endOfText(), 0);
}
