// From --source and --prompt to ids and words.
#include "runtime/program/run/RunPrompt.h"

#include "runtime/Archives.h"
#include "runtime/data/OpenData.h"
#include "runtime/program/SavedTokenizer.h"

#include <tuple>

using namespace weft::runtime;

AxisWords weft::runtime::addIds(RunInputs &inputs, const Argument &input,
                                const Tokenizer &tokenizer, const std::vector<int32_t> &ids) {
  AxisWords words{input.dims[1], {}};
  for (int32_t id : ids)
    words.words.push_back(tokenizer.spelling(id));
  inputs.add(input.name, {1, static_cast<int64_t>(ids.size())}, ids);
  return words;
}

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
                                          const Dimension &vocabulary, bool isSource) {
  Result<TokenizerPtr> tokenizer = TokenizerPtr();
  if (isSource)
    tokenizer = savedTokenizer(loaded, options, vocabulary, sourceTokenizerFile);
  if (tokenizer && !*tokenizer)
    tokenizer = savedTokenizer(loaded, options, vocabulary);
  if (tokenizer && !*tokenizer)
    return Error{Code::Usage, "--prompt: there is no tokenizer beside the weights; give one with "
                              "--tokenizer, or ids with --input"};
  return tokenizer;
}

static Result<AxisWords> addPrompt(RunInputs &inputs, const Facts &facts, const Entry &entry,
                                   const LoadedWeights &loaded, const Options &options) {
  Result<const Argument *> input = inputOfIds(facts, entry, inputs);
  if (!input)
    return input.error();
  bool isSource = (*input)->name == nameInPairs(facts, "source");
  Result<TokenizerPtr> tokenizer =
      openTokenizer(loaded, options, facts.dims[(*input)->index], isSource);
  if (!tokenizer)
    return tokenizer.error();
  Result<std::vector<int32_t>> ids = encodeWhole(**tokenizer, options.string("prompt"));
  if (!ids || ids->empty())
    return ids ? Error{Code::Value, "--prompt: is empty"}
               : Error{ids.error().code, "--prompt: " + ids.error().message};
  if (isSource && (*tokenizer)->closes())
    ids->push_back(*(*tokenizer)->endOfText());
  return addIds(inputs, **input, **tokenizer, *ids);
}

Result<AxisTexts> weft::runtime::addTexts(RunInputs &inputs, const Model &model, const Entry &entry,
                                          const LoadedWeights &loaded, const Options &options) {
  AxisTexts texts;
  const TranslationArchive *translation = translationArchive();
  if (options.has("source") && !translation)
    return Error{Code::Usage, "--source: this program takes no source"};
  for (auto [option, add, into] :
       {std::tuple{"source", translation ? translation->addSource : nullptr, &texts[0]},
        {"prompt", &addPrompt, &texts[1]}}) {
    if (!options.has(option))
      continue;
    Result<AxisWords> words = add(inputs, model.facts, entry, loaded, options);
    if (!words)
      return words.error();
    *into = std::move(*words);
  }
  return texts;
}
