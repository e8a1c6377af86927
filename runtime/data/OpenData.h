// From `--data KIND:PATH` to a source of batches, by a table of kinds.
#ifndef WEFT_RUNTIME_DATA_OPENDATA_H
#define WEFT_RUNTIME_DATA_OPENDATA_H

#include "runtime/data/DataSource.h"
#include "runtime/program/Options.h"

namespace weft::runtime {

/// Options of kinds of data, as given: "pairs" -> "641"; "" for one without a value.
using DataOptions = std::map<std::string, std::string>;

struct DataRequest {
  std::string data;              // KIND:PATH
  DataOptions options;           // what readDataOptions() gives
  uint64_t seed = 0;             // of the order
  std::string checkpoint;        // its tokenizers are used; "": they are made
  std::string_view tokenizer;    // the text of one that goes with the weights, without a checkpoint
  bool allForValidation = false; // train on nothing: everything that the options do not take away
  bool learns = true;            // whether the data may teach a tokenizer
};

/// A kind of data: a row of the table in OpenData.cpp, declared beside its source.
struct DataKind {
  const char *name, *path; // "text", "FILE"
  std::vector<OptionSpec> options;
  bool keepsOptions; // `eval` has those of the training where none are given
  Result<std::unique_ptr<DataSource>> (*open)(const Model &model, const Training &training,
                                              const std::string &path, const DataRequest &request);
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

/// "text:FILE, pairs:FILE.tsv or tensors:FILE.safetensors"
std::string dataForms();

/// The options of a command, and behind them those of all kinds of data that it does not have.
std::vector<OptionSpec> withDataOptions(std::vector<OptionSpec> options);

/// Those of `options` that are of kinds of data.
DataOptions readDataOptions(const Options &options);

/// The options to look at data like that of a training with: what is given, and where the kind
/// keeps them, the training's others.
DataOptions withTrainingOptions(DataOptions given, const std::string &data,
                                const DataOptions &training);

} // namespace weft::runtime
#endif
