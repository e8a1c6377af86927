// Texts as the inputs of an entry that takes token ids.
#ifndef WEFT_RUNTIME_PROGRAM_RUN_RUNPROMPT_H
#define WEFT_RUNTIME_PROGRAM_RUN_RUNPROMPT_H

#include "runtime/program/run/RunInputs.h"
#include "runtime/program/run/RunPlot.h"
#include "runtime/text/tokenizers/Tokenizer.h"
#include "runtime/training/checkpoint/LoadWeights.h"

namespace weft::runtime {

/// Gives ids to an input, and what they are called.
AxisWords addIds(RunInputs &inputs, const Argument &input, const Tokenizer &tokenizer,
                 const std::vector<int32_t> &ids);

/// Encodes the texts that are given, each into an input of ids, [1, length], and gives the tokens
/// as the words of its dimension. --source is the source of pairs, and says how long it is where
/// the entry asks. --prompt stands between the marks that the tokenizer itself puts around a text,
/// as encodeWhole() says; of several inputs it is the one that is not given otherwise, or else the
/// one that a decoding continues. Tokenizers are those beside the weights, or --tokenizer and
/// --source-tokenizer. Errors: no such input, or nothing tells which; no tokenizer; characters that
/// it lacks.
Result<AxisTexts> addTexts(RunInputs &inputs, const Model &model, const Entry &entry,
                           const LoadedWeights &loaded, const Options &options);

} // namespace weft::runtime
#endif
