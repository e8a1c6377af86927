// Finding and reading weights.
#include "runtime/training/checkpoint/LoadWeights.h"

#include "runtime/base/files/Folder.h"
#include "runtime/training/checkpoint/Checkpoint.h"

using namespace weft::runtime;

std::string LoadedWeights::file(const char *name) const {
  std::string path = checkpoint + "/" + name;
  return !checkpoint.empty() && fileExists(path) ? path : "";
}

/// The checkpoint in a folder. What `weft import` made is one without a training that could go on.
static Result<Checkpoint> checkpointIn(const std::string &folder) {
  Checkpoint import{folder, 0, Json::object(), ""};
  if (fileExists(import.file("parameters.safetensors")) && !fileExists(import.file("state.json")))
    return import;
  return findCheckpoint(folder);
}

Result<LoadedWeights> weft::runtime::loadWeights(Parameters &parameters, const std::string &path,
                                                 const std::string &entry,
                                                 Parameters::Mapping mapping) {
  LoadedWeights loaded;
  std::string weights = path;
  if (isFolder(path)) {
    Result<Checkpoint> found = checkpointIn(path);
    if (!found)
      return found.error();
    if (Status status = fitsOptions(found->path, parameters.program(), entry); !status)
      return status.error();
    weights = found->file("parameters.safetensors");
    loaded = {found->path, found->state, nullptr, found->warning()};
  }
  Result<SafetensorsFile> file = SafetensorsFile::open(weights);
  if (!file)
    return file.error();
  const Kinds kinds = isWeight;
  const Parameters::Source source{*file, kinds, mapping};
  if (Status status = parameters.load({&source, 1}); !status)
    return status.error();
  return loaded;
}

Result<LoadedWeights> weft::runtime::loadOrCarried(Model &model, const std::string &path,
                                                   const char *option, const std::string &entry) {
  if (!path.empty()) {
    Result<LoadedWeights> loaded = loadWeights(model.parameters, path, entry);
    if (loaded)
      sayWarning(loaded->warning);
    return loaded;
  }
  if (!model.carried)
    return Error{Code::Usage, text("--%s is missing: this program carries no weights", option)};
  std::string_view training = model.carried->find(trainingFile);
  LoadedWeights own{"", training.empty() ? Json::object() : parseJson(training), &*model.carried,
                    ""};
  if (!own.state.is_object())
    return Error{Code::File,
                 text("the %s that the program carries is broken: build it again", trainingFile)};
  return own;
}
