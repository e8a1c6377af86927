// From --prompt to ids and words.
#include "runtime/program/RunPrompt.h"

#include "runtime/program/SavedTokenizer.h"

using namespace weft::runtime;

/// The input that holds indices in two dimensions, rows and positions.
static Result<const Argument *> inputOfIds(const Entry &entry) {
  const Argument *found = nullptr;
  for (const Argument &input : entry.inputs) {
    if (input.index < 0 || input.dims.size() != 2)
      continue;
    if (found)
      return Error{Code::Usage, text("--prompt: entry %s has several inputs of ids, `%s` and `%s`; "
                                     "give them with --input",
                                     entry.name.c_str(), found->name.c_str(), input.name.c_str())};
    found = &input;
  }
  if (!found)
    return Error{Code::Usage,
                 text("--prompt: entry %s has no input of ids in rows", entry.name.c_str())};
  return found;
}

static Result<TokenizerPtr> openTokenizer(const Model &model, const LoadedWeights &loaded,
                                          const Options &options) {
  Result<TokenizerPtr> tokenizer = savedTokenizer(model, loaded, options, "weights");
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
  Result<const Argument *> input = inputOfIds(entry);
  if (!input)
    return input.error();
  Result<TokenizerPtr> tokenizer = openTokenizer(model, loaded, options);
  if (!tokenizer)
    return tokenizer.error();
  Result<std::vector<int32_t>> ids = (*tokenizer)->encode(options.string("prompt"));
  if (!ids || ids->empty())
    return ids ? Error{Code::Value, "--prompt: is empty"}
               : Error{ids.error().code, "--prompt: " + ids.error().message};
  if (Status status = inputs.add((*input)->name, *ids); !status)
    return status.error();
  words.dimension = (*input)->dims[1];
  for (int32_t id : *ids)
    words.words.push_back((*tokenizer)->decode(id));
  return words;
}
