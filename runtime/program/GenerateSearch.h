// `OUT generate` where it searches: a source to translate, inputs of a file, or beams.
#ifndef WEFT_RUNTIME_PROGRAM_GENERATESEARCH_H
#define WEFT_RUNTIME_PROGRAM_GENERATESEARCH_H

#include "runtime/program/Command.h"
#include "runtime/text/tokenizers/Tokenizer.h"
#include "runtime/training/checkpoint/LoadWeights.h"

namespace weft::runtime {

/// The options of prompts that are continued token by token, which no search has.
inline constexpr const char *promptOptions[] = {"prompt-file", "samples",   "batch",
                                                "json",        "speculate", "draft"};

/// Whether the options ask for a search rather than for a prompt to go on from, token by token.
bool searches(const Options &options);

/// Translates, or continues the prompt for each row of --inputs, and prints a line for each.
/// `tokenizer` is that of the output, nullptr for ids.
Result<int> generateBySearch(Model &model, const Options &options, const LoadedWeights &weights,
                             const Tokenizer *tokenizer);

/// "1 2, 3" as ids; the error names `option`.
Result<std::vector<int32_t>> readIds(const std::string &given, const char *option);

} // namespace weft::runtime
#endif
