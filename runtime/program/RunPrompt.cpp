// From --prompt to ids and words.
#include "runtime/program/RunPrompt.h"

#include "runtime/program/SavedTokenizer.h"
#include "runtime/program/Translating.h"

using namespace weft::runtime;

/// The input that the prompt stands for, of those that hold indices in two dimensions, rows and
/// positions.
static Result<const Argument *> inputOfIds(const Facts &facts, const Entry &entry,
                                           const RunInputs &inputs) {
  std::vector<const Argument *> open;
  std::vector<std::string> given, names;
  for (const Argument &input : entry.inputs) {
    if (input.index < 0 || input.dims.size() != 2)
      continue;
    (inputs.has(input.name) ? given : names).push_back(input.name);
    if (!inputs.has(input.name))
      open.push_back(&input);
  }
  if (open.empty())
    return Error{Code::Usage,
                 given.empty()
                     ? text("--prompt: entry %s has no input of ids in rows", entry.name.c_str())
                     : text(given.size() == 1 ? "--prompt: the input %s is given already"
                                              : "--prompt: the inputs %s are given already",
                            listed(given).c_str())};
  if (open.size() == 1)
    return open[0];
  for (const Decoding &decoding : facts.decodings)
    for (const Argument *input : open)
      if (input->name == decoding.argument)
        return input;
  return Error{Code::Usage, text("--prompt: entry %s has several inputs of ids, %s, and goes on "
                                 "from none of them: give all but one with --input",
                                 entry.name.c_str(), listed(names).c_str())};
}

/// That of sources, for an input that takes them, where one is kept.
static Result<TokenizerPtr> openTokenizer(const LoadedWeights &loaded, const Options &options,
                                          bool isSource) {
  Result<TokenizerPtr> tokenizer = TokenizerPtr();
  if (isSource)
    tokenizer = savedTokenizer(loaded, options, sourceTokenizerFile);
  if (tokenizer && !*tokenizer)
    tokenizer = savedTokenizer(loaded, options);
  if (tokenizer && !*tokenizer)
    return Error{Code::Usage, "--prompt: there is no tokenizer beside the weights; give one with "
                              "--tokenizer, or ids with --input"};
  return tokenizer;
}

Result<AxisWords> weft::runtime::addPrompt(RunInputs &inputs, const Model &model,
                                           const Entry &entry, const LoadedWeights &loaded,
                                           const Options &options) {
  AxisWords words;
  if (!options.has("prompt"))
    return words;
  Result<const Argument *> input = inputOfIds(model.facts, entry, inputs);
  if (!input)
    return input.error();
  bool isSource = (*input)->name == nameInPairs(model.facts, "source");
  Result<TokenizerPtr> tokenizer = openTokenizer(loaded, options, isSource);
  if (!tokenizer)
    return tokenizer.error();
  Result<std::vector<int32_t>> ids = (*tokenizer)->encode(options.string("prompt"));
  if (!ids || ids->empty())
    return ids ? Error{Code::Value, "--prompt: is empty"}
               : Error{ids.error().code, "--prompt: " + ids.error().message};
  if (isSource && (*tokenizer)->closes())
    ids->push_back(*(*tokenizer)->endOfText());
  inputs.add((*input)->name, *ids);
  words.dimension = (*input)->dims[1];
  for (int32_t id : *ids)
    words.words.push_back((*tokenizer)->decode(id));
  return words;
}
