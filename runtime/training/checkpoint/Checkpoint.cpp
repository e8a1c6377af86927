// Writing checkpoints so that a kill at any moment leaves the last whole one.
#include "runtime/training/checkpoint/Checkpoint.h"

#include "runtime/base/Philox.h"
#include "runtime/base/files/Folder.h"
#include "runtime/base/files/InputFile.h"
#include "runtime/base/files/NewFile.h"
#include "runtime/text/KeptTokenizer.h"
#include "runtime/training/checkpoint/CheckpointState.h"
#include "runtime/training/checkpoint/MadeWith.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace weft::runtime;

static constexpr size_t kept = 2;
static constexpr Code later = Code::Type;  // of a checkpoint that a later Weft wrote
static const char hashes[] = "tokenizers"; // of state.json: hashes of the files of these names
static const char prefix[] = "step-", unfinished[] = ".unfinished";

static std::string nameOf(int64_t step) {
  return text("%s%lld", prefix, wide(step));
}

/// A folder that is not there holds nothing; one that cannot be looked into may hold anything.
static Status canBeListed(const std::string &folder) {
  int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno != ENOENT)
    return Error{Code::File,
                 text("%s: cannot read the folder: %s", folder.c_str(), strerror(errno))};
  if (descriptor >= 0)
    close(descriptor);
  return success();
}

/// The steps of the folders `step-N`, newest first.
static std::vector<int64_t> stepsIn(const std::string &folder) {
  std::vector<int64_t> steps;
  for (const std::string &name : namesIn(folder)) {
    char *end = nullptr;
    if (name.rfind(prefix, 0) != 0 || name.size() == strlen(prefix))
      continue;
    long long step = strtoll(name.c_str() + strlen(prefix), &end, 10);
    if (!*end && name == nameOf(step))
      steps.push_back(step);
  }
  std::sort(steps.rbegin(), steps.rend());
  return steps;
}

static Status moveFolder(const std::string &from, const std::string &to) {
  if (rename(from.c_str(), to.c_str()) == 0)
    return success();
  return Error{Code::File,
               text("%s: cannot rename it to %s: %s", from.c_str(), to.c_str(), strerror(errno))};
}

/// Takes a checkpoint's name away before its files, so that no half-deleted folder looks like one.
static void removeCheckpoint(const std::string &path) {
  std::string condemned = path + unfinished;
  removeFolder(condemned);
  if (moveFolder(path, condemned))
    removeFolder(condemned);
}

static std::string hashOf(std::string_view contents) {
  return text("%016llx", static_cast<unsigned long long>(streamNamed(contents)));
}

/// Whether the tokenizers are those that the training left, as far as its state says.
static Status compareTokenizers(const Checkpoint &checkpoint) {
  auto all = checkpoint.state.find(hashes);
  if (all == checkpoint.state.end())
    return success();
  for (const char *name : {tokenizerFile, sourceTokenizerFile}) {
    std::string path = checkpoint.file(name);
    auto said = all->find(name);
    if (said == all->end())
      continue;
    Result<WholeFile> file = WholeFile::read(path);
    if (!file)
      return file.error();
    if (*said != hashOf(file->view()))
      return Error{Code::File, path + ": is not the tokenizer of this training: the file was "
                                      "changed or exchanged since"};
  }
  return success();
}

static Status writeFiles(const std::string &folder, const Model &model,
                         const std::vector<SavedTokenizer> &tokenizers, const Json &state,
                         const Json &options) {
  if (Status status = makeFolder(folder); !status)
    return status;
  if (Status status = model.parameters.save(folder + "/parameters.safetensors", isWeight); !status)
    return status;
  if (Status status = model.parameters.save(folder + "/optimizer.safetensors", isOptimizer);
      !status)
    return status;
  Json all = state;
  if (!tokenizers.empty() && !all.contains(hashes))
    all[hashes] = Json::object(); // not by the next `[]`: decision 51
  for (const SavedTokenizer &saved : tokenizers) {
    std::string contents = jsonText(saved.tokenizer->json()) + "\n";
    all[hashes][saved.file] = hashOf(contents);
    if (Status status = writeFile(folder + "/" + saved.file, contents); !status)
      return status;
  }
  for (auto [file, object] : {std::pair(optionsFile, &options), {"state.json", &all}})
    if (Status status = writeFile(text("%s/%s", folder.c_str(), file), jsonText(*object, 1) + "\n");
        !status)
      return status;
  return success();
}

/// Removes what a kill left behind: the folder is locked, so nobody is writing it.
static void removeLeftovers(const std::string &out) {
  unlink((out + "/latest").c_str()); // an earlier version's, which named the newest checkpoint
  for (const std::string &name : namesIn(out)) {
    if (name.rfind(prefix, 0) == 0 && name.ends_with(unfinished))
      removeFolder(out + "/" + name);
    for (const char *file : {"log.jsonl.", "loss.svg."})
      if (name.rfind(file, 0) == 0 && name.ends_with(NewFile::suffix))
        unlink((out + "/" + name).c_str());
  }
}

/// The checkpoint that a folder is; the error says what is wrong with it.
static Result<Checkpoint> readCheckpoint(const std::string &folder) {
  Checkpoint checkpoint{folder, 0, {}, ""};
  Result<Json> state = readCheckpointState(checkpoint.file("state.json"));
  if (!state)
    return state.error();
  checkpoint.state = std::move(*state);
  checkpoint.step = checkpoint.state["step"].get<int64_t>();
  for (const char *name : {"parameters.safetensors", "optimizer.safetensors"})
    if (Result<SafetensorsFile> file = SafetensorsFile::open(checkpoint.file(name)); !file)
      return file.error();
  if (Status status = compareTokenizers(checkpoint); !status)
    return status.error();
  return checkpoint;
}

/// The checkpoint `step-N` of a training's folder, which must be of this step.
static Result<Checkpoint> readNumbered(const std::string &folder, int64_t step) {
  Result<Checkpoint> checkpoint = readCheckpoint(folder + "/" + nameOf(step));
  if (checkpoint && checkpoint->step != step)
    return Error{Code::File,
                 text("%s: `step` is %lld, expected %lld as in the folder's name",
                      checkpoint->file("state.json").c_str(), wide(checkpoint->step), wide(step))};
  return checkpoint;
}

/// Whether a checkpoint is none of those that findCheckpoint passes over. Error: there is no memory
/// to look at it.
static Result<bool> isWhole(const std::string &folder, int64_t step) {
  Result<Checkpoint> checkpoint = readNumbered(folder, step);
  if (!checkpoint && checkpoint.error().code == Code::Memory)
    return checkpoint.error();
  return checkpoint || checkpoint.error().code == later;
}

Status weft::runtime::saveCheckpoint(const std::string &out, int64_t step, const Model &model,
                                     const std::vector<SavedTokenizer> &tokenizers,
                                     const Json &state, const Json &options) {
  removeLeftovers(out);
  std::string path = out + "/" + nameOf(step), temporary = path + unfinished;
  if (Status status = writeFiles(temporary, model, tokenizers, state, options); !status) {
    removeFolder(temporary);
    return status;
  }
  if (isFolder(path)) { // a training that was taken up from before this step
    std::string older = path + ".replaced" + unfinished;
    removeFolder(older);
    if (Status status = moveFolder(path, older); !status)
      return status;
  }
  if (Status status = moveFolder(temporary, path); !status)
    return status;
  if (Status status = syncFolder(out); !status)
    return status;
  removeFolder(path + ".replaced" + unfinished);
  size_t found = 0;
  for (int64_t other : stepsIn(out)) {
    if (other > step)
      continue;
    if (found == kept) {
      removeCheckpoint(out + "/" + nameOf(other));
      continue;
    }
    Result<bool> whole = isWhole(out, other);
    if (!whole)
      return whole.error();
    found += *whole;
  }
  return success();
}

Result<Checkpoint> weft::runtime::findCheckpoint(const std::string &folder) {
  if (fileExists(folder + "/state.json"))
    return readCheckpoint(folder);
  if (Status status = canBeListed(folder); !status)
    return status.error();
  std::string problems;
  for (int64_t step : stepsIn(folder)) {
    Result<Checkpoint> checkpoint = readNumbered(folder, step);
    if (checkpoint)
      checkpoint->passedOver = problems;
    if (checkpoint || checkpoint.error().code == later)
      return checkpoint;
    problems += (problems.empty() ? "" : "; ") + checkpoint.error().message;
  }
  if (problems.empty())
    return Error{Code::Name, text("%s: holds no whole checkpoint", folder.c_str())};
  return Error{Code::File,
               text("%s: holds no whole checkpoint: %s", folder.c_str(), problems.c_str())};
}

std::string Checkpoint::warning() const {
  return passedOver.empty() ? ""
                            : text("%s; this checkpoint is damaged, so %s is taken",
                                   passedOver.c_str(), path.c_str());
}

void weft::runtime::sayWarning(const std::string &warning) {
  if (!warning.empty())
    fprintf(stderr, "warning: %s\n", warning.c_str());
}

Status weft::runtime::loadCheckpoint(const Checkpoint &checkpoint, Model &model) {
  Result<SafetensorsFile> weights =
      SafetensorsFile::open(checkpoint.file("parameters.safetensors"));
  if (!weights)
    return weights.error();
  Result<SafetensorsFile> states = SafetensorsFile::open(checkpoint.file("optimizer.safetensors"));
  if (!states)
    return states.error();
  const Kinds ofWeights = isWeight, ofStates = isOptimizer;
  const Parameters::Source both[] = {{*weights, ofWeights}, {*states, ofStates}};
  return model.parameters.load(both);
}
