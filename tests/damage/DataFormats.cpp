// What models are trained on and run on: texts, recorded tensors, pairs, lists of words.
#include "tests/damage/Formats.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include "runtime/data/OpenData.h"
#include "runtime/data/pairs/PairFile.h"
#include "runtime/program/run/Literal.h"
#include "runtime/tensors/safetensors/Writer.h"
#include "runtime/text/WordsKind.h"

using namespace weft::runtime;

/// Opens the data for the program made by hand, and fills what a step takes.
static std::string useData(const std::string &data) {
  auto model = Model::open(weft_program, {.threads = 1});
  if (!model)
    abort();
  const Training &training = (*model)->facts.trainings.at(0);
  DataRequest request;
  request.data = data;
  auto opened = openData(**model, training, request);
  if (!opened)
    return opened.error().message;
  DataSource &source = **opened;
  EntryRun run(**model, training.gradient);
  int64_t rows = source.fixedBatch() > 0 ? source.fixedBatch() : 2;
  for (Status status : {source.setSizes(run, rows), run.allocate()})
    if (!status)
      return data + ": " + status.error().message;
  for (int64_t step : {int64_t(1), std::max<int64_t>(1, source.mostSteps())})
    if (Status status = source.fillTraining(run, {step, rows, 0, rows}); !status)
      return status.error().message;
  return source.description().empty() ? "nothing in it" : "";
}

static std::string usePairs(const std::string &folder) {
  const std::string path = folder + "/pairs.tsv";
  auto file = readPairs(path, {true, true}, 0);
  if (!file)
    return file.error().message;
  std::vector<const std::vector<std::string> *> sentences;
  for (const Pair &pair : file->pairs)
    sentences.insert(sentences.end(), {&pair.source, &pair.target});
  WordMarks marks{"<bos>", "<eos>", "<pad>", "<unk>"};
  auto words = Words::create({vocabularyOf(sentences, 1, 0, marks), marks, {true, true}});
  return words ? "" : path + ": " + words.error().message;
}

static std::string useWords(const std::string &folder) {
  auto words = wordsFromFile(folder + "/words.txt");
  if (!words)
    return words.error().message;
  auto ids = (*words)->encode("a house, is\xc2\xa0here.");
  return ids ? "" : folder + ids.error().message;
}

std::vector<Format> dataFormats() {
  std::string text, pairs;
  for (int i = 0; i < 60; ++i) {
    text += i % 7 ? "thread " : "of the loom\n";
    pairs += i % 3 ? "The cat sings.\tLe chat chante.\n" : "A house, here!\tUne maison, là !\n";
  }
  TemporaryFolder folder;
  std::vector<int32_t> ids(3 * 2 * 8, 5);
  if (!writeSafetensors(folder / "x", {{"tokens", Element::Int, {3, 2, 8}, ids.data()},
                                       {"in.next", Element::Int, {3, 2, 8}, ids.data()}}))
    abort();
  return {
      {"text",
       "",
       {{"text", text}},
       [](const std::string &in) { return useData("text:" + in + "/text"); }},
      {"recorded-tensors",
       "",
       {{"record", readAll(folder / "x")}},
       [](const std::string &in) { return useData("tensors:" + in + "/record"); }},
      {"pairs", "", {{"pairs.tsv", pairs}}, usePairs},
      {"words", "", {{"words.txt", "<unk>\n<eos>\na\nhouse\nis\nhere\n"}}, useWords},
  };
}
