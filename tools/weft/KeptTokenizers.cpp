// Reading them, and holding them against the model.
#include "tools/weft/KeptTokenizers.h"

#include "runtime/program/Translating.h"
#include "runtime/tokenizers/FitsModel.h"

#include <fmt/format.h>

#include <set>

namespace weft {

/// The dimensions that ids of sources index, or those of everything else.
static std::set<int> vocabularies(const runtime::Facts &facts, bool ofSources) {
  std::string source = runtime::nameInPairs(facts, "source");
  std::set<int> found;
  for (const runtime::Entry &entry : facts.entries)
    for (const runtime::Argument &input : entry.inputs)
      if (input.index >= 0 && facts.dims[input.index].size && (input.name == source) == ofSources)
        found.insert(input.index);
  return found;
}

/// Of several dimensions, that of a decoding, else the largest.
static runtime::Status fits(const runtime::Tokenizer &tokenizer, const runtime::Facts &facts,
                            bool isSource) {
  std::set<int> dims = vocabularies(facts, isSource);
  const runtime::Dimension *most = nullptr;
  for (int dim : dims)
    if (!most || *facts.dims[dim].size > *most->size)
      most = &facts.dims[dim];
  if (!isSource)
    for (const runtime::Decoding &decoding : facts.decodings) {
      const std::vector<runtime::Argument> &inputs = facts.entries[decoding.advance].inputs;
      int ids = runtime::argumentNamed(inputs, decoding.argument);
      if (ids >= 0 && inputs[ids].index >= 0)
        most = &facts.dims[inputs[ids].index];
    }
  if (!most)
    return runtime::Error{runtime::Code::Value,
                          fmt::format("the tokenizer ({}) has {} ids, and no input of the model{} "
                                      "is an index",
                                      tokenizer.kind(), tokenizer.size(),
                                      isSource ? " that takes sources" : "")};
  return runtime::fitsModel(tokenizer, *most);
}

runtime::Result<Tokenizers> tokenizersFor(const runtime::Facts &facts, const Arguments &arguments,
                                          const runtime::LoadedWeights *loaded) {
  Tokenizers tokenizers;
  for (auto [file, option] : {std::pair(runtime::tokenizerFile, "tokenizer"),
                              {runtime::sourceTokenizerFile, "source-tokenizer"}}) {
    runtime::Result<runtime::TokenizerPtr> read =
        arguments.has(option) ? runtime::tokenizerWithoutText(arguments.get(option))
        : loaded              ? loaded->tokenizer(file)
                              : runtime::TokenizerPtr();
    if (!read)
      return read.error();
    if (!*read)
      continue;
    if (runtime::Status status = fits(**read, facts, file == runtime::sourceTokenizerFile); !status)
      return runtime::Error{status.error().code, fmt::format("{}: {}", arguments.get(option, file),
                                                             status.error().message)};
    tokenizers[file] = std::move(*read);
  }
  auto source = tokenizers.find(runtime::sourceTokenizerFile),
       target = tokenizers.find(runtime::tokenizerFile);
  if (source != tokenizers.end() && target != tokenizers.end() && source->second->startOfText() &&
      !target->second->startOfText())
    return runtime::Error{runtime::Code::Value,
                          "--tokenizer and --source-tokenizer are exchanged: that of sources has "
                          "the mark that translations begin with, the other has none"};
  return tokenizers;
}

} // namespace weft
