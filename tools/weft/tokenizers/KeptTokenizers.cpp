// Reading them, and holding them against the model.
#include "tools/weft/tokenizers/KeptTokenizers.h"

#include "runtime/text/FitsModel.h"
#include "runtime/text/OpenTokenizer.h"

#include <fmt/format.h>

namespace weft {

static runtime::Status fits(const runtime::Tokenizer &tokenizer,
                            const std::optional<runtime::Dimension> &vocabulary,
                            const std::string &origin, bool isSource) {
  if (vocabulary)
    return runtime::fitsModel(tokenizer, *vocabulary, origin,
                              isSource ? runtime::Side::Source : runtime::Side::Other);
  return runtime::Error{runtime::Code::Value,
                        fmt::format("{}: the tokenizer ({}) has {} ids, and no input of the "
                                    "model{} is an index",
                                    origin, tokenizer.kind(), tokenizer.size(),
                                    isSource ? " that takes sources" : "")};
}

runtime::Result<Tokenizers> tokenizersFor(const Vocabularies &vocabularies,
                                          const Arguments &arguments,
                                          const runtime::LoadedWeights *loaded) {
  Tokenizers tokenizers;
  std::map<std::string, std::string> origins; // by file
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
    bool isSource = file == runtime::sourceTokenizerFile;
    origins[file] = arguments.has(option) ? fmt::format("--{} {}", option, arguments.get(option))
                                          : loaded->file(file);
    if (runtime::Status status = fits(**read, isSource ? vocabularies.source : vocabularies.other,
                                      origins[file], isSource);
        !status)
      return status.error();
    tokenizers[file] = std::move(*read);
  }
  auto source = tokenizers.find(runtime::sourceTokenizerFile),
       target = tokenizers.find(runtime::tokenizerFile);
  if (source != tokenizers.end() && target != tokenizers.end() && source->second->startOfText() &&
      !target->second->startOfText())
    return runtime::Error{runtime::Code::Value,
                          fmt::format("{} and {} are exchanged: that of sources has the mark that "
                                      "translations begin with, the other has none",
                                      origins[target->first], origins[source->first])};
  return tokenizers;
}

} // namespace weft
