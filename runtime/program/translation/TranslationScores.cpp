// A split, translated and scored.
#include "runtime/program/translation/Translation.h"

#include "runtime/base/files/NewFile.h"
#include "runtime/data/pairs/PairSource.h"
#include "runtime/program/SearchOptions.h"
#include "runtime/program/translation/Translator.h"
#include "runtime/text/words/Bleu.h"

#include <algorithm>
#include <chrono>

using namespace weft::runtime;

namespace {
/// Every source of a split is translated once; all targets that the split has for it are its
/// references. Texts are cleaned as for training, whole, with no word replaced.
struct Scores {
  CorpusBleu bleu;
  double meanSentenceBleu = 0;      // k = 2, the best of the references
  int64_t sentences = 0, exact = 0; // sources; translations that are a reference
  double seconds = 0;               // of translating
  std::string text() const;
  Json json() const;
};

struct Question {
  SourceSentence source;
  std::string text;
  std::vector<std::string> references;
};
} // namespace

/// Each source once, in the order of the file.
static std::vector<Question> questionsOf(const PairSource &pairs, Split split) {
  std::vector<Question> questions;
  std::unordered_map<std::string, size_t> known;
  for (const PairSource::Row &row : pairs.of(split)) {
    auto [found, isNew] = known.try_emplace(row.sourceText, questions.size());
    if (isNew)
      questions.push_back(
          {{row.source, text("line %lld of the pairs", wide(row.line))}, row.sourceText, {}});
    questions[found->second].references.push_back(row.targetText);
  }
  return questions;
}

static Status writeTranslations(const std::string &path, const std::vector<Question> &questions,
                                const std::vector<Translated> &all) {
  std::string lines;
  for (size_t i = 0; i < all.size(); ++i) {
    lines += questions[i].text + "\t" + all[i].hypothesis;
    for (const std::string &reference : all[i].references)
      lines += "\t" + reference;
    lines += "\n";
  }
  return writeFile(path, lines);
}

static Result<Scores> score(Model &model, const PairSource &pairs, Split split,
                            const Options &options) {
  Result<const Decoding *> decoding = chooseDecoding(model.facts, options);
  if (!decoding)
    return decoding.error();
  Result<SearchSettings> settings = readSearch(options, **decoding);
  constexpr int64_t usual = 64;
  Result<int64_t> batch = options.integer("batch", usual, 1, INT32_MAX);
  if (!settings || !batch)
    return !settings ? settings.error() : batch.error();
  settings->end = pairs.target().endOfText();
  settings->ids = pairs.target().size();
  Result<Translator> translator =
      Translator::create(model, **decoding, {*pairs.target().startOfText()}, *settings);
  if (!translator)
    return translator.error();
  std::vector<Question> questions = questionsOf(pairs, split);
  std::vector<SourceSentence> sources;
  for (const Question &question : questions)
    sources.push_back(question.source);
  auto start = std::chrono::steady_clock::now();
  Result<std::vector<Hypothesis>> found =
      translator->translate(sources, *batch, pairs.source().padding());
  if (!found)
    return found.error();
  Scores scores;
  scores.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::vector<Translated> all;
  for (size_t i = 0; i < questions.size(); ++i) {
    const std::vector<std::string> &references = questions[i].references;
    all.push_back({decodeText(pairs.target(), (*found)[i].ids), references});
    double best = 0;
    for (const std::string &reference : references)
      best = std::max(best, sentenceBleu(all[i].hypothesis, reference, 2));
    scores.meanSentenceBleu += best / static_cast<double>(questions.size());
    scores.exact +=
        std::find(references.begin(), references.end(), all[i].hypothesis) != references.end();
  }
  scores.sentences = static_cast<int64_t>(questions.size());
  scores.bleu = corpusBleu(all);
  if (options.has("translations"))
    if (Status status = writeTranslations(options.string("translations"), questions, all); !status)
      return status.error();
  return scores;
}

std::string Scores::text() const {
  return weft::runtime::text(
      "%s\n%lld of %lld translations exact, mean sentence BLEU (k = 2) %.4f, "
      "%.1f sentences a second",
      bleu.text().c_str(), wide(exact), wide(sentences), meanSentenceBleu,
      static_cast<double>(sentences) / std::max(seconds, 1e-9));
}

Json Scores::json() const {
  return jsonObject({{"bleu", bleu.score},
                     {"exact", exact},
                     {"sentences", sentences},
                     {"sentence_bleu", meanSentenceBleu}});
}

Result<ScoreReport> weft::runtime::scorePairs(Model &model, const DataSource &data, Split split,
                                              const Options &options) {
  Result<Scores> scores = score(model, *data.pairs(), split, options);
  if (!scores)
    return scores.error();
  return ScoreReport{scores->text(), scores->json()};
}
