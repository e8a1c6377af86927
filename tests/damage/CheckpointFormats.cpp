// What a training leaves, and weights alone, as the program made by hand reads them.
#include "tests/damage/Formats.h"
#include "tests/unit/runtime/TemporaryFolder.h"

#include "runtime/model/Model.h"
#include "runtime/training/TrainingLog.h"
#include "runtime/training/checkpoint/Checkpoint.h"
#include "runtime/training/checkpoint/CheckpointState.h"
#include "runtime/training/checkpoint/LoadWeights.h"
#include "runtime/training/checkpoint/MadeWith.h"
#include "tools/weft/foreign/llama2c/Reader.h"
#include "tools/weft/foreign/llama2c/Writer.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace weft;
using namespace weft::runtime;

static std::unique_ptr<Model> model() {
  auto opened = Model::open(weft_program, {.threads = 1});
  if (!opened)
    abort();
  return std::move(*opened);
}

static std::string useWeights(const std::string &path) {
  auto loaded = loadWeights(model()->parameters, path, "logits");
  return loaded ? "" : loaded.error().message;
}

static std::string useResumed(const std::string &folder) {
  auto opened = model();
  auto found = findCheckpoint(folder);
  if (!found)
    return found.error().message;
  for (Status status : {fitsOptions(found->path, opened->facts, "train", Purpose::Resumption),
                        loadCheckpoint(*found, *opened)})
    if (!status)
      return status.error().message;
  auto tokenizer = keptTokenizer(found->path, nullptr, tokenizerFile);
  return tokenizer ? "" : tokenizer.error().message;
}

static std::string useState(const std::string &folder) {
  auto state = readCheckpointState(folder + "/state.json");
  if (!state)
    return state.error().message;
  return jsonText(*state).empty() ? "nothing in it" : "";
}

static std::string useOptions(const std::string &folder) {
  Status status = fitsOptions(folder, model()->facts, "train");
  return status ? "" : status.error().message;
}

static std::string useLog(const std::string &folder) {
  auto log = TrainingLog::open(folder, {"accuracy"}, 1000);
  if (!log)
    return log.error().message;
  for (const StepRecord &record : log->records())
    if (record.step > 1000)
      abort();
  Status drawn = log->draw("a title");
  return drawn ? "" : drawn.error().message;
}

static std::string useLlama2c(const std::string &folder) {
  auto file = WholeFile::read(folder + "/model.bin");
  auto read = readLlama2c(file->bytes());
  if (!read)
    return folder + ": " + read.error().message; // whose errors are without the name
  for (const StoredTensor &tensor : read->tensors)
    if (tensor.end > file->bytes().size())
      abort();
  return "";
}

/// A checkpoint as the program writes it.
static Files trained() {
  TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 300; ++i)
    text += i % 7 ? "thread " : "of the loom\n";
  writeAll(folder / "text", text);
  pid_t child = fork();
  if (child == 0) {
    std::string data = "text:" + (folder / "text"), out = folder / "out";
    execl(WEFT_BIGRAM, "bigram", "train", "--data", data.c_str(), "--out", out.c_str(), "--steps",
          "3", "--seq", "16", "--batch", "2", "--quiet", nullptr);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0)
    abort();
  Files files;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder / "out"))
    if (entry.is_regular_file())
      files[std::filesystem::relative(entry.path(), folder / "out")] = readAll(entry.path());
  return files;
}

static std::string llama2c() {
  TemporaryFolder folder;
  Llama2cHeader header{};
  header.dim = 4;
  header.hidden = 6;
  header.layers = 2;
  header.heads = 2;
  header.keyHeads = 1;
  header.vocab = 5;
  header.positions = 3;
  Status written = writeLlama2c(folder / "x", header, [](const StoredTensor &tensor) {
    return std::vector<float>((tensor.end - tensor.begin) / 4, 0.5f);
  });
  if (!written)
    abort();
  return readAll(folder / "x");
}

std::vector<Format> checkpointFormats() {
  Files all = trained();
  const std::string step = "step-3/";
  auto only = [&](const char *name) { return Files{{name, all.at(step + name)}}; };
  return {
      {"safetensors", "", only("parameters.safetensors"),
       [](const std::string &folder) { return useWeights(folder + "/parameters.safetensors"); }},
      {"checkpoint", "", all, useResumed},
      {"training's-weights", "", all, useWeights},
      {"state", "", only("state.json"), useState},
      {"options", "", only("options.json"), useOptions},
      {"log", "", {{"log.jsonl", all.at("log.jsonl")}}, useLog},
      {"llama2c", "", {{"model.bin", llama2c()}}, useLlama2c},
  };
}
