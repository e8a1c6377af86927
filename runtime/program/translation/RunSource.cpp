// `OUT run --source`: a sentence as arguments of an entry.
#include "runtime/data/OpenData.h"
#include "runtime/program/SavedTokenizer.h"
#include "runtime/program/translation/Translation.h"

#include <algorithm>

using namespace weft::runtime;

Result<AxisWords> weft::runtime::addSource(RunInputs &inputs, const Facts &facts,
                                           const Entry &entry, const LoadedWeights &loaded,
                                           const Options &options) {
  std::string source = nameInPairs(facts, "source"), valid = nameInPairs(facts, "valid");
  int number = argumentNamed(entry.inputs, source);
  if (number < 0 || entry.inputs[number].dims.size() != 2 || entry.inputs[number].index < 0)
    return Error{Code::Usage, text("--source: entry %s has no input `%s` of ids in rows",
                                   entry.name.c_str(), source.c_str())};
  for (const std::string &name : {source, valid})
    if (inputs.has(name))
      return Error{Code::Usage, text("--source: the input `%s` is given already", name.c_str())};
  Result<TokenizerPtr> tokenizer =
      savedTokenizer(loaded, options, facts.dims[entry.inputs[number].index], sourceTokenizerFile,
                     "source-tokenizer");
  if (!tokenizer || !*tokenizer)
    return !tokenizer ? tokenizer.error()
                      : Error{Code::Usage,
                              "--source: there is no source vocabulary beside the weights; give "
                              "one with --source-tokenizer, or ids with --input"};
  Result<std::vector<int32_t>> ids = (*tokenizer)->encode(options.string("source"));
  if (!ids || ids->empty())
    return ids ? Error{Code::Value, "--source: has no words"}
               : Error{ids.error().code, "--source: " + ids.error().message};
  if ((*tokenizer)->closes())
    ids->push_back(*(*tokenizer)->endOfText());
  const Argument &input = entry.inputs[number];
  bool hasValid = argumentNamed(entry.inputs, valid) >= 0;
  if (hasValid)
    inputs.add(valid, {1}, {static_cast<int32_t>(ids->size())});
  std::optional<int32_t> padding = (*tokenizer)->padding();
  auto fixed = static_cast<size_t>(facts.dims[input.dims[1]].size.value_or(0));
  if (hasValid || padding)
    ids->resize(std::max(fixed, ids->size()), padding.value_or(0));
  return addIds(inputs, input, **tokenizer, *ids);
}
