// From `--data KIND:PATH` to a source of batches, by a table of kinds.
#ifndef WEFT_RUNTIME_DATA_OPENDATA_H
#define WEFT_RUNTIME_DATA_OPENDATA_H

#include "runtime/data/DataSource.h"
#include "runtime/options/Options.h"
#include "runtime/text/KeptTokenizer.h"

namespace weft::runtime {

/// Options of kinds of data, as given: "pairs" -> "641"; "" for one without a value.
using DataOptions = std::map<std::string, std::string>;

struct DataRequest {
  std::string data;                     // KIND:PATH
  const char *option = "data";          // that says so
  DataOptions options;                  // what readDataOptions() gives
  uint64_t seed = 0;                    // of the order
  std::string checkpoint;               // its tokenizers are used
  const CarriedFile *carried = nullptr; // and of a program that carries some; else they are made
  const Json *state = nullptr;          // beside the weights (LoadedWeights::state), or none
  bool allForValidation = false; // train on nothing: everything that the options do not take away
  bool learns = true;            // whether the data may teach a tokenizer
};

/// What reads a kind of data, in programs that have it.
struct DataReader {
  std::vector<OptionSpec> options = {};
  Result<std::unique_ptr<DataSource>> (*open)(const Model &model, const Training &training,
                                              const std::string &path,
                                              const DataRequest &request) = nullptr;
  std::vector<std::string> preprocessing = {}; // options that change how every row is read
  std::vector<std::string> augmentation = {};  // options that change rows in training alone
};

/// A kind of data: a row of the table in OpenData.cpp.
struct DataKind {
  const char *name, *path; // "text", "FILE"
  bool keepsOptions;       // `eval` has those of the training where none are given
  DataReader reader;
  const char *clause = nullptr; // how a model takes it, of a kind that programs may lack
};

DataKind textKind();
DataKind pairsKind();
DataKind imagesKind();
DataKind tensorsKind();

/// `--seq`, of kinds that have sequences.
inline OptionSpec sequenceOption() {
  return {"seq", "T",
          "tokens of a row (text: as many as the model allows; pairs: as the longest of a batch)"};
}

/// Opens the data for a training of the model. Errors of usage: a kind that is none, or an option
/// that is another kind's.
Result<std::unique_ptr<DataSource>> openData(const Model &model, const Training &training,
                                             const DataRequest &request);

/// "text:FILE or tensors:FILE.safetensors": the kinds of data that a program of these facts reads.
std::string dataForms(const Facts &facts);

/// What this program's model calls a part of the pairs that it is trained on ("source"): by that
/// name where it does not say.
std::string nameInPairs(const Facts &facts, const char *part);

/// Whether an option is of a kind of data that a program of these facts reads, or of no kind.
bool takesDataOption(const Facts &facts, std::string_view option);

/// The options of a command, and behind them those of all kinds of data that it does not have.
std::vector<OptionSpec> withDataOptions(std::vector<OptionSpec> options);

/// Those of `options` that are of kinds of data.
DataOptions readDataOptions(const Options &options);

/// Whether an option of some kind of data changes rows in training alone.
bool isAugmentation(std::string_view option);

/// The options to look at data like that of a training with: what is given, and where the kind
/// keeps them, the training's others.
DataOptions withTrainingOptions(DataOptions given, const std::string &data,
                                const DataOptions &training);

/// Those of `given` by which rows are read otherwise than in the training, each as a sentence; none
/// of a kind that does not keep them.
std::vector<std::string> preprocessedOtherwise(const DataOptions &given, const std::string &data,
                                               const DataOptions &training);

/// What of a checkpoint's state a program carries: which training it is of, and its data's options
/// where the kind keeps them. Empty where there was no training.
Json stateToCarry(const Json &state);

} // namespace weft::runtime
#endif
