// A text as the input of an entry that takes token ids.
#ifndef WEFT_RUNTIME_PROGRAM_RUNPROMPT_H
#define WEFT_RUNTIME_PROGRAM_RUNPROMPT_H

#include "runtime/program/RunInputs.h"
#include "runtime/program/RunPlot.h"
#include "runtime/training/LoadWeights.h"

namespace weft::runtime {

/// Encodes --prompt, if it is given, with the tokenizer that lies beside the weights (or
/// --tokenizer) into the entry's input of ids, [1, length], and gives its tokens as the words of
/// that dimension. Of several inputs it is the one that is not given otherwise, or else the one
/// that a decoding continues. Errors: no such input, or nothing tells which; no tokenizer;
/// characters that it lacks.
Result<AxisWords> addPrompt(RunInputs &inputs, const Model &model, const Entry &entry,
                            const LoadedWeights &loaded, const Options &options);

} // namespace weft::runtime
#endif
