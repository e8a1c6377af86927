// Any bytes as a file of pairs: refused by name, or every pair becomes ids that say its words
// again.
#include "runtime/data/pairs/PairFile.h"
#include "runtime/text/words/Bleu.h"
#include "tests/fuzz/Require.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include <fstream>

using namespace weft::runtime;
using Sentence = std::vector<std::string>;

static std::string joined(const Sentence &words) {
  std::string all;
  for (const std::string &word : words)
    all += (all.empty() ? "" : " ") + word;
  return all;
}

/// Ids lie inside the vocabulary; a sentence whose words are all in it reads as it was.
static void checkSide(const std::vector<const Sentence *> &sentences, WordRules rules,
                      int64_t least) {
  WordMarks marks{"<bos>", "<eos>", "<pad>", "<unk>"};
  auto made = Words::create({vocabularyOf(sentences, least, 0, marks), marks, rules});
  require(static_cast<bool>(made));
  const Words *words = asWords(made->get());
  for (const Sentence *sentence : sentences) {
    std::vector<int32_t> ids = words->sentence(*sentence);
    require(ids.size() == sentence->size() + 1 && ids.back() == words->endOfText());
    bool known = true;
    for (size_t i = 0; i < ids.size(); ++i) {
      require(ids[i] >= 0 && ids[i] < words->size());
      known &= ids[i] != words->unknown();
    }
    if (known)
      require(decodeText(*words, ids) == joined(*sentence));
  }
}

static void checkScores(const Pair &pair) {
  std::string source = joined(pair.source), target = joined(pair.target);
  double score = sentenceBleu(source, target, 2);
  require(score >= 0 && score <= 1 + 1e-12);
  CorpusBleu bleu = corpusBleu({{source, {target}}, {target, {target}}});
  require(bleu.score >= 0 && bleu.score <= 100 + 1e-9 && !bleu.text().empty());
}

/// The first byte says how words are made, how many pairs are read, how often a word must occur.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1)
    return 0;
  static const TemporaryFolder folder;
  std::string path = folder / "pairs.txt";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(data + 1), static_cast<std::streamsize>(size - 1));
  WordRules rules{(data[0] & 1) != 0, (data[0] & 2) != 0};
  int64_t most = data[0] >> 2 & 7, least = 1 + (data[0] >> 5 & 3);
  auto file = readPairs(path, rules, most);
  if (!file) {
    require(file.error().message.starts_with(path));
    return 0;
  }
  require(!file->pairs.empty() && (most == 0 || static_cast<int64_t>(file->pairs.size()) <= most));
  std::vector<const Sentence *> sources, targets;
  for (const Pair &pair : file->pairs) {
    sources.push_back(&pair.source);
    targets.push_back(&pair.target);
    checkScores(pair);
  }
  checkSide(sources, rules, least);
  checkSide(targets, rules, least);
  return 0;
}
