// BLEU: sacreBLEU's numbers for whole sets, those of the record for sentences.
#include "runtime/text/words/Bleu.h"
#include "tests/record/RecordedData.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

using namespace weft::runtime;

TEST(Bleu, CorporaAsSacreBleu) {
  auto golden =
      nlohmann::json::parse(std::ifstream(WEFT_SOURCE "/tests/unit/runtime/text/sacrebleu.json"));
  ASSERT_EQ(golden["cases"].size(), 9u);
  for (const auto &set : golden["cases"]) {
    std::vector<Translated> all;
    for (const auto &pair : set["pairs"])
      all.push_back({pair["hypothesis"], pair["references"]});
    CorpusBleu bleu = corpusBleu(all);
    EXPECT_NEAR(bleu.score, set["score"].get<double>(), 1e-9);
    EXPECT_EQ(bleu.text(), set["text"].get<std::string>());
  }
}

TEST(Bleu, WordsAsMteval) {
  auto expect = [](const char *text, std::vector<std::string> words) {
    EXPECT_EQ(wordsOf13a(text), words) << text;
  };
  expect("Hello, world! It's 3.14 (approx.) \u2013 a-b 5-6 &quot;x&quot; l'\u00e9t\u00e9\u2026",
         {"Hello", ",", "world", "!", "It's", "3.14", "(", "approx", ".", ")", "\u2013", "a-b", "5",
          "-", "6", "\"", "x", "\"", "l'\u00e9t\u00e9\u2026"});
  expect("$5,000.00,. ...", {"$", "5,000.00", ",", ".", ".", ".", "."});
  expect("na\u00efve\u00a0caf\u00e9, 2.5- 3 \n", {"na\u00efve", "caf\u00e9", ",", "2.5", "-", "3"});
  expect("", {});
}

TEST(BleuRecord, SentencesOfTheSeed) {
  auto path = weft::test::recordedData("seeds/003-bleu.json");
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is absent: nothing to compare with (WEFT_DATA)";
  auto cases = nlohmann::json::parse(std::ifstream(path))["cases"];
  ASSERT_EQ(cases.size(), 39u);
  for (const auto &one : cases)
    EXPECT_NEAR(sentenceBleu(one["prediction"].get<std::string>(), one["label"].get<std::string>(),
                             one["k"]),
                one["bleu"].get<double>(), 1e-15)
        << one;
  std::printf("39 scores equal the record\n");
}
