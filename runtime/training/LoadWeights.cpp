// Finding and reading weights.
#include "runtime/training/LoadWeights.h"

#include "runtime/files/Folder.h"
#include "runtime/training/Checkpoint.h"

using namespace weft::runtime;

Result<std::string> weft::runtime::loadWeights(Parameters &parameters,
                                               const std::string &checkpoint) {
  std::string weights = checkpoint, tokenizer;
  if (isFolder(checkpoint)) {
    Result<Checkpoint> found = findCheckpoint(checkpoint);
    if (!found)
      return found.error();
    weights = found->file("parameters.safetensors");
    if (fileExists(found->file("tokenizer.json")))
      tokenizer = found->file("tokenizer.json");
  }
  Result<SafetensorsFile> file = SafetensorsFile::open(weights);
  if (!file)
    return file.error();
  if (Status status = parameters.load(*file, isWeight); !status)
    return status.error();
  return tokenizer;
}
